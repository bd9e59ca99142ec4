import { beforeEach, expect, test } from 'vitest';
import type { RequestSeries } from './request-series.ts';
import { createRequestSeries } from './request-series.ts';

const START = Date.UTC(2026, 0, 1);
let clock: number;
let series: RequestSeries;
beforeEach(() => {
  clock = START;
  series = createRequestSeries(() => clock);
});
const wait = (seconds: number) => {
  clock += seconds * 1000;
};
const EMPTY = { requests_per_second: 0, joins_per_second: 0, outcomes: {} };

test('gives an hour of intervals, empty ones too, oldest first', () => {
  const points = series.read(60);
  expect(points).toHaveLength(720);
  expect(points[0]).toEqual({ at: '2025-12-31T23:00:00.000Z', ...EMPTY });
  expect(points.at(-1)).toEqual({ at: '2025-12-31T23:59:55.000Z', ...EMPTY });
  expect(series.read(1)).toEqual(points.slice(-12));
});

test('counts requests and joins per second in the interval in which they ended', () => {
  for (const ms of [1, 2, 3, 4, 100]) series.recordRequest(ms);
  for (const outcome of ['joined', 'joined', 'team_full']) series.recordJoin(outcome);
  wait(5);
  series.recordRequest(1);
  wait(5);
  const [first, second] = series.read(1).slice(-2);
  expect(first).toMatchObject({
    at: '2026-01-01T00:00:00.000Z',
    requests_per_second: 1,
    joins_per_second: 0.6,
    outcomes: { joined: 2, team_full: 1 },
  });
  expect(second).toMatchObject({ requests_per_second: 0.2, joins_per_second: 0, outcomes: {} });
});

test('leaves out the interval that is not over', () => {
  series.recordRequest(1);
  wait(4.999);
  expect(series.read(1).every((point) => point.requests_per_second === 0)).toBe(true);
  wait(0.001);
  expect(series.read(1).at(-1)).toMatchObject({ requests_per_second: 0.2 });
});

test.each([
  [0.5, 'p50_ms', 500],
  [0.99, 'p99_ms', 990],
] as const)('gives the %d quantile at most a fifth too high', (_, name, exact) => {
  for (let ms = 1; ms <= 1000; ms += 1) series.recordRequest(ms);
  wait(5);
  const found = series.read(1).at(-1)?.[name];
  expect(found).toBeGreaterThanOrEqual(exact);
  expect(found).toBeLessThanOrEqual(exact * 1.2 + 0.001);
});

test('gives quantiles for durations beyond every cell', () => {
  for (const ms of [0, 0.1, 86_400_000]) series.recordRequest(ms);
  wait(5);
  const point = series.read(1).at(-1);
  expect(point).toMatchObject({ p50_ms: 0.25 });
  expect(point?.p99_ms).toBeGreaterThan(30_000);
});

test('forgets what is older than an hour, and never shows it as new', () => {
  series.recordRequest(1);
  series.recordJoin('joined');
  wait(3600);
  expect(series.read(60)[0]).toMatchObject({ requests_per_second: 0.2 });
  wait(5);
  expect(series.read(60).every((point) => point.requests_per_second === 0)).toBe(true);
  series.recordRequest(1);
  wait(5);
  expect(series.read(1).at(-1)).toMatchObject({ requests_per_second: 0.2, outcomes: {} });
  expect(series.read(60).filter((point) => point.requests_per_second > 0)).toHaveLength(1);
});
