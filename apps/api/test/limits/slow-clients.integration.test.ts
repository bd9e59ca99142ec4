import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdminCaller } from '../admin-caller.ts';
import { ITEMS, JOIN, joinPath } from '../public-client.ts';
import type { SlowClient } from '../raw-client.ts';
import { openSlowClient } from '../raw-client.ts';
import { readMetric } from '../read-metrics.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';

let service: TestService;
let authorization: string;
beforeAll(async () => {
  service = await startTestService({
    env: {
      ...{ HEADERS_TIMEOUT_SECONDS: '1', BODY_TIMEOUT_SECONDS: '1', ANSWER_TIMEOUT_SECONDS: '1' },
      ...{ MAX_UNREAD_ANSWER_MB: '32', MAX_BODY_MB: '16' },
    },
  });
  authorization = `Authorization: Bearer ${await service.signToken()}`;
});
afterAll(() => service.close());

const HOST = 'Host: a\r\n';

/** Sends one more byte every so often, until the connection ends. */
const dribble = async (client: SlowClient, byte: string): Promise<void> => {
  const timer = setInterval(() => client.send(byte), 50);
  await client.closed;
  clearInterval(timer);
};

test('a head that never ends is answered 408', async () => {
  const client = await openSlowClient(service.baseUrl);
  client.send(`GET /healthz HTTP/1.1\r\n${HOST}X: `);
  await dribble(client, 'x');
  expect(client.received()).toMatch(/^HTTP\/1.1 408 [\s\S]*request_timeout/);
});

test('a body that never ends is answered 408, and its place is free again', async () => {
  const client = await openSlowClient(service.baseUrl);
  const head = `POST ${JOIN} HTTP/1.1\r\n${HOST}${authorization}\r\nContent-Type: application/json`;
  client.send(`${head}\r\nContent-Length: 10000\r\n\r\n{`);
  await dribble(client, ' ');
  expect(client.received()).toMatch(/^HTTP\/1.1 408 [\s\S]*request_timeout/);
  expect(await readMetric(service, 'muster_requests_cut_total{reason="slow_body"}')).toBe(1);
  expect(await readMetric(service, 'muster_requests_under_way{kind="join"}')).toBe(0);
});

test('large bodies share a bounded memory; small ones go on', async () => {
  const head = `POST /admin/trpc/items.create HTTP/1.1\r\n${HOST}${authorization}\r\nContent-Type: application/json`;
  const clients = await Promise.all([1, 2].map(() => openSlowClient(service.baseUrl)));
  for (const client of clients) client.send(`${head}\r\nContent-Length: 8388608\r\n\r\n{`);
  await expect.poll(() => readMetric(service, 'muster_body_bytes')).toBe(16 * 1_048_576);
  const headers = await service.headers();
  const send = (path: string, length: number) =>
    fetch(service.baseUrl + path, { method: 'POST', headers, body: 'x'.repeat(length) });
  const refused = await send('/admin/trpc/items.create', 20_000);
  expect(refused.status).toBe(503);
  expect(refused.headers.has('retry-after')).toBe(true);
  expect((await send(joinPath('other'), 20_000)).status).toBe(409);
  expect((await send(joinPath('other'), 1_000)).status).toBe(422);
  for (const client of clients) client.destroy();
  await expect.poll(() => readMetric(service, 'muster_body_bytes')).toBe(0);
  expect((await send('/admin/trpc/items.create', 20_000)).status).toBe(400);
});

/** So many clients who announce a body without saying how long it is, and send nothing of it. */
const announce = async (count: number, path: string, ...headers: string[]) => {
  const clients = await Promise.all(
    Array.from({ length: count }, () => openSlowClient(service.baseUrl)),
  );
  const lines = [
    ...[`${path.startsWith(ITEMS) ? 'GET' : 'POST'} ${path} HTTP/1.1`, ...headers],
    ...['Content-Type: application/json', 'Transfer-Encoding: chunked', '', ''],
  ];
  for (const client of clients) client.send(lines.join('\r\n'));
  return clients;
};
const underWay = () => readMetric(service, 'muster_requests_under_way{kind="other"}');
const CREATE = '/admin/trpc/items.create';

test.each([
  ['the admin API', CREATE, ['Host: a']],
  ['sign-in', '/admin/auth/sign-in/email', ['Host: a', 'Origin: http://a']],
])('strangers who announce bodies to %s keep no large body away', async (_, path, lines) => {
  const clients = await announce(20, path, ...lines);
  await expect.poll(underWay).toBeGreaterThanOrEqual(20);
  const headers = await service.headers();
  const body = 'x'.repeat(1_000_000);
  const answer = await fetch(service.baseUrl + CREATE, { method: 'POST', headers, body });
  expect(answer.status).toBe(400);
  expect(await readMetric(service, 'muster_body_bytes')).toBe(0);
  for (const client of clients) client.destroy();
  await expect.poll(underWay).toBeLessThan(20);
});

const bodyBytes = () => readMetric(service, 'muster_body_bytes');
const sendChunked = (path: string, length: number, headers: Record<string, string>) =>
  fetch(service.baseUrl + path, {
    ...{ method: 'POST', headers, duplex: 'half' },
    body: new Blob(['x'.repeat(length)]).stream(),
  });

test('of a body without a length counts what has come of it', async () => {
  const clients = await announce(2, CREATE, 'Host: a', authorization);
  const part = 7 * 1_048_576;
  for (const client of clients) client.send(`${part.toString(16)}\r\n${'x'.repeat(part)}`);
  await expect.poll(bodyBytes).toBe(2 * part);
  const bodies = 'muster_requests_refused_total{kind="other",reason="bodies"}';
  const before = await readMetric(service, bodies);
  const headers = await service.headers();
  const refused = await sendChunked(CREATE, 3_000_000, headers);
  expect(refused.status).toBe(503);
  expect(refused.headers.has('retry-after')).toBe(true);
  expect((await sendChunked(joinPath('other'), 10_000, headers)).status).toBe(422);
  expect(await readMetric(service, bodies)).toBe(before + 1);
  for (const client of clients) client.destroy();
  await expect.poll(bodyBytes).toBe(0);
});

test.each([
  ['that do not come', JOIN, true],
  ['that are empty and refused', `${JOIN}?q=${'x'.repeat(7_000)}`, false],
  ['of a history', `${ITEMS}?q=${'x'.repeat(7_000)}`, false],
])('many bodies without a length %s keep none of others away', async (_, path, isSlow) => {
  const lines = isSlow ? ['Host: a', authorization] : ['Host: a'];
  const clients = await announce(40, path, ...lines);
  for (const client of clients) client.send(isSlow ? '1\r\n{' : '0\r\n\r\n');
  const answer = await sendChunked(joinPath('other'), 20_000, await service.headers());
  expect(answer.status).toBe(422);
  expect(await bodyBytes()).toBe(0);
  for (const client of clients) client.destroy();
});

/** A sandbox with Items as large as the contract allows; a page of them has some megabytes. */
const writeWideItems = async (): Promise<string> => {
  const admin = createAdminCaller(service.baseUrl, {
    authorization: `Bearer ${await service.signToken()}`,
  });
  const { data } = await admin.mutate<{ sandbox_id: string }>('sandboxes.create', { name: 'Wide' });
  const tags = Array.from({ length: 100 }, (_, index) => `${index} ${'𝄞'.repeat(124)}`);
  // In parts: on a busy machine all of it would be too slow for the limits of this file.
  for (let first = 0; first < 100; first += 10) {
    const operations = Array.from({ length: 10 }, (_, index) => ({
      ...{ operation: 'create', name: `wide ${first + index}`, item_type: 'unit', tags },
    }));
    const written = await admin.mutate('items.bulk', { sandbox_id: data.sandbox_id, operations });
    expect(written.status).toBe(200);
  }
  return data.sandbox_id;
};

const CUT = 'muster_requests_cut_total{reason="slow_reader"}';

test('clients that do not read large pages cannot fill the memory, and are cut', async () => {
  const sandboxId = await writeWideItems();
  const path = `/v1/history/sandbox/${sandboxId}/item/?page_size=1000`;
  const unread = () => readMetric(service, 'muster_unread_answer_bytes');
  let highest = 0;
  const look = async () => {
    highest = Math.max(highest, await unread());
    return readMetric(service, CUT);
  };
  const idle: SlowClient[] = [];
  // One after the other, since few pages are read at once: each adds what its reader does not take, until one is cut.
  while (idle.length < 24 && (await look()) === 0) {
    const before = await unread();
    const client = await openSlowClient(service.baseUrl, false);
    idle.push(client);
    client.send(`GET ${path} HTTP/1.1\r\n${HOST}${authorization}\r\n\r\n`);
    await expect.poll(async () => (await look()) > 0 || (await unread()) > before).toBe(true);
  }
  // Those who are in the way of others go first; the rest have a second per 64 KiB.
  await expect.poll(look, { timeout: 40_000 }).toBeGreaterThanOrEqual(1);
  expect(highest).toBeGreaterThan(4 * 1_048_576);
  // What was being read when the limit was reached comes on top.
  expect(highest).toBeLessThan((32 + 24 * 4.5) * 1_048_576);
  await expect.poll(unread, { timeout: 15_000 }).toBeLessThanOrEqual(32 * 1_048_576);
  for (const client of idle) client.destroy();
  await expect.poll(unread, { timeout: 15_000 }).toBe(0);
  // A busy machine may ask a reader to come back.
  const read = async () =>
    (await fetch(service.baseUrl + path, { headers: await service.headers() })).status;
  await expect.poll(read, { timeout: 15_000 }).toBe(200);
}, 120_000);
