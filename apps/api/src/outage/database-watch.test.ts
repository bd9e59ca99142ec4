import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import type { DatabaseWatch } from './database-watch.ts';
import { createDatabaseWatch } from './database-watch.ts';

const UNAVAILABLE = { code: 'service_unavailable' };
const never = () => new Promise<string>(() => {});

let watch: DatabaseWatch;
afterEach(() => watch.stop());

/** A database that answers or not, as it is told, and counts who asks. */
const begin = () => {
  const database = { isThere: true, pings: 0 };
  const changes: boolean[] = [];
  watch = createDatabaseWatch({
    ping: async () => {
      database.pings += 1;
      if (!database.isThere) throw new Error('no answer');
    },
    ...{ patienceMs: 50, pauseMs: 10 },
    onChange: (isAway) => changes.push(isAway),
  });
  return { database, changes };
};

it('answers as the work does, and asks nothing about work that is quick', async () => {
  const { database } = begin();
  expect(await watch.guard(async () => 'done')).toBe('done');
  await expect(watch.guard(() => Promise.reject(new Error('own')))).rejects.toThrow('own');
  await delay(200);
  expect(database.pings).toBe(0);
});

it('lets slow work go on while the database answers', async () => {
  const { database, changes } = begin();
  expect(await watch.guard(() => delay(400, 'late'))).toBe('late');
  expect(database.pings).toBeGreaterThan(0);
  expect(changes).toEqual([]);
});

it('tells all who wait that the database is away, and turns away who comes', async () => {
  const { database, changes } = begin();
  database.isThere = false;
  const [first, second] = await Promise.allSettled([watch.guard(never), watch.guard(never)]);
  expect([first, second]).toMatchObject([{ reason: UNAVAILABLE }, { reason: UNAVAILABLE }]);
  let hasBegun = false;
  const late = watch.guard(async () => {
    hasBegun = true;
  });
  await expect(late).rejects.toMatchObject(UNAVAILABLE);
  expect([watch.isAway(), hasBegun]).toEqual([true, false]);
  expect(changes).toEqual([true]);
});

it('notices by itself that the database is back', async () => {
  const { database, changes } = begin();
  database.isThere = false;
  await watch.guard(never).catch(() => {});
  database.isThere = true;
  await expect.poll(() => watch.isAway()).toBe(false);
  expect(await watch.guard(async () => 'again')).toBe('again');
  expect(changes).toEqual([true, false]);
});

it('asks nobody once it is stopped', async () => {
  const { database } = begin();
  database.isThere = false;
  await watch.guard(never).catch(() => {});
  watch.stop();
  const { pings } = database;
  await delay(100);
  expect(database.pings).toBeLessThanOrEqual(pings + 1);
});

it('does not take its own stall for a silent database', async () => {
  let pings = 0;
  const changes: boolean[] = [];
  watch = createDatabaseWatch({
    ...{ patienceMs: 50, pauseMs: 10, onChange: (isAway) => changes.push(isAway) },
    ping: async () => {
      pings += 1;
      if (pings > 1) return;
      // Nothing is heard for a while, and so no answer in time.
      const until = performance.now() + 300;
      while (performance.now() < until);
      throw new Error('no answer in time');
    },
  });
  expect(await watch.guard(() => delay(900, 'done'))).toBe('done');
  expect(changes).toEqual([]);
  expect(pings).toBeGreaterThanOrEqual(2);
});
