import { expect, test } from 'vitest';
import { describeMeasurement, toMarkdown } from './describe-measurement.ts';
import type { Measurement } from './objectives.ts';
import {
  ABUSIVE_PLAYERS,
  FLOODING_SERVICE_KEY,
  findMissed,
  LARGEST_ADMIN_REQUEST,
  OVERLOAD,
  toFloor,
} from './objectives.ts';

const MET: Measurement = {
  situation: 'a calm day',
  before: { count: 120, p50Ms: 4, p99Ms: 9 },
  during: { count: 360, p50Ms: 8, p99Ms: 250 },
  after: { count: 120, p50Ms: 4, p99Ms: 9 },
  firstTryShare: 1,
  serverErrors: 0,
  lostJoins: 0,
  peakMemoryMb: 500,
  recoverySeconds: 2,
  overload: {
    peakPerSecond: 1_000,
    offeredPerSecond: 10_000,
    servedPerSecond: 800,
    servedP99Ms: 1_000,
    rejectionsWithoutRetryAfter: 0,
  },
  pauseMs: 100,
  attack: { requests: 50_000, statuses: { 409: 49_000, ECONNRESET: 3 } },
};

test.each([
  ABUSIVE_PLAYERS,
  FLOODING_SERVICE_KEY,
  OVERLOAD[3],
  OVERLOAD[10],
  LARGEST_ADMIN_REQUEST,
])('a measurement at its bounds meets %o', (objectives) => {
  expect(findMissed(MET, objectives)).toEqual([]);
});

test.each([
  [{ firstTryShare: 599 / 600 }, '200 on the first try: 0.9983, objective ≥ 0.999'],
  [{ during: { count: 360, p50Ms: 8, p99Ms: 250.4 } }, 'p99 during: 250.4 ms, objective ≤ 250 ms'],
  [{ serverErrors: 1 }, '5xx: 1, objective ≤ 0'],
  [{ lostJoins: 1 }, 'lost joins: 1, objective ≤ 0'],
  [{ peakMemoryMb: 501 }, 'peak memory: 501 MB, objective ≤ 500 MB'],
  [{ recoverySeconds: 2.5 }, 'back to baseline: 2.5 s, objective ≤ 2 s'],
  [{ recoverySeconds: null }, 'back to baseline: not in time, objective ≤ 2 s'],
])('abusive players who cause %j miss an objective', (change, sentence) => {
  expect(findMissed({ ...MET, ...change }, ABUSIVE_PLAYERS)).toEqual([sentence]);
});

test.each([
  [{ servedPerSecond: 799 }, 'served share of the peak: 0.799, objective ≥ 0.8'],
  [{ servedP99Ms: 1_001 }, 'p99 of served joins: 1001 ms, objective ≤ 1000 ms'],
  [{ rejectionsWithoutRetryAfter: 1 }, 'rejections without Retry-After: 1, objective ≤ 0'],
])('overload with %j misses an objective', (change, sentence) => {
  const overload = { ...MET.overload!, ...change };
  expect(findMissed({ ...MET, overload }, OVERLOAD[3])).toEqual([sentence]);
});

test('on any machine, others join quickly after the attack, whether or not latency is back to the baseline', () => {
  const slow = { ...MET, recoverySeconds: null, after: { count: 180, p50Ms: 99, p99Ms: 300 } };
  const floor = toFloor(ABUSIVE_PLAYERS);
  expect(findMissed(slow, floor)).toEqual([]);
  expect(findMissed({ ...slow, after: { ...slow.after, p50Ms: 101 } }, floor)).toEqual([
    'p50 after: 101 ms, objective ≤ 100 ms',
  ]);
});

test('what was not measured meets no objective', () => {
  const { overload: _, pauseMs: __, ...rest } = MET;
  const unmeasured = { ...rest, firstTryShare: null, recoverySeconds: null };
  expect(findMissed(unmeasured, FLOODING_SERVICE_KEY)).toHaveLength(1);
  expect(findMissed(unmeasured, ABUSIVE_PLAYERS)).toHaveLength(2);
  expect(findMissed(unmeasured, OVERLOAD[10])).toHaveLength(4);
  expect(findMissed(unmeasured, LARGEST_ADMIN_REQUEST)).toEqual([
    'longest pause: not measured, objective ≤ 100 ms',
  ]);
});

test('a line has every number, the responses to the attack and the verdict', () => {
  expect(describeMeasurement(MET, [])).toBe(
    'slo a calm day: p50/p99 before 4.0/9 ms, during 8.0/250 ms, after 4.0/9 ms, 200 on the first try 100.00 %, 5xx 0, lost joins 0, peak memory 500 MB, back to baseline 2 s, served of the peak 800 of 1000/s at 10000/s, p99 of served 1000 ms, longest pause 100 ms, attack requests 50000 (409: 49000, ECONNRESET: 3) → meets the objectives',
  );
});

test('a table has a row for each situation and report', () => {
  const before = [{ ...MET, missed: ['5xx: 1, objective ≤ 0'] }];
  const rows = toMarkdown({ before, after: [{ ...MET, missed: [] }] }).split('\n');
  expect(rows).toHaveLength(4);
  expect(rows[2]).toMatch(/^\| a calm day \| before \|.*\| missed: 5xx: 1, objective ≤ 0 \|$/);
  expect(rows[3]).toMatch(/^\| a calm day \| after \|.*\| met \|$/);
  expect(new Set(rows.map((row) => row.split('|').length)).size).toBe(1);
});
