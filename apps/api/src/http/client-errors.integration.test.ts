import { once } from 'node:events';
import { connect } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSlowClient, sendRaw } from '../../test/raw-client.ts';
import { readMetric } from '../../test/read-metrics.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import { createHttpServer } from './server.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const send = (lines: string[], body = '') =>
  sendRaw(service.baseUrl, `${lines.join('\r\n')}\r\n\r\n${body}`);

describe('bytes that are no request', () => {
  it.each([
    [
      'a header section over 32 KiB',
      ['GET /healthz HTTP/1.1', 'Host: a', `X: ${'x'.repeat(33_000)}`],
      431,
    ],
    [
      'more than 1,000 headers',
      ['GET /healthz HTTP/1.1', 'Host: a', ...Array<string>(1_000).fill('X: x')],
      431,
    ],
    ['a request line over 32 KiB', [`GET /${'x'.repeat(33_000)} HTTP/1.1`, 'Host: a'], 431],
    ['no HTTP', ['hello'], 400],
    ['an unknown version', ['GET / HTTP/9.9', 'Host: a'], 400],
    ['a header without a colon', ['GET /healthz HTTP/1.1', 'Host: a', 'nonsense'], 400],
    ['two lengths', ['POST / HTTP/1.1', 'Host: a', 'Content-Length: 1', 'Content-Length: 2'], 400],
    [
      'a length and chunks',
      ['POST / HTTP/1.1', 'Host: a', 'Content-Length: 1', 'Transfer-Encoding: chunked'],
      400,
    ],
    ['no Host', ['GET /healthz HTTP/1.1'], 400],
  ])('answers %s with JSON and a request id', async (_, lines, status) => {
    const answer = await send(lines);
    expect(answer.status).toBe(status);
    const codes: Record<number, string> = { 400: 'request_malformed', 431: 'headers_too_large' };
    expect(JSON.parse(answer.body)).toMatchObject({
      auth_success: true,
      error_code: codes[status],
    });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('accepts 32,000 bytes of headers', async () => {
    const answer = await send(['GET /healthz HTTP/1.1', 'Host: a', `X: ${'x'.repeat(31_900)}`]);
    expect(answer.status).toBe(200);
  });

  it('answers HTTP/1.0 without Host, and ignores an unknown expectation', async () => {
    expect((await send(['GET /healthz HTTP/1.0'])).status).toBe(200);
    const expecting = ['GET /healthz HTTP/1.1', 'Host: a', 'Expect: a miracle'];
    expect((await send(expecting)).status).toBe(200);
  });

  it('answers HTTP/1.0 with Transfer-Encoding once, and closes the connection', async () => {
    const smuggled = '0\r\n\r\nGET /healthz HTTP/1.0\r\n\r\n';
    const lines = ['Connection: keep-alive', 'Transfer-Encoding: chunked'];
    for (const line of ['POST /nowhere HTTP/1.0', 'GET /healthz HTTP/1.0']) {
      const bytes = `${[line, ...lines].join('\r\n')}\r\n\r\n${smuggled}`;
      // Everything until the service ends the connection.
      const answer = await sendRaw(service.baseUrl, bytes, /$^/);
      expect([answer.status, answer.headers.get('connection')]).toEqual([400, 'close']);
      expect(answer.text.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
    }
  });

  it('refuses broken chunks of a body that is being read', async () => {
    const token = await service.signToken();
    const answer = await send(
      [
        'POST /session/v1/platform/Steam/platform-session/a/player/7d2f3c1a-5b64-4e0f-9a8d-2c6e1f4b9a70 HTTP/1.1',
        'Host: a',
        `Authorization: Bearer ${token}`,
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
      ],
      '2\r\n{}\r\nzz\r\n',
    );
    expect(answer.status).toBe(400);
  });
});

describe('a client that never closes its side', () => {
  it.each([
    ['bytes that are no HTTP', 'hello\r\n\r\n'],
    ['a request for a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n'],
  ])(
    'loses its connection behind the answer to %s',
    async (_, bytes) => {
      const sockets = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const { port } = new URL(service.baseUrl);
          const socket = connect({ host: '127.0.0.1', port: Number(port), allowHalfOpen: true });
          socket.resume().write(bytes);
          await once(socket, 'end');
          return socket;
        }),
      );
      // The request for the metrics has a connection of its own.
      await expect
        .poll(() => readMetric(service, 'muster_connections'), { timeout: 30_000 })
        .toBeLessThan(sockets.length);
      for (const socket of sockets) socket.destroy();
    },
    40_000,
  );

  it('ends no process with a request for a tunnel behind a response that ends the connection', async () => {
    const last = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    for (const isReset of [false, true]) {
      const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.baseUrl).port) });
      const closed = once(socket, 'close');
      socket.resume().write(`${last}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`, () => {
        if (isReset) socket.resetAndDestroy();
      });
      await closed;
    }
    expect((await send(['GET /healthz HTTP/1.1', 'Host: a'])).status).toBe(200);
  });

  it('cannot keep a service from stopping', async () => {
    const limits = { maxConnections: 10, requestTimeoutMs: 5_000, transferTimeoutMs: 5_000 };
    const server = createHttpServer(express(), { limits, graceMs: 0 });
    const port = await server.listen('127.0.0.1', 0);
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    socket.resume().write('CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n');
    await once(socket, 'end');
    await server.stop();
    socket.destroy();
  });
});

it('a request that has not come whole is answered before a stopping service ends its connection', async () => {
  const app = express();
  const come = new Promise<void>((resolve) => {
    app.use(() => resolve());
  });
  const limits = { maxConnections: 10, requestTimeoutMs: 5_000, transferTimeoutMs: 5_000 };
  const server = createHttpServer(app, { limits, graceMs: 400 });
  const port = await server.listen('127.0.0.1', 0);
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{';
  const client = await openSlowClient(`http://127.0.0.1:${port}`);
  client.send(head);
  await come;
  await server.stop();
  await client.closed;
  expect(client.received()).toMatch(/^HTTP\/1.1 408 [\s\S]*request_timeout/);
});

describe('request ids', () => {
  const idOf = async (id: string) => {
    const response = await fetch(`${service.baseUrl}/nowhere`, { headers: { 'x-request-id': id } });
    return response.headers.get('x-request-id');
  };

  it('echoes a harmless one, on errors too', async () => {
    const longest = 'a.Z_0-'.padEnd(128, 'x');
    expect(await idOf(longest)).toBe(longest);
  });

  it.each(['', 'a b', 'x'.repeat(129), 'é', 'a"b'])('replaces %j by a new one', async (id) => {
    expect(await idOf(id)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f-]{17}$/);
  });
});
