import { afterAll, beforeAll, expect, it } from 'vitest';
import { ITEMS, JOIN } from '../../test/public-client.ts';
import { openSlowClient, sendRaw } from '../../test/raw-client.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';

let service: TestService;
let head: string;
beforeAll(async () => {
  service = await startTestService();
  const { authorization } = await service.headers();
  head = `HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\n`;
});
afterAll(() => service.close());

const XP = ITEMS.replace('/item/', '/xp/');
/** What would be another request, were it not a body. */
const SMUGGLED = 'DELETE /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const LENGTH = `Content-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`;
const CHUNKS = `${CHUNKED}\r\n${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`;
const EXPECT = 'Expect: 100-continue\r\n';

/** The statuses of the answers, without 100 Continue. */
const statusesOf = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 ([2-5]\d\d) /g)].map(([, status]) => Number(status));

const ENDPOINTS = [
  [ITEMS, 'GET', 200],
  [XP, 'GET', 200],
  [ITEMS, 'HEAD', 200],
  [JOIN, 'GET', 405],
] as const;

it.each(
  ENDPOINTS.flatMap(([path, method, status]) =>
    [LENGTH, CHUNKS].flatMap((body) => [
      { path, method, status, body },
      { path, method, status, body: EXPECT + body },
    ]),
  ),
)(
  'ignores the body, and the next request is the one behind it: $method $path $body',
  async (request) => {
    const { path, method, status, body } = request;
    const next = `GET /healthz ${head}Connection: close\r\n\r\n`;
    const bytes = `${method} ${path} ${head}Content-Type: text/plain\r\n${body}${next}`;
    const { text } = await sendRaw(service.baseUrl, bytes, /"ok"}$/);
    expect(statusesOf(text)).toEqual([status, 200]);
  },
);

it.each([ITEMS, XP])('refuses a length over 1 MiB and keeps no such body: %s', async (path) => {
  const bytes = `GET ${path} ${head}Content-Length: 1048577\r\n\r\n`;
  const { status, body } = await sendRaw(service.baseUrl, bytes);
  expect([status, JSON.parse(body).error_code]).toEqual([413, 'body_too_large']);
});

it.each([ITEMS, XP, JOIN])(
  'ends the connection on endless chunks, behind the answer: %s',
  async (path) => {
    const client = await openSlowClient(service.baseUrl);
    client.send(`GET ${path} ${head}${CHUNKED}\r\n`);
    await expect.poll(() => statusesOf(client.received())).toHaveLength(1);
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    for (let count = 0; count < 17; count += 1) client.send(chunk);
    await client.closed;
  },
);
