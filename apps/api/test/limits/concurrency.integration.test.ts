import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { BODY, ITEMS, JOIN, joinPath } from '../public-client.ts';
import type { SlowClient } from '../raw-client.ts';
import { openSlowClient } from '../raw-client.ts';
import { readMetric } from '../read-metrics.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';
import { holdJoins } from './hold-tables.ts';

/** As many joins are worked on, the rest wait. */
const AT_ONCE = 72;

let service: TestService;
afterEach(() => service.close());

const sendJoin = async (headers: Record<string, string>, path = JOIN) => {
  const response = await fetch(service.baseUrl + path, {
    ...{ method: 'POST', headers, body: JSON.stringify(BODY) },
  });
  const { error_code } = (await response.json()) as { error_code: string };
  const retryAfter = Number(response.headers.get('retry-after'));
  return { status: response.status, code: error_code, retryAfter, headers: response.headers };
};

const underWay = () => readMetric(service, 'muster_requests_under_way{kind="join"}');

test('beyond the limit, joins and histories are refused before a credential is looked at, and probes and admins are not', async () => {
  service = await startTestService({ env: { MAX_CONCURRENT_REQUESTS: '10' } });
  const headers = await service.headers();
  const release = await holdJoins(service.database);
  const held = Array.from({ length: 10 }, () => sendJoin(headers));
  await expect.poll(underWay).toBe(10);

  const refused = await sendJoin({ 'x-request-id': 'mine' });
  expect(refused).toMatchObject({ status: 409, code: 'service_overloaded' });
  expect(refused.retryAfter).toBeGreaterThanOrEqual(1);
  expect(refused.headers.get('x-request-id')).toBe('mine');
  expect(refused.headers.get('cache-control')).toBe('no-store');
  // Drawn anew for each, so that they do not come back together.
  const waits = new Set<number>();
  for (let count = 1; count < 200; count += 1) waits.add((await sendJoin({})).retryAfter);
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
  expect(await underWay()).toBe(0);
});

describe('1,000 joins at once, without any setting', () => {
  const body = JSON.stringify(BODY);
  const openThousand = async () => {
    const clients: SlowClient[] = [];
    for (let index = 0; index < 1_000; index += 1)
      clients.push(await openSlowClient(service.baseUrl));
    const lines = [
      ...[`POST ${JOIN} HTTP/1.1`, 'Host: a', `Authorization: Bearer ${await service.signToken()}`],
      ...['Content-Type: application/json', `Content-Length: ${body.length}`, 'Connection: close'],
    ];
    const readCodes = async () => {
      await Promise.all(clients.map(({ closed }) => closed));
      return clients.map(({ received }) => /"error_code":"(\w+)"/.exec(received())?.[1]);
    };
    return { clients, head: `${lines.join('\r\n')}\r\n\r\n`, readCodes };
  };
  const isServed = (code: string | undefined) => code === 'platform_session_not_found';
  const crowdedOut = 'muster_requests_refused_total{kind="join",reason="concurrency"}';

  test('find a place', async () => {
    service = await startTestService();
    const { clients, head, readCodes } = await openThousand();
    for (const client of clients) client.send(head + body);
    const codes = await readCodes();
    // On a machine that does less than a thousand in a moment, the last of them are told to come back.
    expect(codes.filter((code) => !isServed(code) && code !== 'service_overloaded')).toEqual([]);
    expect(codes.filter(isServed).length).toBeGreaterThanOrEqual(AT_ONCE);
    expect(await readMetric(service, crowdedOut)).toBe(0);
  });

  test('are all present while their bodies are on the way, and all are served', async () => {
    service = await startTestService();
    const { clients, head, readCodes } = await openThousand();
    const half = body.length / 2;
    // Those whose bodies are late make room for as many as begin at once; more would wait too long.
    for (const [index, client] of clients.entries()) {
      if (index % AT_ONCE === 0) await expect.poll(underWay, { timeout: 5_000 }).toBe(index);
      client.send(head + body.slice(0, half));
    }
    await expect.poll(underWay, { timeout: 5_000 }).toBe(1_000);
    for (const client of clients) client.send(body.slice(half));
    expect((await readCodes()).filter((code) => !isServed(code))).toEqual([]);
  });
});

test('who waits for a database that is busy is told within a second', async () => {
  service = await startTestService();
  const headers = await service.headers();
  const release = await holdJoins(service.database);
  const held = Array.from({ length: AT_ONCE }, () => sendJoin(headers));
  await expect.poll(underWay).toBe(AT_ONCE);
  const startedAt = performance.now();
  const late = await sendJoin(headers);
  expect(late).toMatchObject({ status: 409, code: 'service_overloaded' });
  expect(performance.now() - startedAt).toBeLessThan(1_500);
  const series = 'muster_requests_refused_total{kind="join",reason="queue_delay"}';
  expect(await readMetric(service, series)).toBe(1);
  await release();
  for (const { status } of await Promise.all(held)) expect(status).toBe(404);
});

test('joins that wait for look-ups count, and leave room for the rest', async () => {
  service = await startTestService({ env: { MAX_WAITING_JOINS: '5' } });
  const headers = await service.headers();
  const release = await holdJoins(service.database);
  const held = Array.from({ length: 5 }, () => sendJoin(headers));
  await expect.poll(() => readMetric(service, 'muster_joins_waiting')).toBe(5);
  expect(await sendJoin(headers)).toMatchObject({ status: 409, code: 'service_overloaded' });
  await release();
  for (const { status } of await Promise.all(held)) expect(status).toBe(404);
  expect((await sendJoin(headers)).status).toBe(404);
});

test('a client that leaves gives its place back once its join is decided', async () => {
  service = await startTestService({ env: { MAX_CONCURRENT_REQUESTS: '10' } });
  const headers = await service.headers();
  const release = await holdJoins(service.database);
  const leaving = new AbortController();
  const init = { method: 'POST', headers, body: JSON.stringify(BODY), signal: leaving.signal };
  const held = Array.from({ length: 10 }, () => fetch(service.baseUrl + JOIN, init));
  await expect.poll(underWay).toBe(10);
  leaving.abort();
  await Promise.allSettled(held);
  // They go on, and another one finds no place.
  expect(await sendJoin(headers)).toMatchObject({ status: 409, code: 'service_overloaded' });
  expect(await underWay()).toBe(10);
  await release();
  await expect.poll(underWay).toBe(0);
});

describe('of one player, four joins are in work at a time', () => {
  const asPlayer = (sub: string) =>
    service.headers({ sub, permissions: ['session:update-player:self'] });
  const joinFor = async (player: string) =>
    sendJoin(await asPlayer(player), joinPath('abc', 'Steam', player));
  const [busy, other] = [randomUUID(), randomUUID()];
  /** So many joins of the player at once, whose clients leave together. */
  const openLeaving = async (count: number) => {
    const leaving = new AbortController();
    const headers = await asPlayer(busy);
    const init = { method: 'POST', headers, body: JSON.stringify(BODY), signal: leaving.signal };
    const url = service.baseUrl + joinPath('abc', 'Steam', busy);
    const all = Array.from({ length: count }, () => fetch(url, init));
    return async () => {
      leaving.abort();
      await Promise.allSettled(all);
    };
  };
  const joinsInWork = () => readMetric(service, 'muster_joins_waiting');
  const waiting = () => readMetric(service, 'muster_requests_waiting{kind="join"}');

  test('the others begin when those are answered, and joins of other players do before', async () => {
    service = await startTestService();
    const release = await holdJoins(service.database);
    const held = Array.from({ length: 10 }, () => joinFor(busy));
    await expect.poll(waiting).toBe(6);
    held.push(joinFor(other));
    await expect.poll(joinsInWork).toBe(5);
    expect(await waiting()).toBe(6);
    await release();
    for (const { status } of await Promise.all(held)) expect(status).toBe(404);
    expect([await joinsInWork(), await waiting()]).toEqual([0, 0]);
  });

  test('a second is as long as they wait, and an eighth of the places is as many as do', async () => {
    service = await startTestService({ env: { MAX_CONCURRENT_REQUESTS: '40' } });
    const release = await holdJoins(service.database);
    const inWork = Array.from({ length: 4 }, () => joinFor(busy));
    await expect.poll(joinsInWork).toBe(4);
    const startedAt = performance.now();
    const late = Array.from({ length: 5 }, () => joinFor(busy));
    await expect.poll(waiting).toBe(5);
    expect(await joinFor(busy)).toMatchObject({ status: 409, code: 'service_overloaded' });
    // At once, and none of those that wait.
    expect(await waiting()).toBe(5);
    for (const { status, code } of await Promise.all(late)) {
      expect([status, code]).toEqual([409, 'service_overloaded']);
    }
    expect(performance.now() - startedAt).toBeGreaterThan(990);
    await release();
    for (const { status } of await Promise.all(inWork)) expect(status).toBe(404);
    expect((await joinFor(busy)).status).toBe(404);
    const refusals = 'muster_requests_refused_total{kind="join",reason="share"}';
    expect(await readMetric(service, refusals)).toBe(6);
  });

  test('who leaves while it waits is not joined, and keeps no place', async () => {
    service = await startTestService({ env: { MAX_CONCURRENT_REQUESTS: '40' } });
    const release = await holdJoins(service.database);
    const inWork = Array.from({ length: 4 }, () => joinFor(busy));
    await expect.poll(joinsInWork).toBe(4);
    const leave = await openLeaving(5);
    await expect.poll(waiting).toBe(5);
    await leave();
    await expect.poll(waiting).toBe(0);
    const next = Array.from({ length: 5 }, () => joinFor(busy));
    await expect.poll(waiting).toBe(5);
    await release();
    for (const { status } of await Promise.all([...inWork, ...next])) expect(status).toBe(404);
    const outcomes = 'muster_join_outcomes_total{outcome="platform_session_not_found"}';
    expect(await readMetric(service, outcomes)).toBe(4 + 5);
    expect([await joinsInWork(), await waiting()]).toEqual([0, 0]);
  });

  test('joins whose clients have left are in work until they are decided', async () => {
    service = await startTestService();
    const release = await holdJoins(service.database);
    for (let round = 0; round < 3; round += 1) {
      const leave = await openLeaving(10);
      await expect.poll(waiting).toBe(round === 0 ? 6 : 10);
      await leave();
      await expect.poll(waiting).toBe(0);
      expect(await joinsInWork()).toBe(4);
    }
    await release();
    await expect.poll(joinsInWork).toBe(0);
    expect((await joinFor(busy)).status).toBe(404);
    const outcomes = 'muster_join_outcomes_total{outcome="platform_session_not_found"}';
    expect(await readMetric(service, outcomes)).toBe(4 + 1);
  });

  test('bodies that do not come keep the player from nothing', async () => {
    service = await startTestService();
    const { authorization } = await asPlayer(busy);
    const lines = [
      `POST ${joinPath('abc', 'Steam', busy)} HTTP/1.1`,
      ...['Host: a', `Authorization: ${authorization}`, 'Content-Type: application/json'],
      ...['Content-Length: 100', '', '{'],
    ];
    const hung = await Promise.all(
      Array.from({ length: 6 }, () => openSlowClient(service.baseUrl)),
    );
    for (const client of hung) client.send(lines.join('\r\n'));
    await expect.poll(underWay).toBe(6);
    expect((await joinFor(busy)).status).toBe(404);
    for (const client of hung) client.destroy();
    await expect.poll(underWay).toBe(0);
  });

  test('who is owed many answers is turned away, and nobody else is', async () => {
    service = await startTestService();
    const many = await Promise.all(Array.from({ length: 900 }, () => joinFor(busy)));
    const served = many.filter(({ status }) => status === 404);
    expect(served.length).toBeGreaterThanOrEqual(128);
    expect(served.length).toBeLessThan(many.length);
    const refused = many.filter(({ status }) => status !== 404);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['service_overloaded']));
    expect(Math.min(...refused.map(({ retryAfter }) => retryAfter))).toBeGreaterThanOrEqual(1);
    expect((await joinFor(other)).status).toBe(404);
    await expect.poll(async () => (await joinFor(busy)).status).toBe(404);
  });
});
