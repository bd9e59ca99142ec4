import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { BODY, ITEMS, JOIN, joinPath } from '../public-client.ts';
import type { SlowClient } from '../raw-client.ts';
import { openSlowClient } from '../raw-client.ts';
import { readMetric } from '../read-metrics.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';
import { holdJoins } from './hold-tables.ts';

/** As many joins run at once. */
const SLOTS = 72;

let service: TestService;
afterEach(() => service.close());

const sendJoin = async (headers: Record<string, string>, path = JOIN) => {
  const init = { method: 'POST', headers, body: JSON.stringify(BODY) };
  const response = await fetch(service.baseUrl + path, init);
  const { error_code } = (await response.json()) as { error_code: string };
  const retryAfter = Number(response.headers.get('retry-after'));
  return { status: response.status, code: error_code, retryAfter, headers: response.headers };
};

const inProgress = () => readMetric(service, 'muster_requests_in_progress{kind="join"}');
const running = () => readMetric(service, 'muster_requests_running{kind="join"}');
const waiting = () => readMetric(service, 'muster_requests_waiting{kind="join"}');
/** Joins that were rejected because they had waited too long. */
const expired = () =>
  readMetric(service, 'muster_requests_refused_total{kind="join",reason="queue_delay"}');

test('beyond the limit, joins and histories are rejected before their credential is verified, and probes and admins are served', async () => {
  service = await startTestService({ maxPublicRequests: 10 });
  const headers = await service.headers();
  const release = await holdJoins(service.database);
  const held = Array.from({ length: 10 }, () => sendJoin(headers));
  await expect.poll(inProgress).toBe(10);

  const refused = await sendJoin({ 'x-request-id': 'mine' });
  expect(refused).toMatchObject({ status: 409, code: 'service_overloaded' });
  expect(refused.retryAfter).toBeGreaterThanOrEqual(1);
  expect(refused.headers.get('x-request-id')).toBe('mine');
  expect(refused.headers.get('cache-control')).toBe('no-store');
  // Drawn anew for each response, so that the clients do not retry together.
  const rejections = await Promise.all(Array.from({ length: 199 }, () => sendJoin({})));
  const waits = new Set(rejections.map(({ retryAfter }) => retryAfter));
  expect(waits.size).toBeGreaterThan(1);
  expect([...waits].filter((seconds) => ![1, 2, 3].includes(seconds))).toEqual([]);
  const history = await fetch(service.baseUrl + ITEMS);
  expect(history.status).toBe(503);
  expect(await history.json()).toMatchObject({ error_code: 'service_unavailable' });
  expect(Number(history.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect((await fetch(`${service.baseUrl}/healthz`)).status).toBe(200);
  const admin = await fetch(`${service.baseUrl}/admin/trpc/me.get`, { headers });
  expect(admin.status).toBe(200);
  const refusals = (kind: string) =>
    readMetric(service, `muster_requests_refused_total{kind="${kind}",reason="concurrency"}`);
  expect([await refusals('join'), await refusals('history')]).toEqual([200, 1]);

  await release();
  for (const { code } of await Promise.all(held)) expect(code).toBe('platform_session_not_found');
  expect((await sendJoin(headers)).status).toBe(404);
  await expect.poll(inProgress).toBe(0);
});

describe('1,000 joins at once', () => {
  const body = JSON.stringify(BODY);
  /** Of five services, since one service may have 256 requests in progress. */
  const openThousand = async () => {
    const clients: SlowClient[] = [];
    const heads: string[] = [];
    for (let index = 0; index < 1_000; index += 1) {
      clients.push(await openSlowClient(service.baseUrl));
      const { authorization } = await service.headers({ sub: `backend ${index % 5}` });
      const lines = [
        `POST ${JOIN} HTTP/1.1`,
        'Host: a',
        `Authorization: ${authorization}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        'Connection: close',
        '',
        '',
      ];
      heads.push(lines.join('\r\n'));
    }
    const send = (textOf: (head: string) => string, from = 0, to = clients.length) => {
      for (let index = from; index < to; index += 1) {
        clients[index]?.send(textOf(heads[index] ?? ''));
      }
    };
    const readCodes = async () => {
      await Promise.all(clients.map(({ closed }) => closed));
      return clients.map(({ received }) => /"error_code":"(\w+)"/.exec(received())?.[1]);
    };
    return { send, readCodes };
  };

  /** On a machine that serves less than a thousand within the longest wait, the last of them are rejected. */
  const expectServed = (codes: (string | undefined)[]) => {
    const served = codes.filter((code) => code === 'platform_session_not_found');
    const rejected = codes.filter((code) => code === 'service_overloaded');
    expect(served.length).toBeGreaterThan(0);
    expect(served.length + rejected.length).toBe(codes.length);
  };

  test('are accepted without any setting', async () => {
    service = await startTestService();
    const { send, readCodes } = await openThousand();
    send((head) => head + body);
    expectServed(await readCodes());
    const rejected = 'muster_requests_refused_total{kind="join",reason="concurrency"}';
    expect(await readMetric(service, rejected)).toBe(0);
  });

  test('are all in progress while their bodies arrive', async () => {
    // So that the first bodies do not time out before the last requests have started.
    service = await startTestService({ env: { REQUEST_TIMEOUT_SECONDS: '60' } });
    const { send, readCodes } = await openThousand();
    const half = body.length / 2;
    // A few at a time, since a busy machine rejects requests that wait too long for their start.
    for (let sent = 0; sent < 1_000; sent += 8) {
      send((head) => head + body.slice(0, half), sent, sent + 8);
      await expect.poll(inProgress).toBe(sent + 8);
    }
    expect([await running(), await waiting()]).toEqual([0, 0]);
    send(() => body.slice(half));
    expectServed(await readCodes());
  });
});

test('a join that waits for a busy database is rejected before the joins that run time out', async () => {
  service = await startTestService();
  const headers = await service.headers();
  const release = await holdJoins(service.database);
  const held = Array.from({ length: SLOTS }, () => sendJoin(headers));
  await expect.poll(running).toBe(SLOTS);
  const late = await sendJoin(headers);
  expect(late).toMatchObject({ status: 409, code: 'service_overloaded' });
  expect(await expired()).toBe(1);
  await release();
  for (const { status } of await Promise.all(held)) expect(status).toBe(404);
  expect([await running(), await waiting()]).toEqual([0, 0]);
});

describe('one player', () => {
  const asPlayer = (sub: string) =>
    service.headers({ sub, permissions: ['session:update-player:self'] });
  const joinFor = async (player: string) =>
    sendJoin(await asPlayer(player), joinPath('abc', 'Steam', player));
  const [busy, other] = [randomUUID(), randomUUID()];
  const refusals = 'muster_requests_refused_total{kind="any",reason="caller"}';

  test('has eight requests in progress, and others join as before', async () => {
    service = await startTestService();
    const release = await holdJoins(service.database);
    const held = Array.from({ length: 8 }, () => joinFor(busy));
    await expect.poll(running).toBe(8);
    const refused = await joinFor(busy);
    expect(refused).toMatchObject({ status: 409, code: 'rate_limited', retryAfter: 1 });
    expect(await readMetric(service, refusals)).toBe(1);
    held.push(joinFor(other));
    await expect.poll(running).toBe(9);
    await release();
    for (const { status } of await Promise.all(held)) expect(status).toBe(404);
    expect((await joinFor(busy)).status).toBe(404);
    await expect.poll(running).toBe(0);
  });

  test('that disconnects has its joins in progress until they are decided', async () => {
    service = await startTestService();
    const release = await holdJoins(service.database);
    const leaving = new AbortController();
    const headers = await asPlayer(busy);
    const init = { method: 'POST', headers, body: JSON.stringify(BODY), signal: leaving.signal };
    const url = service.baseUrl + joinPath('abc', 'Steam', busy);
    const held = Array.from({ length: 8 }, () => fetch(url, init));
    await expect.poll(running).toBe(8);
    leaving.abort();
    await Promise.allSettled(held);
    await expect.poll(inProgress).toBe(0);
    expect(await running()).toBe(8);
    expect(await joinFor(busy)).toMatchObject({ status: 409, code: 'rate_limited' });
    await release();
    await expect.poll(running).toBe(0);
    expect((await joinFor(busy)).status).toBe(404);
    const outcomes = 'muster_join_outcomes_total{outcome="platform_session_not_found"}';
    expect(await readMetric(service, outcomes)).toBe(8 + 1);
  });

  test('that disconnects while its bodies arrive has no request in progress', async () => {
    service = await startTestService();
    const { authorization } = await asPlayer(busy);
    const lines = [
      `POST ${joinPath('abc', 'Steam', busy)} HTTP/1.1`,
      'Host: a',
      `Authorization: ${authorization}`,
      'Content-Type: application/json',
      'Content-Length: 100',
      '',
      '{',
    ];
    const hung = await Promise.all(
      Array.from({ length: 8 }, () => openSlowClient(service.baseUrl)),
    );
    for (const client of hung) client.send(lines.join('\r\n'));
    await expect.poll(async () => (await joinFor(busy)).code).toBe('rate_limited');
    for (const client of hung) client.destroy();
    await expect.poll(async () => (await joinFor(busy)).code).toBe('platform_session_not_found');
    expect(await inProgress()).toBe(0);
  });
});

test('a join whose client disconnects while it waits is not made', async () => {
  service = await startTestService();
  const headers = await service.headers();
  const release = await holdJoins(service.database);
  const held = Array.from({ length: SLOTS }, () => sendJoin(headers));
  await expect.poll(running).toBe(SLOTS);
  const leaving = new AbortController();
  const init = { method: 'POST', headers, body: JSON.stringify(BODY), signal: leaving.signal };
  const left = Array.from({ length: 20 }, () => fetch(service.baseUrl + JOIN, init));
  // On a busy machine, some have waited too long already, and are rejected.
  await expect
    .poll(async () => (await inProgress()) + (await expired()))
    .toBeGreaterThanOrEqual(SLOTS + 20);
  leaving.abort();
  await Promise.allSettled(left);
  await expect.poll(waiting).toBe(0);
  await release();
  for (const { status } of await Promise.all(held)) expect(status).toBe(404);
  const outcomes = 'muster_join_outcomes_total{outcome="platform_session_not_found"}';
  expect(await readMetric(service, outcomes)).toBe(SLOTS);
});
