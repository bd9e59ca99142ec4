import { expect, test } from 'vitest';
import { createHistogram, percentile, recordDuration } from './histogram.ts';

test('percentiles are right within one per cent, from microseconds to minutes', () => {
  for (const scale of [1, 37, 1_000, 250_000, 60_000]) {
    const histogram = createHistogram();
    for (let n = 1; n <= 1_000; n += 1) recordDuration(histogram, n * scale);
    for (const share of [0.5, 0.9, 0.99, 1]) {
      const exact = 1_000 * share * scale;
      expect(Math.abs(percentile(histogram, share) - exact) / exact).toBeLessThan(0.01);
    }
  }
});

test('the highest percentile is the largest recorded duration and never more', () => {
  const histogram = createHistogram();
  recordDuration(histogram, 100_003);
  expect(percentile(histogram, 1)).toBeLessThanOrEqual(100_003);
  expect(histogram.maxUs).toBe(100_003);
});

test('an empty histogram answers zero, and durations out of range are kept in it', () => {
  const histogram = createHistogram();
  expect(percentile(histogram, 0.5)).toBe(0);
  recordDuration(histogram, -5);
  recordDuration(histogram, 2 ** 40);
  expect(histogram.count).toBe(2);
  expect(percentile(histogram, 0.5)).toBe(0);
  expect(percentile(histogram, 1)).toBeGreaterThan(2 ** 31);
});
