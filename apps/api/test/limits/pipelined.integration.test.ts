// Requests that one client sends behind each other without waiting for responses (RFC 9112 section 9.3.2).
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BODY, ITEMS, JOIN, SANDBOX } from '../public-client.ts';
import { parseMetrics, readMetric } from '../read-metrics.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';
import { createTransferClient } from '../transfer-client.ts';
import { holdCatalogue, holdJoins } from './hold-tables.ts';

let service: TestService;
let authorization: string;
beforeAll(async () => {
  service = await startTestService();
  ({ authorization = '' } = await service.headers());
  const { mutate } = createTransferClient(service);
  await mutate('sandboxes.create', { sandbox_id: SANDBOX, name: 'Pipelined' });
  await mutate('items.create', { sandbox_id: SANDBOX, name: 'Sword', item_type: 'unit' });
});
afterAll(() => service.close());

const SLOTS = 72;
const BODY_TEXT = JSON.stringify(BODY);

/** One connection, and the text that it has received. */
const open = () => {
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
  socket.on('error', () => {});
  let text = '';
  socket.on('data', (part) => {
    text += part;
  });
  return {
    socket,
    closed: new Promise((resolve) => socket.once('close', resolve)),
    received: () => text,
    statuses: () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)),
    ids: () => [...text.matchAll(/X-Request-Id: (\d+)\r/gi)].map(([, id]) => Number(id)),
  };
};
const pipeline = (requests: readonly string[]) => {
  const client = open();
  client.socket.write(requests.join(''));
  return client;
};

const PROBE = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
const history = () =>
  `GET ${ITEMS}?name=sword HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\n\r\n`;
const join = (id: number) => {
  const lines = [
    `POST ${JOIN} HTTP/1.1`,
    'Host: a',
    `X-Request-Id: ${id}`,
    `Authorization: ${authorization}`,
    'Content-Type: application/json',
    `Content-Length: ${BODY_TEXT.length}`,
    '',
    BODY_TEXT,
  ];
  return lines.join('\r\n');
};

const inProgress = (kind: string) =>
  readMetric(service, `muster_requests_in_progress{kind="${kind}"}`);
const running = (kind: string) => readMetric(service, `muster_requests_running{kind="${kind}"}`);

const joinStatus = async (): Promise<number> => {
  const init = { method: 'POST', headers: await service.headers(), body: BODY_TEXT };
  return (await fetch(service.baseUrl + JOIN, init)).status;
};

test('requests behind an unfinished one of their connection hold no slot', async () => {
  const release = await holdCatalogue(service.database);
  const joins = Array.from({ length: SLOTS }, (_, id) => join(id));
  const clients = [1, 2].map(() => pipeline([history(), ...joins]));
  await expect.poll(() => running('history')).toBe(2);
  const statuses = await Promise.all(Array.from({ length: 8 }, joinStatus));
  // There is no such session.
  expect(new Set(statuses)).toEqual(new Set([404]));
  expect([await inProgress('join'), await running('history')]).toEqual([0, 2]);
  for (const { socket } of clients) socket.destroy();
  await release();
  await expect.poll(() => running('history')).toBe(0);
});

test('a client that pipelines joins holds one slot', async () => {
  const release = await holdJoins(service.database);
  const client = pipeline(Array.from({ length: 50 }, (_, id) => join(id)));
  await expect.poll(() => running('join')).toBe(1);
  // By now everything of the packet has been read.
  expect(await Promise.all([1, 2, 3].map(() => running('join')))).toEqual([1, 1, 1]);
  expect(await inProgress('join')).toBe(1);
  await release();
  await expect.poll(client.statuses).toEqual(Array(50).fill(404));
  client.socket.destroy();
});

test('responses come in the order of the requests', async () => {
  const release = await holdCatalogue(service.database);
  const client = pipeline([
    history(),
    PROBE,
    join(1),
    'GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n',
    history(),
    join(2),
    PROBE,
  ]);
  await expect.poll(() => running('history')).toBe(1);
  expect(client.received()).toBe('');
  await release();
  await expect.poll(client.statuses).toEqual([200, 200, 404, 404, 200, 404, 200]);
  expect(client.ids()).toEqual([1, 2]);
  client.socket.destroy();
});

test('120 joins of one connection are all served, in order', async () => {
  const client = open();
  let sent = 0;
  const sendMore = () => {
    for (; sent < 120 && sent < client.ids().length + 20; sent += 1) {
      client.socket.write(join(sent));
    }
  };
  client.socket.on('data', sendMore);
  sendMore();
  await expect.poll(client.statuses).toEqual(Array(120).fill(404));
  expect(client.ids()).toEqual(Array.from({ length: 120 }, (_, id) => id));
  client.socket.destroy();
});

test('400 joins in one packet are served in order, or the connection ends', async () => {
  const count = 400;
  const client = pipeline(Array.from({ length: count }, (_, id) => join(id)));
  const isOver = () => client.socket.closed || client.ids().length === count;
  await expect.poll(isOver).toBe(true);
  expect(client.ids()).toEqual(client.ids().map((_, index) => index));
  client.socket.destroy();
  await expect.poll(() => inProgress('join')).toBe(0);
  expect(await joinStatus()).toBe(404);
});

test('a connection with more than a hundred requests that wait ends at once', async () => {
  const release = await holdCatalogue(service.database);
  const refused = 'muster_requests_refused_total{kind="probe",reason="pipelined"}';
  const client = pipeline([history(), ...Array(300).fill(PROBE)]);
  // The history has not been read yet.
  await client.closed;
  expect(client.received()).toBe('');
  expect(await readMetric(service, refused)).toBeGreaterThanOrEqual(1);
  await release();
  await expect.poll(() => running('history')).toBe(0);
});

test('ninety requests in one packet are answered', async () => {
  const client = pipeline(Array(90).fill(PROBE));
  await expect.poll(client.statuses).toEqual(Array(90).fill(200));
  client.socket.destroy();
});

test('a connection may send as many requests as it likes, one after another', async () => {
  const client = pipeline(Array(4).fill(history()));
  let answered = 0;
  client.socket.on('data', () => {
    const more = client.statuses().length - answered;
    answered += more;
    // One more for each, so that some wait at any time.
    if (answered < 40) client.socket.write(history().repeat(more));
    else client.socket.end();
  });
  await client.closed;
  expect(client.statuses().length).toBeGreaterThanOrEqual(40);
  expect(new Set(client.statuses())).toEqual(new Set([200]));
});

/** Whatever became of them. */
const countJoinsBegun = async (): Promise<number> => {
  const headers = await service.headers();
  const metrics = await (await fetch(`${service.baseUrl}/metrics`, { headers })).text();
  const { values } = parseMetrics(metrics).get('muster_http_requests_total') ?? { values: [] };
  const counts = [...values].map(([labels, count]) => (labels.includes('/session/') ? count : 0));
  return counts.reduce((sum, count) => sum + count, 0);
};

test.each([
  ['a response that ends the connection', ''],
  ['one with a tunnel behind it', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['one with broken bytes behind it', 'no HTTP\r\n\r\n'],
])('nothing starts behind %s, and no slot is lost', async (_what, behind) => {
  const first =
    'GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
  const before = await countJoinsBegun();
  const clients = Array.from({ length: SLOTS + 8 }, (_, id) => pipeline([first, join(id), behind]));
  await Promise.all(clients.map(({ closed }) => closed));
  expect([await inProgress('join'), await running('join')]).toEqual([0, 0]);
  expect(await countJoinsBegun()).toBe(before);
  expect(await joinStatus()).toBe(404);
});

test('clients that disconnect in the middle of a request hold no slot', async () => {
  const requests = [
    history(),
    'GET /docs HTTP/1.1\r\nHost: a\r\n\r\n',
    `POST ${JOIN} HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nContent-Length: 20000\r\n\r\n`,
    'x'.repeat(20_000),
  ].join('');
  /** After the bytes have left, and some rounds of the event loop later. */
  const leave = async (socket: Socket, bytes: string, rounds: number) => {
    await new Promise((resolve) => socket.write(bytes, resolve));
    for (let round = 0; round < rounds; round += 1) await setImmediate();
    socket.destroy();
  };
  for (let round = 0; round < 20; round += 1) {
    const closed = Array.from({ length: 10 }, async (_, index) => {
      const client = open();
      const bytes = requests.repeat(2).slice(0, 1_000 + 2_000 * index + 97 * round);
      await leave(client.socket, bytes, 5 * (index % 4));
      await client.closed;
    });
    await Promise.all(closed);
  }
  const counts = async () => [
    await inProgress('join'),
    await inProgress('history'),
    await running('join'),
    await running('history'),
  ];
  await expect.poll(counts).toEqual([0, 0, 0, 0]);
  expect(await joinStatus()).toBe(404);
});
