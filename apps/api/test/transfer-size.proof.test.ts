// Exports and imports of production size: bounded memory, seconds, and nothing left running.
import { once } from 'node:events';
import { get } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestService } from './test-service.ts';
import { startTestService } from './test-service.ts';
import type { TransferClient } from './transfer-client.ts';
import { createTransferClient } from './transfer-client.ts';

const LARGE = '0196b8a0-0000-7000-8000-000000000001';
const RECORDS = 100_000;

let service: TestService;
let client: TransferClient;
beforeAll(async () => {
  service = await startTestService();
  client = createTransferClient(service);
});
afterAll(() => service.close());

test('plans, applies and verifies 10,000 rows in seconds', async () => {
  const { sandbox_id } = await client.mutate('sandboxes.create', { name: 'Import' });
  const line = (n: number, tag: string) =>
    `${JSON.stringify({ legacy_item_id: n, name: `Item ${n}`, item_type: 'unit', tags: [tag] })}\n`;
  const file = (tag: string) => Array.from({ length: 10_000 }, (_, n) => line(n, tag)).join('');
  const startedAt = performance.now();
  const created = await client.apply(sandbox_id, 'item', {}, file('a'));
  expect(created).toMatchObject({
    status: 200,
    body: { head_seq: 10_000, counts: { create: 10_000 } },
  });
  expect(performance.now() - startedAt).toBeLessThan(60_000);
  const exported = await (await client.exportFile(sandbox_id, 'item')).text();
  const edited = exported.replaceAll('"tags":["a"]', '"tags":["b"]');
  const updated = await client.apply(sandbox_id, 'item', {}, edited);
  expect(updated.body).toMatchObject({ head_seq: 20_000, counts: { update: 10_000 } });
  let afterSeq = 0;
  for (let done = false; !done; ) {
    const check = await client.query('verification.check', { sandbox_id, after_seq: afterSeq });
    expect(check).not.toHaveProperty('broken');
    ({ done, checked_to_seq: afterSeq } = check);
  }
  expect(afterSeq).toBe(20_000);
});

test('exports 100,000 records at the pace of the reader, and stops queries when it disconnects', async () => {
  await fillRecords(service);
  const [authorization] = [(await service.headers()).authorization];
  const url = `${service.baseUrl}/admin/export/${LARGE}/item`;
  const open = async () => {
    const request = get(url, { headers: { authorization } });
    const [response] = await once(request, 'response');
    return response;
  };
  let lines = 0;
  for await (const chunk of await open()) {
    for (const byte of chunk) if (byte === 10) lines += 1;
  }
  expect(lines).toBe(RECORDS);

  const queries = countQueries(service);
  const response = await open();
  await once(response, 'data');
  response.destroy();
  await queries.settled();
  expect(queries.count()).toBeLessThan(60);
  // A paused reader pauses the export: only the buffers of the connection are filled, which limits the memory of an
  // export of any size.
  const paused = await open();
  const slow = countQueries(service);
  await slow.settled();
  expect(slow.count()).toBeLessThan(60);
  paused.destroy();
});

/** Records of about a kilobyte, without their versions: an export of the newest state reads none. */
const fillRecords = async ({ database: { pool } }: TestService) => {
  const insert = `INSERT INTO catalogue_record (sandbox_id, kind, record_id, name, folded_name, version, head_seq, snapshot,
      created_at, updated_at)
    SELECT $1::uuid, 'item', lpad(to_hex(n), 32, '0')::uuid, 'Item ' || n, 'item ' || n, 1, n,
      json_build_object('item_id', lpad(to_hex(n), 32, '0')::uuid, 'name', 'Item ' || n, 'item_type', 'unit',
        'tags', '[]'::json, 'custom_data', json_build_object('pad', repeat('x', 900))), now(), now()
    FROM generate_series($2::int, $3::int) n`;
  await pool.query('INSERT INTO sandbox (sandbox_id, name, head_seq) VALUES ($1, $2, $3)', [
    LARGE,
    'Large',
    RECORDS,
  ]);
  const step = 5_000;
  for (let at = 0; at < RECORDS; at += step) await pool.query(insert, [LARGE, at + 1, at + step]);
};

/** Counts the connections taken from the pool; settles when none is taken for a while. */
const countQueries = ({ database: { pool } }: TestService) => {
  let count = 0;
  let lastAt = performance.now();
  pool.on('acquire', () => {
    count += 1;
    lastAt = performance.now();
  });
  return {
    count: () => count,
    settled: async () => {
      while (performance.now() - lastAt < 500)
        await new Promise((resolve) => setImmediate(resolve));
    },
  };
};
