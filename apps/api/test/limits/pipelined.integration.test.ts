// Requests that one client sends behind each other without waiting for answers (RFC 9112 section 9.3.2).
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BODY, ITEMS, JOIN, SANDBOX } from '../public-client.ts';
import { parseMetrics, readMetric } from '../read-metrics.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';
import { createTransferClient } from '../transfer-client.ts';
import { holdCatalogue } from './hold-tables.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  const { mutate } = createTransferClient(service);
  await mutate('sandboxes.create', { sandbox_id: SANDBOX, name: 'Pipelined' });
  await mutate('items.create', { sandbox_id: SANDBOX, name: 'Sword', item_type: 'unit' });
});
afterAll(() => service.close());

const SLOTS = 72;

/** One connection with all of these requests at once, none of whose answers is read. */
const pipeline = (requests: readonly string[]) => {
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
  socket.write(requests.map((lines) => `${lines}\r\nHost: a\r\n\r\n`).join(''));
  return socket;
};

test('answers behind an unfinished one of their connection hold no place of joins', async () => {
  const release = await holdCatalogue(service.database);
  const { authorization } = await service.headers();
  const history = `GET ${ITEMS}?name=sword HTTP/1.1\r\nAuthorization: ${authorization}`;
  // None begins before the history is answered.
  const joins = Array(SLOTS).fill(`POST ${JOIN} HTTP/1.1\r\nContent-Length: 0`);
  const sockets = [1, 2].map(() => pipeline([history, ...joins]));
  const running = () => readMetric(service, 'muster_requests_under_way{kind="history"}');
  await expect.poll(running, { timeout: 4_000 }).toBe(2);
  const statuses = await Promise.all(Array.from({ length: 8 }, joinStatus));
  // There is no such session.
  expect(new Set(statuses)).toEqual(new Set([404]));
  for (const socket of sockets) socket.destroy();
  await release();
  await expect.poll(running, { timeout: 4_000 }).toBe(0);
});

test('of a connection one request begins when the one before it is answered', async () => {
  const release = await holdCatalogue(service.database);
  const { authorization } = await service.headers();
  const history = `GET ${ITEMS}?name=sword HTTP/1.1\r\nAuthorization: ${authorization}`;
  const lines = [...Array(5).fill(history), 'GET /healthz HTTP/1.1', 'GET /nothing HTTP/1.1'];
  const socket = pipeline(lines);
  const running = () => readMetric(service, 'muster_requests_under_way{kind="history"}');
  await expect.poll(running, { timeout: 4_000 }).toBe(1);
  await delay(100);
  expect(await running()).toBe(1);
  let received = '';
  socket.on('data', (part) => {
    received += part;
  });
  await release();
  const statuses = () =>
    [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => Number(code));
  await expect.poll(statuses, { timeout: 4_000 }).toEqual([...Array(6).fill(200), 404]);
  socket.destroy();
});

test('of all connections 16 MiB of requests wait, and those of clients that leave make room', async () => {
  const release = await holdCatalogue(service.database);
  const { authorization } = await service.headers();
  const history = `GET ${ITEMS}?name=sword HTTP/1.1\r\nAuthorization: ${authorization}`;
  const probe = `GET /healthz HTTP/1.1\r\nX-Filler: ${'x'.repeat(30_000)}`;
  const refused = 'muster_requests_refused_total{kind="probe",reason="pipelined"}';
  const readRefused = () => readMetric(service, refused);
  for (let round = 1; round <= 2; round += 1) {
    const before = await readRefused();
    const sockets = Array.from({ length: 8 }, () => pipeline([history, ...Array(99).fill(probe)]));
    // Of 800 requests about 490 fit.
    await expect.poll(readRefused, { timeout: 10_000 }).toBeGreaterThanOrEqual(before + 4);
    const closed = sockets.map((socket) => once(socket, 'close'));
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
  }
  await release();
  const before = await readRefused();
  let received = '';
  const socket = pipeline(Array(50).fill(probe));
  socket.on('data', (part) => {
    received += part;
  });
  await expect.poll(() => received.split('HTTP/1.1 200').length - 1).toBe(50);
  socket.destroy();
  expect(await readRefused()).toBe(before);
});

const joinStatus = async (): Promise<number> => {
  const headers = { ...(await service.headers()), 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(BODY) };
  return (await fetch(service.baseUrl + JOIN, init)).status;
};

/** Whatever became of them. */
const countJoinsBegun = async (): Promise<number> => {
  const headers = await service.headers();
  const metrics = await (await fetch(`${service.baseUrl}/metrics`, { headers })).text();
  const { values } = parseMetrics(metrics).get('muster_http_requests_total') ?? { values: [] };
  const counts = [...values].map(([labels, count]) => (labels.includes('/session/') ? count : 0));
  return counts.reduce((sum, count) => sum + count, 0);
};

test.each([
  ['an answer that ends the connection', ''],
  ['one with a tunnel behind it', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['one with broken bytes behind it', 'no HTTP\r\n\r\n'],
])('nothing begins behind %s, and no place of joins is lost', async (_what, behind) => {
  const first =
    'GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
  const join = `POST ${JOIN} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`;
  const before = await countJoinsBegun();
  const sockets = Array.from({ length: SLOTS + 8 }, () => {
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.resume().write(first + join + behind);
    return socket;
  });
  await Promise.all(sockets.map((socket) => once(socket, 'close')));
  expect(await readMetric(service, 'muster_requests_under_way{kind="join"}')).toBe(0);
  expect(await countJoinsBegun()).toBe(before);
  // There is no such session.
  expect(await joinStatus()).toBe(404);
});

test('clients that leave in the middle of a request hold no place', async () => {
  const { authorization } = await service.headers();
  const requests = [
    `GET ${ITEMS} HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\n\r\n`,
    'GET /docs HTTP/1.1\r\nHost: a\r\n\r\n',
    `POST ${JOIN} HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\n`,
    'x'.repeat(20_000),
  ].join('');
  for (let round = 0; round < 20; round += 1) {
    const closed = Array.from({ length: 10 }, async (_, index) => {
      const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
      socket.resume().write(requests.repeat(2).slice(0, 1_000 + 2_000 * index + 97 * round));
      await delay(index % 4);
      socket.destroy();
      await once(socket, 'close');
    });
    await Promise.all(closed);
  }
  const underWay = (kind: string) =>
    readMetric(service, `muster_requests_under_way{kind="${kind}"}`);
  await expect.poll(() => underWay('join')).toBe(0);
  await expect.poll(() => underWay('history')).toBe(0);
  expect(await joinStatus()).toBe(404);
});

test('a connection with too many requests that wait is told so once, and ends', async () => {
  const release = await holdCatalogue(service.database);
  const { authorization } = await service.headers();
  const history = `GET ${ITEMS}?name=sword HTTP/1.1\r\nAuthorization: ${authorization}`;
  const socket = pipeline(Array(150).fill(history));
  let received = '';
  socket.on('data', (part) => {
    received += part;
  });
  const refused = 'muster_requests_refused_total{kind="history",reason="pipelined"}';
  await expect.poll(() => readMetric(service, refused), { timeout: 4_000 }).toBe(1);
  await release();
  await once(socket, 'close');
  const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  expect(statuses).toEqual([...Array(100).fill(200), 503]);
  const [last = ''] = received.split('HTTP/1.1 ').slice(-1);
  expect(last).toMatch(
    /^503 [\s\S]*Retry-After: [1-9][\s\S]*Connection: close[\s\S]*service_unavailable/,
  );
});

test('requests that are answered at once are answered however many come in one packet', async () => {
  const socket = pipeline(Array(90).fill('GET /healthz HTTP/1.1'));
  let received = '';
  socket.on('data', (part) => {
    received += part;
  });
  await expect.poll(() => received.split('HTTP/1.1 200').length - 1).toBe(90);
  socket.destroy();
});

test('a connection that goes on behind its refusal ends at once', async () => {
  const release = await holdCatalogue(service.database);
  const { authorization } = await service.headers();
  const history = `GET ${ITEMS}?name=sword HTTP/1.1\r\nAuthorization: ${authorization}`;
  const socket = pipeline([
    ...Array(101).fill(history),
    ...Array(1_000).fill('GET /healthz HTTP/1.1'),
  ]);
  socket.on('error', () => {});
  let received = '';
  socket.on('data', (part) => {
    received += part;
  });
  // The histories have not been read yet.
  await once(socket, 'close');
  expect(received).toBe('');
  await release();
});

test('a connection may send as many requests as it likes, one after the other', async () => {
  const { authorization } = await service.headers();
  const history = `GET ${ITEMS} HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\n\r\n`;
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
  let answers = 0;
  socket.on('data', (part) => {
    const begun = String(part).split('HTTP/1.1 200').length - 1;
    answers += begun;
    // One more for each, so that some wait at any time.
    if (answers < 40) socket.write(history.repeat(begun));
    else socket.end();
  });
  socket.write(history.repeat(4));
  await once(socket, 'close');
  expect(answers).toBeGreaterThanOrEqual(40);
});
