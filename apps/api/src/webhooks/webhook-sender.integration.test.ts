// One request to a receiver: its signature, its limits, and the addresses that it never reaches.
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test } from 'vitest';
import { makeSecret } from './webhook-secrets.ts';
import type { WebhookMessage } from './webhook-sender.ts';
import { createWebhookSender } from './webhook-sender.ts';

type Received = { headers: IncomingMessage['headers']; body: string };

const servers: (() => void)[] = [];
afterEach(() => {
  for (const close of servers.splice(0)) close();
});

/** A receiver on this machine. */
const receive = async (answer: RequestListener) => {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, received };
};

const secret = makeSecret();
const message = (url: string, fields: Partial<WebhookMessage> = {}): WebhookMessage => ({
  url,
  id: 'id-of-test',
  secrets: [secret],
  body: '{"type":"test"}',
  ...fields,
});

const HERE = [{ address: '127.0.0.1', family: 4 as const }];
/** Sends to this machine as if its address were public. */
const toHere = { allowPrivate: false, isPublic: () => true, resolve: async () => HERE };

describe('a request', () => {
  test('is signed with each secret', async () => {
    const { port, received } = await receive((_, response) => response.end('thanks'));
    const other = makeSecret();
    const send = createWebhookSender(toHere);
    const secrets = [secret, other];
    const attempt = await send(message(`http://hooks.test:${port}/`, { secrets }));
    expect(attempt).toMatchObject({ statusCode: 200, response: 'thanks' });
    const [{ headers, body } = { headers: {}, body: '' }] = received;
    for (const each of secrets) {
      expect(new Webhook(each).verify(body, headers as Record<string, string>)).toEqual({
        type: 'test',
      });
    }
    expect(headers.host).toBe(`hooks.test:${port}`);
  });

  test('follows no redirect', async () => {
    const target = await receive((_, response) => response.end());
    const { port } = await receive((_, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${target.port}/` }).end();
    });
    const attempt = await createWebhookSender(toHere)(message(`http://hooks.test:${port}/`));
    expect(attempt.statusCode).toBe(307);
    expect(target.received).toEqual([]);
  });

  test('keeps a KiB of a response that never ends', async () => {
    const { port } = await receive((_, response) => {
      const write = () => {
        while (response.write('x\u0000'.repeat(4_096)));
      };
      response.on('drain', write);
      write();
    });
    const attempt = await createWebhookSender(toHere)(message(`http://hooks.test:${port}/`));
    expect(attempt.response).toBe('x\ufffd'.repeat(512));
  });

  test('fails when the receiver asks for another protocol', async () => {
    const { port } = await receive((_, response) => {
      response.socket?.end('HTTP/1.1 101 x\r\nConnection: Upgrade\r\nUpgrade: y\r\n\r\n');
    });
    const attempt = await createWebhookSender(toHere)(message(`http://hooks.test:${port}/`));
    expect(attempt.statusCode).toBeUndefined();
    expect(attempt.error).toBeDefined();
  });

  test('ends at its deadline when the receiver sends nothing', async () => {
    const { port } = await receive(() => {});
    const send = createWebhookSender({ ...toHere, deadlineMs: 2_000 });
    const attempt = await send(message(`http://hooks.test:${port}/`));
    expect(attempt.statusCode).toBeUndefined();
    expect(attempt.error).toBe('The response took longer than 2 seconds.');
  });

  test('ends at its deadline when the name server does not respond', async () => {
    const resolve = () => new Promise<never>(() => {});
    const send = createWebhookSender({ ...toHere, resolve, deadlineMs: 2_000 });
    expect((await send(message('https://hooks.test/'))).error).toMatch('longer than 2 seconds');
  });

  test('reads the pause that the receiver asks for', async () => {
    const { port } = await receive((_, response) => {
      response.writeHead(503, { 'retry-after': '120' }).end();
    });
    const attempt = await createWebhookSender(toHere)(message(`http://hooks.test:${port}/`));
    expect(attempt).toMatchObject({ statusCode: 503, retryAfterMs: 120_000 });
  });
});

describe('an internal service', () => {
  const REFUSED = 'The host has an address that webhooks are not sent to.';
  const answers = (...addresses: string[]) =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }) as const);

  test.each([
    ['a private address', answers('10.0.0.1')],
    ['an IPv4 address that is written as IPv6', answers('::ffff:127.0.0.1')],
    ['the metadata address', answers('169.254.169.254')],
    ['a private address after a public one', answers('93.184.216.34', '127.0.0.1')],
  ])('gets no request through a name with %s', async (_, found) => {
    const send = createWebhookSender({ allowPrivate: false, resolve: async () => found });
    const { error, response } = await send(message('https://hooks.test/'));
    expect(error).toBe(REFUSED);
    expect(response).toBeUndefined();
  });

  test.each([
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '::1',
    '::',
    'fe80::1',
    'fd00:ec2::254',
    '0.0.0.0',
    '100.64.0.1',
    '168.63.129.16',
  ])('gets no request at %s', async (address) => {
    const send = createWebhookSender({
      allowPrivate: false,
      resolve: async () => answers(address),
    });
    expect((await send(message('https://hooks.test/'))).error).toBe(REFUSED);
  });

  test('gets no request through a URL with its address', async () => {
    const { port, received } = await receive((_, response) => response.end('internal'));
    const send = createWebhookSender({ allowPrivate: false });
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]']) {
      expect((await send(message(`http://${host}:${port}/`))).error).toBe(REFUSED);
    }
    expect(received).toEqual([]);
  });

  test('gets no request when the name has another address at the connection', async () => {
    const { port, received } = await receive((_, response) => response.end('internal'));
    const resolved: string[] = [];
    // The first answer is public: the one of a second question would be this machine.
    const resolve = async (host: string) => {
      resolved.push(host);
      return resolved.length === 1 ? answers('192.0.2.1') : HERE;
    };
    const isPublic = (address: string) => address === '192.0.2.1';
    const send = createWebhookSender({ ...toHere, isPublic, resolve, deadlineMs: 2_000 });
    await send(message(`https://hooks.test:${port}/`));
    expect(resolved).toEqual(['hooks.test']);
    expect(received).toEqual([]);
  });

  test('gets no request when the connection has an address that is not permitted', async () => {
    const { port, received } = await receive((_, response) => response.end('internal'));
    const asked: string[] = [];
    const isPublic = (address: string) => asked.push(address) === 1;
    const send = createWebhookSender({ ...toHere, isPublic });
    expect((await send(message(`https://hooks.test:${port}/`))).error).toBe(REFUSED);
    expect(received).toEqual([]);
  });

  test('has no response stored where private addresses are permitted', async () => {
    const { port, received } = await receive((_, response) => response.end('internal'));
    const send = createWebhookSender({ allowPrivate: true });
    const attempt = await send(message(`http://127.0.0.1:${port}/`));
    expect(attempt.statusCode).toBe(200);
    expect(attempt.response).toBeUndefined();
    expect(received).toHaveLength(1);
  });
});
