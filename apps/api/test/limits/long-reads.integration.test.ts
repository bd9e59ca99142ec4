import { once } from 'node:events';
import { request } from 'node:http';
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

const ask = async (
  [procedure, input]: typeof CHECK | typeof COMPARISON,
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

/** Sends a batch of fifty without reading its response; the returned function closes the connection. */
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

const countChecks = () =>
  readMetric(
    service,
    'muster_database_statement_duration_seconds_count{statement="verify_sandbox"}',
  );

test('the queued calls of a client that has disconnected do not run', async () => {
  const before = await countChecks();
  const release = await holdCatalogue(service.database);
  const closes = [await beginBatch(CHECK), await beginBatch(CHECK), await beginBatch(COMPARISON)];
  await expect.poll(countHeld, WITHIN).toBe(2);
  const inProgress = () => readMetric(service, 'muster_requests_in_progress{kind="other"}');
  await expect.poll(inProgress, WITHIN).toBe(3);
  for (const close of closes) close();
  const left = 'muster_http_requests_total{method="GET",route="/admin/trpc",status="499"}';
  await expect.poll(() => readMetric(service, left), WITHIN).toBe(3);
  const later = ask(CHECK);
  await release();
  expect((await later).status).toBe(200);
  // Two calls had begun before their clients disconnected.
  expect((await countChecks()) - before).toBe(3);
});
