import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';

const UNAVAILABLE = { code: 'service_unavailable' };
const isTimeout = (error: unknown) => String(error).includes('in time');
const never = () => new Promise<string>(() => {});

let breaker: CircuitBreaker;
afterEach(() => breaker.stop());

/** A database that answers or not, as told, and counts its pings. */
const begin = () => {
  const database = { isUp: true, pings: 0 };
  const changes: boolean[] = [];
  const reasons: unknown[] = [];
  breaker = createCircuitBreaker({
    ping: async () => {
      database.pings += 1;
      if (!database.isUp) throw new Error('no answer');
    },
    isTimeout,
    slowAfterMs: 50,
    pingIntervalMs: 10,
    onChange: (isOpen, reason) => {
      changes.push(isOpen);
      reasons.push(reason);
    },
  });
  return { database, changes, reasons };
};

it('answers as the work does, and sends no ping for quick work', async () => {
  const { database } = begin();
  expect(await breaker.run(async () => 'done')).toBe('done');
  await expect(breaker.run(() => Promise.reject(new Error('own')))).rejects.toThrow('own');
  await delay(200);
  expect(database.pings).toBe(0);
});

it('stays closed for slow work while the database answers', async () => {
  const { database, changes } = begin();
  expect(await breaker.run(() => delay(400, 'late'))).toBe('late');
  expect(database.pings).toBeGreaterThan(0);
  expect(changes).toEqual([]);
});

it('opens when the database does not answer: waiting and new work is rejected', async () => {
  const { database, changes } = begin();
  database.isUp = false;
  const [first, second] = await Promise.allSettled([breaker.run(never), breaker.run(never)]);
  expect([first, second]).toMatchObject([{ reason: UNAVAILABLE }, { reason: UNAVAILABLE }]);
  let hasBegun = false;
  const late = breaker.run(async () => {
    hasBegun = true;
  });
  await expect(late).rejects.toMatchObject(UNAVAILABLE);
  expect([breaker.isOpen(), hasBegun]).toEqual([true, false]);
  expect(changes).toEqual([true]);
});

it('closes by itself when the database answers again', async () => {
  const { database, changes } = begin();
  database.isUp = false;
  await breaker.run(never).catch(() => {});
  database.isUp = true;
  await expect.poll(() => breaker.isOpen()).toBe(false);
  expect(await breaker.run(async () => 'again')).toBe('again');
  expect(changes).toEqual([true, false]);
});

it('opens soon after work has failed because of the database, with the reason of the ping', async () => {
  const { database, reasons } = begin();
  database.isUp = false;
  expect(await breaker.run(async () => 'read')).toBe('read');
  breaker.noteFailure();
  await expect.poll(() => breaker.isOpen()).toBe(true);
  expect(reasons).toEqual([expect.objectContaining({ message: 'no answer' })]);
});

it('stays closed when work has failed and the database answers, with few pings for many failures', async () => {
  const { database, changes } = begin();
  for (let failures = 0; failures < 1_000; failures += 1) breaker.noteFailure();
  await expect.poll(() => database.pings).toBe(1);
  expect(changes).toEqual([]);
});

it('sends no ping once it is stopped', async () => {
  const { database } = begin();
  database.isUp = false;
  await breaker.run(never).catch(() => {});
  breaker.stop();
  const { pings } = database;
  await delay(100);
  expect(database.pings).toBeLessThanOrEqual(pings + 1);
});

it('does not open because this process stalled', async () => {
  let pings = 0;
  const changes: boolean[] = [];
  breaker = createCircuitBreaker({
    isTimeout: () => false,
    slowAfterMs: 50,
    pingIntervalMs: 10,
    onChange: (isOpen) => changes.push(isOpen),
    ping: async () => {
      pings += 1;
      if (pings > 1) return;
      // The event loop stalls, so that no answer is processed in time.
      const until = performance.now() + 300;
      while (performance.now() < until);
      throw new Error('no answer in time');
    },
  });
  expect(await breaker.run(() => delay(900, 'done'))).toBe('done');
  expect(changes).toEqual([]);
  expect(pings).toBeGreaterThanOrEqual(2);
});

it.each([
  ['stays closed after one ping that got no answer in time', 'no answer in time', 1, 2, []],
  ['opens after two pings that got no answer in time', 'no answer in time', 2, 2, [true]],
  ['opens after one ping that was refused', 'refused', 1, 1, [true]],
])('%s', async (_, message, failures, expectedPings, expected) => {
  let pings = 0;
  const changes: boolean[] = [];
  breaker = createCircuitBreaker({
    ping: async () => {
      pings += 1;
      if (pings <= failures) throw new Error(message);
    },
    isTimeout,
    slowAfterMs: 50,
    pingIntervalMs: 60_000,
    onChange: (isOpen) => changes.push(isOpen),
  });
  breaker.noteFailure();
  await expect.poll(() => pings).toBe(expectedPings);
  expect(changes).toEqual(expected);
});
