// Sends one admin request of the largest allowed size, and measures the longest time for which the service answers no other request.
import { setTimeout as delay } from 'node:timers/promises';
import { now, startChild } from './child-process.ts';
import type { Sample } from './latency.ts';
import { between, summarise } from './latency.ts';
import { openService } from './measure.ts';
import type { Measurement } from './objectives.ts';
import type { Service } from './service.ts';
import type { Stage } from './stage.ts';
import { call, openAdmin } from './stage.ts';
import type { VictimPlan } from './victims.ts';

/** A pause is seen to within five milliseconds. */
const PROBES_PER_SECOND = 200;
const MOST_SECONDS = 60;
const BEFORE_SECONDS = 2;
const AFTER_SECONDS = 1;

export const ADMIN_REQUESTS = ['items.bulk', 'xp.bulk', 'import'] as const;
export type AdminRequest = (typeof ADMIN_REQUESTS)[number];

/** On a service of its own. */
export const runAdminRequest = async (stage: Stage, kind: AdminRequest): Promise<Measurement> => {
  const service = await openService(stage);
  try {
    return await measureRequest(service, kind);
  } finally {
    await service.stop();
  }
};

const measureRequest = async (service: Service, kind: AdminRequest): Promise<Measurement> => {
  const send = await prepareRequest(service, kind);
  const probe = {
    method: 'GET',
    path: '/healthz',
    headers: {},
    body: '',
    address: '127.1.0.1',
  } as const;
  const plan: VictimPlan = {
    port: service.port,
    perSecond: PROBES_PER_SECOND,
    requests: Array(PROBES_PER_SECOND * MOST_SECONDS).fill(probe),
  };
  const probes = await startChild<VictimPlan, Sample[]>(
    new URL('victims.ts', import.meta.url),
    plan,
  );
  await service.resetPeakMemory();
  const startAtMs = now();
  const probing = probes.run(startAtMs);
  await delay(BEFORE_SECONDS * 1_000);
  const fromMs = now() - startAtMs;
  const status = await send();
  const toMs = now() - startAtMs;
  await delay(AFTER_SECONDS * 1_000);
  probes.finish();
  const samples = await probing.finally(probes.stop);
  const during = between(samples, fromMs, toMs);
  return {
    situation: `the largest ${kind} request`,
    before: summarise(between(samples, 0, fromMs)),
    during: summarise(during),
    after: summarise(between(samples, toMs, Number.POSITIVE_INFINITY)),
    firstTryShare: null,
    serverErrors: samples.filter(({ status }) => status >= 500).length + Number(status >= 500),
    lostJoins: 0,
    peakMemoryMb: await service.readPeakMemory(),
    recoverySeconds: null,
    pauseMs: Math.max(...during.map(({ latencyMs }) => latencyMs)),
    attack: { requests: 1, statuses: { [status]: 1 } },
  };
};

const MIB = 2 ** 20;

/** Resolves with a function that sends the request and resolves with its status. */
const prepareRequest = async (
  service: Service,
  kind: AdminRequest,
): Promise<() => Promise<number>> => {
  const admin = await openAdmin(service);
  const { sandbox_id } = await call<{ sandbox_id: string }>(admin, 'sandboxes.create', {
    name: 'The largest request',
  });
  const headers = {
    authorization: `Bearer ${await service.sign('operator', ['*'])}`,
    'content-type': 'application/json',
  };
  const post = (path: string, body: string) => async () => {
    const response = await fetch(service.baseUrl + path, { method: 'POST', headers, body });
    const text = await response.text();
    if (!response.ok)
      throw new Error(`${kind} responded ${response.status}: ${text.slice(0, 500)}`);
    return response.status;
  };
  if (kind === 'import') return post(`/admin/import/${sandbox_id}/item`, writeFile());
  const operations = kind === 'items.bulk' ? writeItems() : writeXpTables();
  const body = JSON.stringify({ sandbox_id, operations }).replaceAll(ESCAPED, '\\u0079');
  return post(`/admin/trpc/${kind}`, body);
};

const OPERATIONS = 1_000;

/** A character that the body replaces with an escape of six bytes. */
const ESCAPED = '\u{1f5e1}';

/** Just below 8 MiB, of which the records take less than the 6 MiB that a response may have. */
const writeItems = (): object[] =>
  Array.from({ length: OPERATIONS }, (_, index) => ({
    operation: 'create',
    name: `Item ${index}`,
    item_type: 'unit',
    description: 'x'.repeat(4_000),
    custom_data: { text: `${'x'.repeat(1_000)}${ESCAPED.repeat(530)}`, number: String(index) },
  }));

/** As many lists, objects and members as a body may have. */
const writeXpTables = (): object[] => {
  const xp_thresholds = Array.from({ length: 172 }, (_, level) => ({ level, xp: level }));
  return Array.from({ length: OPERATIONS }, (_, index) => ({
    operation: 'create',
    name: `Xp ${index}`,
    xp_thresholds,
  }));
};

const ROWS = 50_000;

/** Just below 64 MiB of NDJSON. */
const writeFile = (): string => {
  const text = 'x'.repeat(Math.floor((63 * MIB) / ROWS) - 120);
  const rows = Array.from({ length: ROWS }, (_, index) =>
    JSON.stringify({
      name: `Item ${index}`,
      item_type: 'unit',
      custom_data: { text, number: String(index) },
    }),
  );
  return `${rows.join('\n')}\n`;
};
