import { afterAll, beforeAll, expect, test } from 'vitest';
import { BODY, JOIN } from '../public-client.ts';
import { readMetric } from '../read-metrics.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';
import { createTransferClient } from '../transfer-client.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const SANDBOX = '0196b8a0-0000-7000-8000-00000000e891';

const exportAs = async (account: string) => {
  const client = createTransferClient(service, { sub: account, permissions: ['sandbox:*'] });
  const response = await client.exportFile(SANDBOX, 'item');
  return { status: response.status, text: await response.text(), headers: response.headers };
};

/** Until the returned function is called, every export waits for its first page. */
const holdExports = async (): Promise<() => Promise<void>> => {
  const client = await service.database.keyedPool.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE catalogue_record IN ACCESS EXCLUSIVE MODE');
  return async () => {
    await client.query('ROLLBACK');
    client.release();
  };
};

test('exports beyond the limits are refused, and take no connection from anybody else', async () => {
  const client = createTransferClient(service);
  await client.mutate('sandboxes.create', { sandbox_id: SANDBOX, name: 'Exported' });
  const item = { sandbox_id: SANDBOX, name: 'Sword', item_type: 'unit' };
  await client.mutate('items.create', item);

  const release = await holdExports();
  const accounts = ['ann', 'ann', 'ann', ...Array.from({ length: 37 }, (_, n) => `other ${n}`)];
  const exports = accounts.map(exportAs);
  const refused = () =>
    readMetric(service, 'muster_requests_refused_total{kind="other",reason="transfers"}');
  await expect.poll(refused).toBe(36);

  const init = { method: 'POST', headers: await service.headers(), body: JSON.stringify(BODY) };
  expect((await fetch(service.baseUrl + JOIN, init)).status).toBe(404);
  expect(await client.query('sessions.list', {})).toMatchObject({ sessions: [] });
  await release();

  const answers = await Promise.all(exports);
  const served = answers.filter(({ status }) => status === 200);
  expect(served).toHaveLength(4);
  for (const { text } of served) expect(text).toContain('"Sword"');
  for (const { status, text, headers } of answers.filter((answer) => !served.includes(answer))) {
    expect(status).toBe(429);
    expect(JSON.parse(text)).toMatchObject({ auth_success: true, error_code: 'rate_limited' });
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }
  // Whoever comes back is served.
  expect((await exportAs('ann')).status).toBe(200);
});
