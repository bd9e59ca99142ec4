// The metrics of the service match its documentation, and dashboards and alerts only use existing ones.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestDatabase } from '@muster/database/testing';
import { parser } from '@prometheus-io/lezer-promql';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { startJoinLoad } from './faults/join-load.ts';
import type { TestBed } from './faults/test-bed.ts';
import { authorise, createTestBed, SECRET } from './faults/test-bed.ts';
import type { MetricFamily } from './read-metrics.ts';
import { parseMetrics, toFamily } from './read-metrics.ts';
import { startServiceProcess } from './service-process.ts';

const DOCS = join(import.meta.dirname, '../../../docs');
const read = (name: string) => readFile(join(DOCS, name), 'utf8');

let testBed: TestBed;
let metrics: Map<string, MetricFamily>;
let stop: () => Promise<unknown>;
beforeAll(async () => {
  const database = await createTestDatabase();
  const service = await startServiceProcess({
    DATABASE_URL: database.url,
    AUTH_JWT_SECRET: SECRET,
  });
  stop = async () => {
    await service.stop();
    await database.drop();
  };
  testBed = await createTestBed(service.baseUrl, 1);
  const load = startJoinLoad({ testBed, baseUrls: [service.baseUrl] });
  // More joins than seats: every seat is taken, and later players were refused.
  await vi.waitUntil(() => load.count() > testBed.seatsPerSession, { timeout: 30_000 });
  await load.stop();
  const authorization = await authorise('monitoring', 'metrics:view');
  const answer = await fetch(`${service.baseUrl}/metrics`, { headers: { authorization } });
  expect(answer.headers.get('content-type')).toContain('version=0.0.4');
  metrics = parseMetrics(await answer.text());
});
afterAll(() => stop());

const sumOf = (name: string, pattern = /(?:)/): number =>
  [...(metrics.get(name)?.values ?? [])]
    .filter(([labels]) => pattern.test(labels))
    .reduce((sum, [, value]) => sum + value, 0);

test('joins are counted in every metric about them', () => {
  const joins = sumOf('muster_join_outcomes_total', /outcome="joined"/);
  expect(joins).toBe(testBed.seatsPerSession);
  expect(sumOf('muster_join_decisions_total')).toBeGreaterThan(0);
  expect(sumOf('muster_http_requests_total', /player_uuid",status="200"/)).toBe(joins);
  expect(
    sumOf('muster_database_statement_duration_seconds', /statement="write_sessions"/),
  ).toBeGreaterThan(0);
  expect(sumOf('muster_cache_lookups_total', /cache="sessions",result="hit"/)).toBeGreaterThan(0);
  expect(
    sumOf('muster_cache_lookups_total', /cache="platform_sessions",result="hit"/),
  ).toBeGreaterThan(0);
  expect(sumOf('muster_cache_lookups_total', /cache="tokens"/)).toBeGreaterThan(0);
  expect(sumOf('muster_cache_entries', /cache="sessions"/)).toBe(testBed.sessions.length);
  expect(sumOf('muster_database_connections', /pool="keyed",state="total"/)).toBeGreaterThan(0);
  expect(sumOf('muster_session_queue_waiting')).toBe(0);
  expect(sumOf('muster_database_available')).toBe(1);
});

type Documented = { type: string; labels: string[] };

const readTables = async (): Promise<Map<string, Documented>> => {
  const rows = (await read('operations/metrics.md')).matchAll(
    /^\| `(\w+)` \| (\w+) \| ([^|]+) \| .+ \|$/gm,
  );
  return new Map(
    [...rows].map(([, name = '', type = '', labels = '']) => [
      name,
      { type, labels: labels.split(', ').filter((label) => label !== '–') },
    ]),
  );
};

test('the documentation lists every metric with its type and labels, and no other', async () => {
  const documented = await readTables();
  expect([...documented.keys()].sort()).toEqual([...metrics.keys()].sort());
  for (const [name, { type, labels, values }] of metrics) {
    expect([name, documented.get(name)?.type]).toEqual([name, type]);
    const hasSamples = [...values.keys()].some((key) => key !== '');
    if (hasSamples && labels.size > 0) {
      expect([name, [...labels].sort()]).toEqual([name, documented.get(name)?.labels.sort()]);
    }
  }
});

/** Metrics and labels in an expression; throws on invalid PromQL. */
const analyse = (expression: string) => {
  const text = expression.replaceAll('$__rate_interval', '5m');
  const found = { metrics: new Set<string>(), labels: new Set<string>() };
  parser.parse(text).iterate({
    enter: ({ name, type, from, to }) => {
      const part = text.slice(from, to);
      if (type.isError) throw new Error(`No PromQL at ${from} of ${text}`);
      if (name === 'Identifier') found.metrics.add(part);
      if (name === 'LabelName') found.labels.add(part);
    },
  });
  return found;
};

/** Labels of the scrape, and of every histogram. */
const OUTER_LABELS = ['job', 'instance', 'le'];

/** `recorded` are the names of the recording rules that the expression may use. */
const assertKnown = async (expression: string, recorded: ReadonlySet<string> = new Set()) => {
  const documented = await readTables();
  const found = analyse(expression);
  expect(found.metrics.size).toBeGreaterThan(0);
  const known = new Set(OUTER_LABELS);
  for (const name of found.metrics) {
    const family = metrics.has(name) ? name : toFamily(name);
    // Prometheus adds `up` for each target.
    if (name !== 'up' && !recorded.has(name)) expect([...metrics.keys()]).toContain(family);
    for (const label of documented.get(family)?.labels ?? []) known.add(label);
  }
  expect([...found.labels].filter((label) => !known.has(label))).toEqual([]);
};

type Recording = { record: string; expr: string };
type Alert = { alert: string; expr: string; annotations: { summary: string; runbook_url: string } };
type Rules = { groups: { rules: (Recording | Alert)[] }[] };

describe('alert rules', async () => {
  const file = parse(await read('operations/alert-rules.yaml')) as Rules;
  const rules = file.groups.flatMap((group) => group.rules);
  const recordings = rules.filter((rule) => 'record' in rule);
  const alerts = rules.filter((rule) => 'alert' in rule);
  const recorded = new Set(recordings.map(({ record }) => record));

  test('there are alerts and recordings', () => {
    expect(Math.min(alerts.length, recordings.length)).toBeGreaterThan(3);
  });

  test.each(recordings)('$record uses existing metrics and labels', ({ expr }) =>
    assertKnown(expr),
  );

  test.each(alerts)('$alert uses existing metrics, recordings and labels', ({ expr }) =>
    assertKnown(expr, recorded),
  );

  test.each(alerts)('$alert links to instructions', async ({ alert, annotations }) => {
    const url = `https://muster.example/docs/operations#${alert.toLowerCase()}`;
    expect(annotations.runbook_url).toBe(url);
    expect(await read('operations.md')).toContain(`\n### ${alert}\n`);
  });
});

type Panel = {
  id: number;
  title: string;
  type: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
};

describe('the dashboard', async () => {
  const dashboard = JSON.parse(await read('operations/grafana-dashboard.json')) as {
    panels: Panel[];
  };
  const panels = dashboard.panels.filter(({ type }) => type !== 'row');

  test.each(panels)('$title uses existing metrics and labels', async ({ targets = [] }) => {
    expect(targets.length).toBeGreaterThan(0);
    for (const { expr } of targets) await assertKnown(expr);
  });

  test('shows every metric of the documentation', async () => {
    const documented = [...(await readTables()).keys()];
    const shown = panels
      .flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => [...analyse(expr).metrics]))
      .map((name) => (metrics.has(name) ? name : toFamily(name)));
    expect(documented.filter((name) => !shown.includes(name))).toEqual([]);
  });

  test('has one panel at each position', () => {
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  });
});

test('reports invalid PromQL and unknown names', async () => {
  expect(() => analyse('sum(rate(muster_http_requests_total[5m])')).toThrow('No PromQL');
  await expect(assertKnown('muster_http_request_total')).rejects.toThrow();
  await expect(assertKnown('muster_http_requests_total{code="200"}')).rejects.toThrow();
});
