import { afterAll, beforeAll, expect, test } from 'vitest';
import { ITEMS, JOIN } from '../public-client.ts';
import { openSlowClient } from '../raw-client.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';

let service: TestService;
let head: string;
beforeAll(async () => {
  service = await startTestService();
  const { authorization } = await service.headers();
  head = `HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\n`;
});
afterAll(() => service.close());

const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';
const IMPORT = '/admin/import/6b5ef782-5c91-4a87-81a8-ad9b22921497/item';

test.each([
  ['a join', `POST ${JOIN}`, 413, 1_100],
  ['the admin API', 'POST /admin/trpc/items.create', 413, 1_100],
  ['a file', `POST ${IMPORT}`, 413, 62_000],
  ['a sign-in', 'POST /admin/auth/sign-in/email', 403, 1_100],
  ['no route', 'POST /nowhere', 404, 1_100],
  ['a history', `GET ${ITEMS}`, 200, 1_100],
])(
  'ends the connection of a client that sends %s in chunks of one byte',
  async (_, line, status, chunks) => {
    const client = await openSlowClient(service.baseUrl);
    client.send(`${line} ${head}${CHUNKED}`);
    if (status !== 413) await expect.poll(client.received).toMatch(/^HTTP/);
    client.send('1\r\n \r\n'.repeat(chunks));
    await client.closed;
    // Once answered, it is not answered again.
    expect(client.received().match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`]);
    if (status === 413)
      expect(client.received()).toContain('"desc":"The body comes in too many pieces."');
  },
);

test.each([
  [JOIN, 64, 2_000],
  [JOIN, 1, 1_000],
  [IMPORT, 2, 50_000],
])(
  'reads a body of %s in chunks of %i bytes, as a client may write its lines',
  async (path, bytes, chunks) => {
    const client = await openSlowClient(service.baseUrl);
    const chunk = `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`;
    client.send(`POST ${path} ${head}${CHUNKED}${chunk.repeat(chunks)}0\r\n\r\n`);
    await expect.poll(client.received).toMatch(/^HTTP\/1.1 4(?!13)\d\d /);
    client.destroy();
  },
);

test('ends the connection of a client that sends for ever behind its answer', async () => {
  const client = await openSlowClient(service.baseUrl);
  client.send(`POST /nowhere ${head}${CHUNKED}`);
  await expect.poll(client.received).toMatch(/^HTTP\/1.1 404 /);
  const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
  for (let count = 0; count < 1_025; count += 1) client.send(chunk);
  await client.closed;
});
