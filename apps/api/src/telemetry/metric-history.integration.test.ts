// The kept metrics, as several processes write them into one database.
import type { Database } from '@muster/database';
import { openTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createActivityCounter } from './activity-counter.ts';
import { createMetricHistory } from './metric-history.ts';
import { createMetricHistoryStore } from './metric-history-store.ts';

const START = Date.UTC(2026, 0, 1, 12);
let database: Database;
let clock: number;
let measured: number;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  clock = START;
  measured = 0;
  await database.pool.query('TRUNCATE metric_minute');
});

/** One process of the service. */
const openProcess = (store = createMetricHistoryStore(database)) => {
  const now = () => clock;
  const activity = createActivityCounter(now);
  const measureGauges = async () => {
    measured += 1;
    return { live_sessions: 40 * measured };
  };
  const onFailure = () => {};
  const history = createMetricHistory({ store, activity, measureGauges, onFailure, now });
  return { ...activity, ...history };
};

test('shows what two processes counted, as one service', async () => {
  const [one, two] = [openProcess(), openProcess()];
  for (let n = 0; n < 6; n += 1) one.recordRequest(10, false);
  for (let n = 0; n < 6; n += 1) two.recordRequest(100, true);
  one.recordJoin('joined');
  two.recordJoin('joined');
  two.recordJoin('team_full');
  two.recordStatement(3);
  await one.flush();
  await Promise.all([one.flush(), two.flush()]);
  clock += 80_000;
  const { interval_seconds, points } = await one.read(60);
  expect(interval_seconds).toBe(60);
  expect(points).toHaveLength(60);
  const last = points.at(-1);
  expect(last).toMatchObject({
    at: '2026-01-01T12:00:00.000Z',
    requests_per_second: 0.2,
    errors_per_second: 0.1,
    joins_per_second: 0.05,
    outcomes: { joined: 2, team_full: 1 },
    database_ms: 3,
    live_sessions: 40,
  });
  expect(last?.p50_ms).toBeLessThan(13);
  expect(last?.p99_ms).toBeGreaterThanOrEqual(100);
  expect(points[0]).toEqual({
    at: '2026-01-01T11:01:00.000Z',
    requests_per_second: 0,
    errors_per_second: 0,
    joins_per_second: 0,
    outcomes: {},
  });
});

test('shows a minute only when every process has stored it', async () => {
  const process = openProcess();
  process.recordJoin('joined');
  await process.flush();
  clock += 79_999;
  expect((await process.read(1)).points[0]?.outcomes).toEqual({});
  clock += 1;
  expect((await process.read(1)).points[0]?.outcomes).toEqual({ joined: 1 });
});

test('sums counts and averages gauges in longer intervals', async () => {
  const process = openProcess();
  for (let minute = 0; minute < 120; minute += 1) {
    process.recordJoin('joined');
    await process.flush();
    clock += 60_000;
  }
  clock += 60 * 60_000;
  const day = await process.read(24 * 60);
  expect(day.interval_seconds).toBe(600);
  expect(day.points).toHaveLength(144);
  const full = day.points.filter(({ joins_per_second }) => joins_per_second > 0);
  expect(full.map(({ outcomes }) => outcomes.joined)).toEqual(Array(12).fill(10));
  // The mean of 40, 80, … 400.
  expect(full[0]?.live_sessions).toBe(220);
  const week = await process.read(7 * 24 * 60);
  expect(week.interval_seconds).toBe(3600);
  expect(week.points).toHaveLength(168);
  expect(week.points.filter(({ joins_per_second }) => joins_per_second > 0)).toHaveLength(2);
});

test('loses no count while the database fails, and counts nothing twice', async () => {
  const store = createMetricHistoryStore(database);
  let isAway = true;
  const process = openProcess({
    ...store,
    add: (...minute) => (isAway ? Promise.reject(new Error('away')) : store.add(...minute)),
  });
  process.recordJoin('joined');
  await expect(process.flush()).rejects.toThrow('away');
  clock += 60_000;
  process.recordJoin('joined');
  await expect(process.flush()).rejects.toThrow('away');
  isAway = false;
  await process.flush();
  await process.flush();
  clock += 80_000;
  const { points } = await process.read(2);
  expect(points.map(({ outcomes }) => outcomes)).toEqual([{ joined: 1 }, { joined: 1 }]);
});

test('measures the gauges of a minute once, also in many processes and after a failure', async () => {
  const processes = Array.from({ length: 6 }, () => openProcess());
  await Promise.all(processes.map(({ flush }) => flush()));
  expect(measured).toBe(1);
  clock += 60_000;
  const store = createMetricHistoryStore(database);
  const failing = openProcess({ ...store, setGauges: () => Promise.reject(new Error('away')) });
  await expect(failing.flush()).rejects.toThrow('away');
  await Promise.all(processes.map(({ flush }) => flush()));
  expect(measured).toBe(2);
});

test('counts live sessions and the players who have joined them', async () => {
  await database.pool.query(
    `INSERT INTO session (session_key, type, session_id, incarnation, created_at, ended_at)
     SELECT ('00000000-0000-0000-0000-00000000000' || n)::uuid, 'duel', n::text, 'a', now(), CASE WHEN n = 3 THEN now() END
     FROM generate_series(1, 3) n`,
  );
  await database.pool.query(
    `INSERT INTO session_seat (session_key, player_uuid, team_id, status, seated_at, joined_at, invited_at)
     SELECT ('00000000-0000-0000-0000-00000000000' || s)::uuid, gen_random_uuid(), 0, CASE WHEN p < 3 THEN 'member' ELSE 'reserved' END, now(),
       CASE WHEN p < 3 THEN now() END, CASE WHEN p = 3 THEN now() END
     FROM generate_series(2, 3) s, generate_series(1, 3) p`,
  );
  const counted = await createMetricHistoryStore(database).countPlayers();
  expect(counted).toEqual({ live_sessions: 2, seated_players: 2 });
});
