import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMetric } from '../read-metrics.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';
import { createTransferClient } from '../transfer-client.ts';
import { holdCatalogue } from './hold-tables.ts';

const [ONE, OTHER] = [0, 1].map((n) => `0196b8a0-0000-7000-8000-00000000e9a${n}`);

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  const { mutate } = createTransferClient(service);
  for (const sandbox_id of [ONE, OTHER]) {
    await mutate('sandboxes.create', { sandbox_id, name: `Read ${sandbox_id}` });
    await mutate('items.create', { sandbox_id, name: 'Sword', item_type: 'unit' });
  }
});
afterAll(() => service.close());

const CHECK = ['verification.check', { sandbox_id: ONE }] as const;
const COMPARISON = [
  'compare.list',
  { sandbox_id: ONE, source_sandbox_id: OTHER, kind: 'item' },
] as const;

const LIST = ['items.list', { sandbox_id: ONE }] as const;

const ask = async (
  [procedure, input]: typeof CHECK | typeof COMPARISON | typeof LIST,
  init: RequestInit = {},
) => {
  const path = `/admin/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`;
  return fetch(service.baseUrl + path, { headers: await service.headers(), ...init });
};

/** Before the statements that are held end. */
const WITHIN = { timeout: 4_000 };

test('comparisons and verifications beyond those that run and eight that wait are refused', async () => {
  const release = await holdCatalogue(service.database);
  const refused: Response[] = [];
  const asked = Array.from({ length: 13 }, async (_, index) => {
    const response = await ask(index % 2 === 0 ? CHECK : COMPARISON);
    if (response.status !== 200) refused.push(response);
    return response.status;
  });
  try {
    await expect.poll(() => refused.length, WITHIN).toBe(3);
  } finally {
    await release();
  }
  const statuses = await Promise.all(asked);
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  for (const response of refused) {
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      error: { data: { error_code: 'service_unavailable' } },
    });
    expect(['1', '2', '3']).toContain(response.headers.get('retry-after'));
  }
});

test('one of a person runs or waits among them, and twelve more wait for that person alone', async () => {
  const { cookie } = await service.createPerson({ role: 'viewer' });
  const release = await holdCatalogue(service.database);
  const leaving = new AbortController();
  const init = { headers: { cookie }, signal: leaving.signal };
  const refused: Response[] = [];
  const own = Array.from({ length: 14 }, async () => {
    const response = await ask(CHECK, init).catch(() => null);
    if (response) refused.push(response);
  });
  const others: Promise<Response>[] = [];
  try {
    await expect.poll(() => refused.length, WITHIN).toBe(1);
    expect(refused[0]?.status).toBe(503);
    expect(['1', '2', '3']).toContain(refused[0]?.headers.get('retry-after'));
    const counted = 'muster_requests_refused_total{kind="other",reason="share"}';
    expect(await readMetric(service, counted)).toBe(1);
    for (let index = 0; index < 9; index += 1) others.push(ask(CHECK));
    const underWay = () => readMetric(service, 'muster_requests_under_way{kind="other"}');
    await expect.poll(underWay, WITHIN).toBe(22);
  } finally {
    leaving.abort();
    await release();
  }
  for (const { status } of await Promise.all(others)) expect(status).toBe(200);
  await Promise.all(own);
});

/** A batch of fifty that nobody reads; the returned function closes its connection. */
const beginBatch = async ([procedure, input]: typeof CHECK | typeof COMPARISON) => {
  const inputs = JSON.stringify(
    Object.fromEntries(Array.from({ length: 50 }, (_, n) => [n, input])),
  );
  const names = Array(50).fill(procedure).join(',');
  const path = `/admin/trpc/${names}?batch=1&input=${encodeURIComponent(inputs)}`;
  const sent = request(service.baseUrl + path, { headers: await service.headers(), agent: false });
  sent.on('error', () => {});
  sent.end();
  await once(sent, 'finish');
  return () => sent.destroy();
};

/** Statements that wait for the tables that are held. */
const countHeld = async () => {
  const isWaiting = `SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return (await service.database.pool.query(isWaiting)).rowCount;
};

test('queries of players run one at a time, and those of a person meanwhile', async () => {
  const { cookie } = await service.createPerson({ role: 'viewer' });
  const permissions = ['session:update-player:self', 'sandbox:config:view'];
  const players = ['9a81', '9a82', '9a83'].map((end) => `7d2f3c1a-5b64-4e0f-9a8d-2c6e1f4b${end}`);
  const headers = await Promise.all(players.map((sub) => service.headers({ sub, permissions })));
  const release = await holdCatalogue(service.database);
  const asked = [...headers, { cookie }].map((each) => ask(LIST, { headers: each }));
  try {
    const underWay = () => readMetric(service, 'muster_requests_under_way{kind="other"}');
    await expect.poll(underWay, WITHIN).toBe(4);
    // Until the first player has kept the second one waiting for a second.
    await expect.poll(countHeld, { timeout: 1_000 }).toBe(2);
    await setTimeout(100);
    expect(await countHeld()).toBe(2);
  } finally {
    await release();
  }
  for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
});

const countChecks = () =>
  readMetric(
    service,
    'muster_database_statement_duration_seconds_count{statement="verify_sandbox"}',
  );

test('what a client that has left asked for keeps nobody waiting', async () => {
  const before = await countChecks();
  const release = await holdCatalogue(service.database);
  const closes = [await beginBatch(CHECK), await beginBatch(CHECK), await beginBatch(COMPARISON)];
  await expect.poll(countHeld, WITHIN).toBe(2);
  const underWay = () => readMetric(service, 'muster_requests_under_way{kind="other"}');
  await expect.poll(underWay, WITHIN).toBe(3);
  for (const close of closes) close();
  const left = 'muster_http_requests_total{method="GET",route="/admin/trpc",status="499"}';
  await expect.poll(() => readMetric(service, left), WITHIN).toBe(3);
  const later = ask(CHECK);
  await release();
  expect((await later).status).toBe(200);
  // Two of theirs had begun.
  expect((await countChecks()) - before).toBe(3);
});
