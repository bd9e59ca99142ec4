import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createAdminCaller } from './admin-caller.ts';
import { readMetric } from './read-metrics.ts';
import { useTransferCatalogue } from './transfer-client.ts';

const opened = useTransferCatalogue();

/** One connection for all, like a browser or a proxy. */
const createUploader = async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = await opened.service.headers();
  const upload = (query: string, file: string | Buffer) =>
    new Promise<number>((resolve, reject) => {
      const path = `/admin/import/${opened.sandbox}/item?${query}`;
      const sent = request(`${opened.service.baseUrl}${path}`, { agent, method: 'POST', headers });
      sent.on('error', reject).on('response', (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      });
      sent.end(file);
    });
  return { upload, close: () => agent.destroy() };
};

const REST = 'x'.repeat(8 * 1_048_576);

test.each([
  ['a line that is too long', '', REST, 200],
  ['an unknown column', 'format=csv', `name,colour\n${'a,b\n'.repeat(1_000_000)}`, 200],
  ['invalid CSV', 'format=csv', `name,item_type\nn"x,unit\n${REST}`, 200],
  ['invalid UTF-8', '', Buffer.concat([Buffer.from([0xff]), Buffer.from(REST)]), 400],
  ['too many rows', '', '{}\n'.repeat(500_000), 413],
])(
  'the connection accepts another file after %s',
  async (_what, query, file, status) => {
    const { upload, close } = await createUploader();
    expect(await upload(query, file)).toBe(status);
    expect(await upload('', '{"name":"Bow","item_type":"unit"}')).toBe(200);
    close();
  },
  20_000,
);

type Key = { key_id: string; key: string };

test.each(['apply', 'dry_run', 'draft'])(
  'a slow upload is refused when its key is revoked before its end: %s',
  async (mode) => {
    const { service, sandbox, client } = opened;
    const admin = createAdminCaller(service.baseUrl, await service.createPerson({ role: 'owner' }));
    const account = await admin.mutate<{ account_id: string }>('keys.createAccount', {
      name: mode,
    });
    const permissions = ['sandbox:config:edit'];
    const { data } = await admin.mutate<Key>('keys.create', {
      account_id: account.data.account_id,
      name: 'k',
      permissions,
    });
    const file = '{"name":"Bow","item_type":"unit"}';
    const { plan_digest, head_seq } = await client.plan(sandbox, 'item', {}, file);
    const query = `mode=${mode}&plan_digest=${plan_digest}&expected_head_seq=${head_seq}`;
    const sent = request(`${service.baseUrl}/admin/import/${sandbox}/item?${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${data.key}` },
    });
    const status = new Promise((resolve, reject) => {
      sent.on('error', reject);
      sent.on('response', (response) => resolve(response.resume().statusCode));
    });
    sent.write(file.slice(0, 9));
    await setTimeout(1_100);
    await admin.mutate('keys.revoke', { key_id: data.key_id });
    sent.end(file.slice(9));
    expect(await status).toBe(403);
    expect(await opened.headSeq()).toBe(head_seq);
  },
);

test('a file is not applied when its client disconnects before the end, even if it arrived completely', async () => {
  const { service, sandbox, client } = opened;
  const file = '{"name":"Bow","item_type":"unit"}';
  const { plan_digest, head_seq } = await client.plan(sandbox, 'item', {}, file);
  const query = `mode=apply&plan_digest=${plan_digest}&expected_head_seq=${head_seq}`;
  const connection = await service.database.pool.connect();
  try {
    await connection.query('BEGIN');
    await connection.query('SELECT FROM sandbox WHERE sandbox_id = $1 FOR NO KEY UPDATE', [
      sandbox,
    ]);
    const sent = request(`${service.baseUrl}/admin/import/${sandbox}/item?${query}`, {
      method: 'POST',
      headers: await service.headers(),
    });
    sent.on('error', () => {}).end(file);
    const isWaiting = `SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await service.database.pool.query(isWaiting)).rowCount).toBe(1);
    sent.destroy();
    const left = 'muster_http_requests_total{method="POST",route="/admin/import",status="499"}';
    await expect.poll(() => readMetric(service, left)).toBe(1);
  } finally {
    await connection.query('ROLLBACK');
    connection.release();
  }
  // Waits for the lock behind the import.
  await client.mutate('items.create', { sandbox_id: sandbox, name: 'Net', item_type: 'unit' });
  expect(await opened.headSeq()).toBe(head_seq + 1);
});
