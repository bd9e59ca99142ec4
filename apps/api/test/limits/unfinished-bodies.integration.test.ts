import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { BODY, JOIN } from '../public-client.ts';
import type { SlowClient } from '../raw-client.ts';
import { openSlowClient } from '../raw-client.ts';
import { readMetric } from '../read-metrics.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';

/** Hundreds of connections take their time on a busy machine. */
vi.setConfig({ testTimeout: 60_000 });
const PATIENT = { timeout: 20_000 };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const BODY_TEXT = JSON.stringify(BODY);

/** A join of which one byte of the body has come. */
const beginJoin = async ({ baseUrl }: TestService, authorization: string): Promise<SlowClient> => {
  const client = await openSlowClient(baseUrl);
  const head = `POST ${JOIN} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${authorization}`;
  const type = `Content-Type: application/json\r\nContent-Length: ${BODY_TEXT.length}`;
  client.send(`${head}\r\n${type}\r\n\r\n${BODY_TEXT.slice(0, 1)}`);
  return client;
};

/** As many joins are worked on, the rest wait. */
const AT_ONCE = 72;

const countUnderWay = (of: TestService) => readMetric(of, 'muster_requests_under_way{kind="join"}');

/** Answers the status. */
const send = async (to: TestService): Promise<number> => {
  const options = { method: 'POST', headers: await to.headers(), body: BODY_TEXT };
  return (await fetch(to.baseUrl + JOIN, options)).status;
};

test('bodies that do not come keep nobody from joining, and are served when they come after all', async () => {
  const token = await service.signToken();
  const clients: SlowClient[] = [];
  for (let index = 0; index < 300; index += 1) clients.push(await beginJoin(service, token));
  const underWay = () => countUnderWay(service);
  const join = () => send(service);
  await expect.poll(underWay, PATIENT).toBeGreaterThanOrEqual(AT_ONCE);
  await expect.poll(join, PATIENT).toBe(404);
  for (let index = 0; index < 10; index += 1) expect(await join()).toBe(404);
  for (const client of clients) client.send(BODY_TEXT.slice(1));
  const served = () => clients.filter((client) => /^HTTP\/1.1 404/.test(client.received())).length;
  await expect.poll(served, PATIENT).toBeGreaterThanOrEqual(AT_ONCE);
  for (const client of clients) client.destroy();
  await expect.poll(underWay, PATIENT).toBe(0);
  expect(await join()).toBe(404);
});

test('when they take all places, the oldest of them is ended for each that comes', async () => {
  const small = await startTestService({ env: { MAX_CONCURRENT_REQUESTS: '140' } });
  const token = await small.signToken();
  const clients: SlowClient[] = [];
  for (let index = 0; index < 140; index += 1) clients.push(await beginJoin(small, token));
  await expect.poll(() => countUnderWay(small), PATIENT).toBe(140);
  await expect.poll(() => send(small), PATIENT).toBe(404);
  expect(await readMetric(small, 'muster_requests_cut_total{reason="slow_body"}')).toBe(1);
  expect(clients[0]?.received()).toMatch(/^HTTP\/1.1 408 [\s\S]*request_timeout/);
  for (const client of clients) client.destroy();
  await expect.poll(() => countUnderWay(small), PATIENT).toBe(0);
  await small.close();
});

test('bodies that do not come keep nobody from the admin API either', async () => {
  const clients: SlowClient[] = [];
  for (let index = 0; index < 250; index += 1) {
    const client = await openSlowClient(service.baseUrl);
    const head = 'POST /admin/trpc/sessions.create HTTP/1.1\r\nHost: a';
    client.send(`${head}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
    clients.push(client);
  }
  const headers = await service.headers();
  const ask = async () => (await fetch(`${service.baseUrl}/admin/trpc/me.get`, { headers })).status;
  await expect.poll(ask, PATIENT).toBe(200);
  for (let index = 0; index < 10; index += 1) expect(await ask()).toBe(200);
  for (const client of clients) client.destroy();
  const others = () => readMetric(service, 'muster_requests_under_way{kind="other"}');
  await expect.poll(others, PATIENT).toBe(0);
});
