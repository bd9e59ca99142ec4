import { afterAll, beforeAll, expect, test } from 'vitest';
import { BODY, JOIN } from '../public-client.ts';
import type { SlowClient } from '../raw-client.ts';
import { openSlowClient } from '../raw-client.ts';
import { readMetric } from '../read-metrics.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const BODY_TEXT = JSON.stringify(BODY);

const inProgress = (kind: 'join' | 'other') =>
  readMetric(service, `muster_requests_in_progress{kind="${kind}"}`);

/** A join of which one byte of the body has arrived. */
const beginJoin = async (token: string): Promise<SlowClient> => {
  const client = await openSlowClient(service.baseUrl);
  const head = `POST ${JOIN} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}`;
  const type = `Content-Type: application/json\r\nContent-Length: ${BODY_TEXT.length}`;
  client.send(`${head}\r\n${type}\r\n\r\n${BODY_TEXT.slice(0, 1)}`);
  return client;
};

const join = async (): Promise<number> => {
  const init = { method: 'POST', headers: await service.headers(), body: BODY_TEXT };
  return (await fetch(service.baseUrl + JOIN, init)).status;
};

test('bodies that do not arrive leave room for other joins, and are served when they arrive after all', async () => {
  const clients: SlowClient[] = [];
  for (const sub of ['one', 'two', 'three']) {
    const token = await service.signToken({ sub });
    for (let index = 0; index < 100; index += 1) clients.push(await beginJoin(token));
  }
  await expect.poll(() => inProgress('join')).toBe(300);
  for (let index = 0; index < 10; index += 1) expect(await join()).toBe(404);
  // In parts, since a busy machine may serve fewer at once.
  for (let first = 0; first < 300; first += 50) {
    const part = clients.slice(first, first + 50);
    for (const client of part) client.send(BODY_TEXT.slice(1));
    const served = () => part.filter(({ received }) => /^HTTP\/1.1 404/.test(received())).length;
    await expect.poll(served).toBe(50);
  }
  for (const client of clients) client.destroy();
  await expect.poll(() => inProgress('join')).toBe(0);
});

test('bodies of strangers that do not arrive leave room in the admin API', async () => {
  const clients: SlowClient[] = [];
  for (let index = 0; index < 250; index += 1) {
    const client = await openSlowClient(service.baseUrl);
    const head = 'POST /admin/trpc/sessions.create HTTP/1.1\r\nHost: a';
    client.send(`${head}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
    clients.push(client);
  }
  const headers = await service.headers();
  const ask = async () => (await fetch(`${service.baseUrl}/admin/trpc/me.get`, { headers })).status;
  for (let index = 0; index < 10; index += 1) expect(await ask()).toBe(200);
  for (const client of clients) client.destroy();
  await expect.poll(() => inProgress('other')).toBe(0);
});
