// Attacks that fetch cannot send: smuggled lengths, second hosts, odd paths, bombs.
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ITEMS, JOIN, SANDBOX } from '../../test/public-client.ts';
import { sendRaw } from '../../test/raw-client.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';

let service: TestService;
let authorization: string;
beforeAll(async () => {
  service = await startTestService();
  authorization = (await service.headers()).authorization ?? '';
});
afterAll(() => service.close());

/** The answer to a request with these lines of headers, as text. */
const ask = (target: string, lines: string[] = ['Host: a'], body = '', method = 'GET') =>
  sendRaw(
    service.baseUrl,
    [
      `${method} ${target} HTTP/1.1`,
      ...lines,
      'Connection: close',
      `Authorization: ${authorization}`,
      '',
      body,
    ].join('\r\n'),
  );
const codeOf = ({ body }: { body: string }): string => JSON.parse(body).error_code;

describe('headers', () => {
  it.each([
    ['two hosts', ['Host: a', 'Host: b']],
    ['the same host twice', ['Host: a', 'host: a']],
    ['no host', []],
    ['two lengths', ['Host: a', 'Content-Length: 2', 'Content-Length: 3']],
    ['a length and chunks', ['Host: a', 'Content-Length: 2', 'Transfer-Encoding: chunked']],
    ['chunks that are not the last coding', ['Host: a', 'Transfer-Encoding: chunked, gzip']],
    ['a folded header', ['Host: a', 'X-Request-Id: a', ' X-Injected: 1']],
    ['a line feed within a header', ['Host: a', 'X-Request-Id: a\nX-Injected: 1\u0000']],
    ['a space before the colon', ['Host : a']],
    ['an empty host', ['Host:']],
    ['a host with a user', ['Host: user:word@a']],
    ['a host with a path', ['Host: a/b']],
    ['a host with a query', ['Host: a?b=c']],
    ['a host with a fragment', ['Host: a#b']],
    ['a host with a space', ['Host: a b']],
    ['two hosts in one header', ['Host: a, b']],
    ['a host with an escape', ['Host: a%2eb']],
    ['a host with a port that is no number', ['Host: a:b']],
    ['a host with a port that does not exist', ['Host: a:65536']],
    ['an address that does not exist', ['Host: 999.999.999.999']],
    ['half an IPv6 address', ['Host: [::1']],
  ])('with %s are refused', async (_, lines) => {
    for (const target of [ITEMS, '/admin/trpc/me.get?input=%7B%7D', '/healthz', '/nowhere']) {
      const answer = await ask(target, lines);
      expect([target, answer.status, codeOf(answer)]).toEqual([target, 400, 'request_malformed']);
      expect(answer.headers.has('x-injected')).toBe(false);
    }
  });

  it.each(['a', 'muster-api.internal:3000', 'muster_api', '127.0.0.1:80', '[::1]:3000'])(
    'with the host %s are accepted',
    async (host) => {
      const answer = await ask('/admin/trpc/me.get', [`Host: ${host}`]);
      expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('tester')]);
    },
  );

  it.each(['%0d%0aX-Injected:%201', '%0aX-Injected:1', '%E5%98%8A%E5%98%8DX-Injected:1'])(
    'do not come from the path: %s',
    async (text) => {
      for (const target of [`${ITEMS}?name=${text}`, `/s/${text}`, `/admin/export/${text}/item`]) {
        const { headers } = await ask(target);
        expect(headers.has('x-injected')).toBe(false);
      }
    },
  );

  it('with an expectation get their final answer behind the interim one', async () => {
    const lines = ['Host: a', 'Expect: 100-continue', 'Content-Length: 2000000'];
    const { text } = await ask(JOIN, [...lines, 'Content-Type: application/json'], '', 'POST');
    expect(text).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 413 /);
  });
});

describe('a path', () => {
  it.each([
    `/v1/history/sandbox/${SANDBOX}/item/../xp/`,
    `/v1/history/sandbox/${SANDBOX}/item/%2e%2e/xp/`,
    `/v1/history/sandbox/${SANDBOX}/./item/`,
    `//v1/history/sandbox/${SANDBOX}/item/`,
    `/v1//history/sandbox/${SANDBOX}/item/`,
    `/v1/history/sandbox/${SANDBOX}/item;x=y/`,
    `/v1/history/sandbox/${SANDBOX}/item%2f`,
    `/v1/history/sandbox/${SANDBOX}/item//`,
    `/v1/history/sandbox/${SANDBOX}/ITEM/`,
    '/admin/../metrics',
    '/docs/assets/..%2f..%2fpackage.json',
    '/assets/..%2f..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/__proto__',
    '/admin/trpc/__proto__',
    '/admin/trpc/constructor',
    '/admin/auth/__proto__',
    '/admin/auth/constructor',
  ])('is taken as it is, and leads nowhere: %s', async (target) => {
    const answer = await ask(target);
    expect(answer.status).toBe(404);
    expect(answer.body).toMatch(/route_not_found|not_found/);
  });
});

describe('a bomb', () => {
  const zeros = Buffer.alloc(64 * 1_048_576);
  const bombs = {
    gzip: gzipSync(zeros),
    deflate: deflateSync(zeros),
    br: brotliCompressSync(zeros, { params: { 1: 1 } }),
    zstd: zstdCompressSync(zeros),
  };
  const targets = [
    JOIN,
    '/admin/trpc/sandboxes.create',
    `/admin/import/${SANDBOX}/item`,
    '/admin/auth/sign-in/email',
  ];
  it.each(Object.entries(bombs))('of %s is refused unopened everywhere', async (coding, body) => {
    const headers = { authorization, origin: service.baseUrl, 'content-encoding': coding };
    for (const target of targets) {
      const type = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers: { ...headers, ...type }, body: new Uint8Array(body) };
      const answer = await fetch(service.baseUrl + target, init);
      // Where the limit is small, the size is the first problem.
      expect([415, 413]).toContain(answer.status);
    }
  });
});

describe('a key that stands twice', () => {
  it('counts as the last one says, to the check and to the write', async () => {
    const post = async (body: string) => {
      const headers = { authorization, 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body };
      const answer = await fetch(`${service.baseUrl}/admin/trpc/sandboxes.create`, init);
      return { status: answer.status, text: await answer.text() };
    };
    expect((await post('{"name":"first","name":"second"}')).text).toContain('"name":"second"');
    expect((await post('{"name":"first","name":7}')).status).toBe(400);
    expect((await post('{"name":"first","__proto__":{"name":7}}')).text).toContain(
      '"loc":["body","__proto__"]',
    );
  });
});

describe('the headers of every answer', () => {
  it.each([
    '/',
    '/healthz',
    '/metrics',
    '/docs',
    '/openapi.json',
    ITEMS,
    '/admin/trpc/me.get',
    '/admin/auth/get-session',
    '/nowhere',
  ])('keep browsers from guessing, framing and reading along: %s', async (path) => {
    const { headers } = await fetch(service.baseUrl + path, {
      headers: { authorization, origin: 'https://evil.example' },
    });
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect([headers.get('server'), headers.get('x-powered-by')]).toEqual([null, null]);
    if (!headers.get('content-type')?.startsWith('text/html')) return;
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|\*/);
  });
});
