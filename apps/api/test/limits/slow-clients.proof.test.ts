import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAdminCaller } from '../admin-caller.ts';
import { ITEMS, JOIN, joinPath } from '../public-client.ts';
import type { SlowClient } from '../raw-client.ts';
import { openSlowClient } from '../raw-client.ts';
import { readMetric } from '../read-metrics.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';

const MIB = 1_048_576;
const HOST = 'Host: a\r\n';
const CREATE = '/admin/trpc/items.create';

describe('a client that sends too slowly', () => {
  let service: TestService;
  let authorization: string;
  beforeAll(async () => {
    service = await startTestService({
      env: { REQUEST_TIMEOUT_SECONDS: '2', TRANSFER_TIMEOUT_SECONDS: '4' },
    });
    authorization = `Authorization: Bearer ${await service.signToken()}`;
  });
  afterAll(() => service.close());

  /** Sends one more byte every so often, until the connection ends. */
  const dribble = async (client: SlowClient, byte: string): Promise<void> => {
    const timer = setInterval(() => client.send(byte), 50);
    await client.closed;
    clearInterval(timer);
  };
  const TIMED_OUT = /^HTTP\/1.1 408 [\s\S]*request_timeout/;

  test('gets 408 when its headers never end', async () => {
    const client = await openSlowClient(service.baseUrl);
    client.send(`GET /healthz HTTP/1.1\r\n${HOST}X: `);
    await dribble(client, 'x');
    expect(client.received()).toMatch(TIMED_OUT);
  });

  test('gets 408 when the body of its join never ends, and holds nothing any longer', async () => {
    const client = await openSlowClient(service.baseUrl);
    const head = `POST ${JOIN} HTTP/1.1\r\n${HOST}${authorization}\r\nContent-Type: application/json`;
    client.send(`${head}\r\nContent-Length: 10000\r\n\r\n{`);
    await dribble(client, ' ');
    expect(client.received()).toMatch(TIMED_OUT);
    expect(await readMetric(service, 'muster_requests_cut_total{reason="slow_body"}')).toBe(1);
    const inProgress = () => readMetric(service, 'muster_requests_in_progress{kind="join"}');
    await expect.poll(inProgress).toBe(0);
    await expect.poll(() => readMetric(service, 'muster_body_bytes')).toBe(0);
  });

  test('gets 408 when another request never ends', async () => {
    const client = await openSlowClient(service.baseUrl);
    const head = `POST ${CREATE} HTTP/1.1\r\n${HOST}${authorization}\r\nContent-Type: application/json`;
    client.send(`${head}\r\nContent-Length: 10000\r\n\r\n{`);
    await dribble(client, ' ');
    expect(client.received()).toMatch(TIMED_OUT);
  });
});

describe('the memory for bodies', () => {
  let service: TestService;
  let authorization: string;
  let headers: Record<string, string>;
  beforeAll(async () => {
    service = await startTestService({ env: { BUFFER_MEMORY_MB: '32' } });
    authorization = `Authorization: Bearer ${await service.signToken()}`;
    headers = await service.headers();
  });
  afterAll(() => service.close());

  const bodyBytes = () => readMetric(service, 'muster_body_bytes');
  const connections = () => readMetric(service, 'muster_connections');
  const post = (path: string, length: number) =>
    fetch(service.baseUrl + path, { method: 'POST', headers, body: 'x'.repeat(length) });

  /** Three bodies of this size leave a few hundred KiB of what bodies of the admin API may take. */
  const PART = 'x'.repeat(7.9 * MIB);

  test.each([
    ['with a length', `Content-Length: ${8 * MIB}\r\n\r\n${PART}`],
    ['in chunks', `Transfer-Encoding: chunked\r\n\r\n${PART.length.toString(16)}\r\n${PART}`],
  ])(
    'is bounded for bodies that arrive %s: no large one finds room, and small ones do',
    async (_, rest) => {
      const clients = await Promise.all([1, 2, 3].map(() => openSlowClient(service.baseUrl)));
      const head = `POST ${CREATE} HTTP/1.1\r\n${HOST}${authorization}\r\nContent-Type: application/json`;
      for (const client of clients) client.send(`${head}\r\n${rest}`);
      await expect.poll(bodyBytes).toBe(3 * PART.length);
      const refused = await post(CREATE, MIB);
      expect(refused.status).toBe(503);
      expect(refused.headers.has('retry-after')).toBe(true);
      expect((await post(joinPath('other'), 100_000)).status).toBe(422);
      expect((await post(CREATE, 1_000)).status).toBe(400);
      for (const client of clients) client.destroy();
      await expect.poll(bodyBytes).toBe(0);
      expect((await post(CREATE, MIB)).status).toBe(400);
    },
  );

  /** Opens clients that announce a body without its length. */
  const announce = async (count: number, path: string, ...lines: string[]) => {
    const clients = await Promise.all(
      Array.from({ length: count }, () => openSlowClient(service.baseUrl)),
    );
    const method = path.startsWith(ITEMS) ? 'GET' : 'POST';
    const head = [
      `${method} ${path} HTTP/1.1`,
      ...lines,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      '',
      '',
    ];
    for (const client of clients) client.send(head.join('\r\n'));
    return clients;
  };

  test.each([
    ['the admin API', CREATE, ['Host: a']],
    ['sign-in', '/admin/auth/sign-in/email', ['Host: a', 'Origin: http://a']],
  ])('is not taken by strangers who announce bodies to %s', async (_, path, lines) => {
    const clients = await announce(20, path, ...lines);
    await expect.poll(connections).toBeGreaterThanOrEqual(20);
    expect(await bodyBytes()).toBe(0);
    expect((await post(CREATE, MIB)).status).toBe(400);
    for (const client of clients) client.destroy();
    await expect.poll(connections).toBeLessThan(20);
  });

  test.each([
    ['that do not arrive', JOIN, true],
    ['that are empty and refused', `${JOIN}?q=${'x'.repeat(7_000)}`, false],
    ['of a history', `${ITEMS}?q=${'x'.repeat(7_000)}`, false],
  ])('is not taken by many bodies %s', async (_, path, isSlow) => {
    const lines = isSlow ? ['Host: a', authorization] : ['Host: a'];
    const clients = await announce(40, path, ...lines);
    for (const client of clients) client.send(isSlow ? '1\r\n{' : '0\r\n\r\n');
    expect((await post(joinPath('other'), 20_000)).status).toBe(422);
    expect(await bodyBytes()).toBeLessThanOrEqual(40);
    for (const client of clients) client.destroy();
    await expect.poll(bodyBytes).toBe(0);
  });
});

describe('clients that do not read', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      env: { BUFFER_MEMORY_MB: '32', TRANSFER_TIMEOUT_SECONDS: '20' },
    });
  });
  afterAll(() => service.close());

  /** A sandbox with Items as large as the contract allows; a page of them has some megabytes. */
  const writeWideItems = async (): Promise<string> => {
    const admin = createAdminCaller(service.baseUrl, {
      authorization: `Bearer ${await service.signToken()}`,
    });
    const { data } = await admin.mutate<{ sandbox_id: string }>('sandboxes.create', {
      name: 'Wide',
    });
    const tags = Array.from({ length: 100 }, (_, index) => `${index} ${'𝄞'.repeat(124)}`);
    for (let first = 0; first < 100; first += 10) {
      const operations = Array.from({ length: 10 }, (_, index) => ({
        operation: 'create',
        name: `wide ${first + index}`,
        item_type: 'unit',
        tags,
      }));
      const written = await admin.mutate('items.bulk', { sandbox_id: data.sandbox_id, operations });
      expect(written.status).toBe(200);
    }
    return data.sandbox_id;
  };

  const unread = () => readMetric(service, 'muster_unread_response_bytes');
  const cut = () => readMetric(service, 'muster_requests_cut_total{reason="slow_reader"}');

  test('cannot fill the memory, and are disconnected', async () => {
    const sandboxId = await writeWideItems();
    const path = `/v1/history/sandbox/${sandboxId}/item/?page_size=1000`;
    const authorization = `Authorization: Bearer ${await service.signToken()}`;
    let highest = 0;
    const look = async () => {
      highest = Math.max(highest, await unread());
      return cut();
    };
    const idle: SlowClient[] = [];
    // One after another: each adds what its reader does not take, until one is disconnected.
    while (idle.length < 24 && (await look()) === 0) {
      const before = await unread();
      const client = await openSlowClient(service.baseUrl, false);
      idle.push(client);
      client.send(`GET ${path} HTTP/1.1\r\n${HOST}${authorization}\r\n\r\n`);
      await expect.poll(async () => (await look()) > 0 || (await unread()) > before).toBe(true);
    }
    await expect.poll(look, { timeout: 40_000 }).toBeGreaterThanOrEqual(1);
    expect(highest).toBeGreaterThan(4 * MIB);
    // A page that was being read when the limit was reached comes on top.
    expect(highest).toBeLessThan((16 + 2 * 5) * MIB);
    await expect.poll(unread).toBeLessThanOrEqual(16 * MIB);

    const headers = await service.headers();
    const read = async () => {
      const response = await fetch(service.baseUrl + path, { headers });
      await response.arrayBuffer();
      return response.status;
    };
    await expect.poll(read).toBe(200);
    for (const client of idle) client.destroy();
    await expect.poll(unread).toBe(0);
  });
});
