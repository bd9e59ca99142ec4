import { expect, test } from 'vitest';
import { Durations, Tally } from './histogram.ts';

test('percentiles are right within one per cent, from microseconds to minutes', () => {
  for (const scale of [1, 37, 1_000, 250_000, 60_000]) {
    const histogram = new Durations();
    for (let n = 1; n <= 1_000; n += 1) histogram.record(n * scale);
    for (const share of [0.5, 0.9, 0.99, 1]) {
      const exact = 1_000 * share * scale;
      expect(Math.abs(histogram.percentile(share) - exact) / exact).toBeLessThan(0.01);
    }
  }
});

test('the highest percentile is the largest recorded duration and never more', () => {
  const histogram = new Durations();
  histogram.record(100_003);
  expect(histogram.percentile(1)).toBeLessThanOrEqual(100_003);
  expect(histogram.maxUs).toBe(100_003);
});

test('an empty histogram answers zero, and durations out of range are kept in it', () => {
  const histogram = new Durations();
  expect(histogram.percentile(0.5)).toBe(0);
  histogram.record(-5);
  histogram.record(2 ** 40);
  expect(histogram.count).toBe(2);
  expect(histogram.percentile(0.5)).toBe(0);
  expect(histogram.percentile(1)).toBeGreaterThan(2 ** 31);
});

test('a run is summed up by status, with the mean size of its answers', () => {
  const tally = new Tally();
  tally.count({ status: 200, hasRetryAfter: false, bytes: 2_000 }, 10);
  tally.count({ status: 200, hasRetryAfter: false, bytes: 2_400 }, 20);
  tally.count({ status: 409, hasRetryAfter: true, bytes: 100 }, 30);
  tally.count({ status: 409, hasRetryAfter: false, bytes: 100 }, 30);
  expect(tally.summarise(2, 0.5)).toMatchObject({
    requests: 4,
    statuses: { '200': 2, '409': 2 },
    refusalsWithoutRetryAfter: 1,
    answerBytes: 1_150,
    perSecond: 2,
  });
});
