// Writes to a sandbox while another process holds its lock for long, such as during an import.
import type { Database } from '@muster/database';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readMetric } from '../read-metrics.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';
import { createTransferClient } from '../transfer-client.ts';

let service: TestService;
let client: ReturnType<typeof createTransferClient>;
let sandbox_id: string;
beforeAll(async () => {
  service = await startTestService();
  client = createTransferClient(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  ({ sandbox_id } = await client.mutate('sandboxes.create', { name: 'Live' }));
});

/** The lock that each write to the sandbox holds, until the returned function is called. */
const holdSandbox = async ({ keyedPool }: Pick<Database, 'keyedPool'>) => {
  const other = await keyedPool.connect();
  await other.query('BEGIN');
  const lock = 'SELECT 1 FROM sandbox WHERE sandbox_id = $1 FOR NO KEY UPDATE';
  await other.query(lock, [sandbox_id]);
  return async () => {
    await other.query('ROLLBACK');
    other.release();
  };
};

const sword = (change: object = {}) => ({ name: 'Sword', item_type: 'unit', ...change });
const call = async (procedure: string, input: object, signal?: AbortSignal) =>
  fetch(`${service.baseUrl}/admin/trpc/${procedure}`, {
    method: 'POST',
    headers: await service.headers(),
    body: JSON.stringify({ sandbox_id, ...input }),
    ...(signal && { signal }),
  });

const listNames = async (): Promise<string[]> => {
  const { records } = await client.query('items.list', { sandbox_id });
  return records.map(({ name }: { name: string }) => name);
};

test('all of them are rejected with sandbox_busy and Retry-After, and write nothing', async () => {
  const file = JSON.stringify(sword());
  const { plan_digest = '', head_seq } = await client.plan(sandbox_id, 'item', {}, file);
  const approved = { mode: 'apply', plan_digest, expected_head_seq: head_seq };
  const release = await holdSandbox(service.database);
  const edits = [1, 2, 3].map((n) => call('items.create', sword({ name: `Sword ${n}` })));
  const answers = await Promise.all([
    ...edits,
    call('sandboxes.update', { name: 'Renamed' }),
    client.importFile(sandbox_id, 'item', approved, file),
  ]);
  await release();
  const imported = answers.pop();
  expect(imported).toMatchObject({ status: 409, body: { error_code: 'sandbox_busy' } });
  for (const answer of answers as Response[]) {
    expect(answer.status).toBe(409);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(5);
    const { error } = (await answer.json()) as { error: { data: object } };
    expect(error.data).toMatchObject({
      error_code: 'sandbox_busy',
      desc: expect.stringMatching(/an import.*try again/),
    });
  }
  expect(await listNames()).toEqual([]);
  expect((await call('items.create', sword())).status).toBe(200);
});

test('those whose clients leave before they have begun are never written', async () => {
  const release = await holdSandbox(service.database);
  const inProgress = () => readMetric(service, 'muster_requests_in_progress{kind="other"}');
  const leaving = new AbortController();
  const edits = [
    call('items.create', sword({ name: 'At the lock' }), leaving.signal),
    call('items.create', sword({ name: 'Behind it' }), leaving.signal),
    call('items.bulk', { operations: [sword({ operation: 'create' })] }, leaving.signal),
    call(
      'xp.create,sandboxes.create?batch=1',
      { 0: { sandbox_id, name: 'First of a batch', xp_thresholds: [] }, 1: { name: 'Second' } },
      leaving.signal,
    ),
  ];
  const left = Promise.allSettled(edits);
  await expect.poll(inProgress, WITHIN).toBe(edits.length);
  leaving.abort();
  await left;
  await expect.poll(inProgress, WITHIN).toBe(0);
  const retried = call('items.create', sword({ name: 'Retried' }));
  await expect.poll(inProgress, WITHIN).toBe(1);
  await release();
  expect((await retried).status).toBe(200);
  expect(await listNames()).toEqual(['Retried']);
  expect((await client.query('xp.list', { sandbox_id })).records).toEqual([]);
  const { sandboxes } = await client.query('sandboxes.list', {});
  expect(sandboxes.map(({ name }: { name: string }) => name)).not.toContain('Second');
});

/** Before those that wait are refused. */
const WITHIN = { timeout: 2_000 };
