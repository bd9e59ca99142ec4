import { expect, test } from 'vitest';
import type { Point } from './chart-data.ts';
import { readOutcomes, readRates, readTimes, summarize, tabulate } from './chart-data.ts';

const point = (second: number, more: Partial<Point> = {}): Point => ({
  at: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
  requests_per_second: second,
  errors_per_second: 0,
  joins_per_second: 0,
  outcomes: {},
  ...more,
});

test('summarises the last and the highest value of each line', () => {
  expect(summarize(readRates([point(0), point(5), point(2)]))).toBe(
    'Requests: last 2 per second, at most 5. Joins: last 0 per second, at most 0. Errors of the service: last 0 per second, at most 0.',
  );
  expect(summarize(readTimes([point(0)]))).toContain('Median response time: no data.');
  expect(summarize(readOutcomes([point(0)], 60))).toBe('No activity in this period.');
});

test('draws a line per outcome, the most frequent first, with zero for missing points', () => {
  const points = [point(0, { outcomes: { team_full: 1 } }), point(5, { outcomes: { joined: 3 } })];
  expect(readOutcomes(points, 30).lines.map(({ label, values }) => [label, values])).toEqual([
    ['Joined', [0, 6]],
    ['Team full', [2, 0]],
  ]);
});

test('the table has a row for each point, newest first', () => {
  expect(tabulate(readTimes([point(0, { p50_ms: 2, p99_ms: 10.125 }), point(60)]))).toEqual([
    { at: '2026-01-01T00:01:00.000Z', values: ['–', '–', '–'] },
    { at: '2026-01-01T00:00:00.000Z', values: ['2', '10.13', '–'] },
  ]);
});
