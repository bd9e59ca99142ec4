import { beforeEach, expect, test } from 'vitest';
import type { ActivityCounter } from './activity-counter.ts';
import { createActivityCounter, readQuantile } from './activity-counter.ts';

const START = Date.UTC(2026, 0, 1);
const MINUTE = START / 60_000;
let clock: number;
let activity: ActivityCounter;
beforeEach(() => {
  clock = START;
  activity = createActivityCounter(() => clock);
});

test('counts requests, errors, joins and statements in the minute in which they ended', () => {
  activity.recordRequest(1, false);
  activity.recordRequest(1, true);
  for (const outcome of ['joined', 'joined', 'team_full']) activity.recordJoin(outcome);
  clock += 60_000;
  activity.recordStatement(1.5);
  activity.recordStatement(2);
  expect(activity.take()).toEqual([
    [MINUTE, { requests: 2, errors: 1, 'latency:8': 2, 'join:joined': 2, 'join:team_full': 1 }],
    [MINUTE + 1, { statements: 2, statement_ms: 3.5 }],
  ]);
  expect(activity.take()).toEqual([]);
});

test('counts that were put back are added to the newer ones', () => {
  activity.recordJoin('joined');
  const [[minute, counts] = [0, {}]] = activity.take();
  activity.recordJoin('joined');
  activity.add(minute, counts);
  expect(activity.take()).toEqual([[MINUTE, { 'join:joined': 2 }]]);
});

test('keeps an hour while nothing can be stored', () => {
  for (let minute = 0; minute < 90; minute += 1) {
    activity.recordJoin('joined');
    clock += 60_000;
  }
  const taken = activity.take();
  expect(taken).toHaveLength(60);
  expect(taken[0]?.[0]).toBe(MINUTE + 30);
});

test.each([
  [0.5, 500],
  [0.99, 990],
])('gives the %d quantile at most a fifth too high', (share, exact) => {
  for (let ms = 1; ms <= 1000; ms += 1) activity.recordRequest(ms, false);
  const found = readQuantile(activity.take()[0]?.[1] ?? {}, share);
  expect(found).toBeGreaterThanOrEqual(exact);
  expect(found).toBeLessThanOrEqual(exact * 1.2 + 0.001);
});

test('gives quantiles for durations beyond every cell, and none without durations', () => {
  for (const ms of [0, 0.1, 86_400_000]) activity.recordRequest(ms, false);
  const counts = activity.take()[0]?.[1] ?? {};
  expect(readQuantile(counts, 0.5)).toBe(0.25);
  expect(readQuantile(counts, 0.99)).toBeGreaterThan(30_000);
  expect(readQuantile({ requests: 1 }, 0.5)).toBeUndefined();
});
