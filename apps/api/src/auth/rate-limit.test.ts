import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRateLimiter } from './rate-limit.ts';

const openRates = (perSecond: number, burst: number) => {
  let nowMs = 1_000;
  const rates = createRateLimiter({ perSecond, burst }, () => nowMs);
  return {
    ...rates,
    wait: (ms: number) => {
      nowMs += ms;
    },
  };
};

test('lets a burst through, then one per interval, and says when to come back', () => {
  const rates = openRates(2, 5);
  const first = Array.from({ length: 6 }, () => rates.take('a'));
  expect(first).toEqual([0, 0, 0, 0, 0, 1]);
  rates.wait(499);
  expect(rates.take('a')).toBe(1);
  rates.wait(1);
  expect([rates.take('a'), rates.take('a')]).toEqual([0, 1]);
});

test('a refused request does not count, and credentials do not affect each other', () => {
  const rates = openRates(1, 1);
  expect([rates.take('a'), rates.take('a'), rates.take('a'), rates.take('b')]).toEqual([
    0, 1, 1, 0,
  ]);
  rates.wait(1_000);
  expect(rates.take('a')).toBe(0);
});

test('a client that waits as long as it is told is let in', () => {
  const rates = openRates(1, 3);
  for (let index = 0; index < 3; index += 1) rates.take('a');
  const seconds = rates.take('a');
  expect(seconds).toBe(1);
  rates.wait(seconds * 1_000);
  expect(rates.take('a')).toBe(0);
});

test('is a token bucket, at any rate and for any arrivals', () => {
  const arrivals = fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 200 });
  const sizes = fc.integer({ min: 1, max: 20 });
  fc.assert(
    fc.property(sizes, sizes, arrivals, (perSecond, burst, pauses) => {
      const rates = openRates(perSecond, burst);
      let tokens = burst;
      for (const pause of pauses) {
        rates.wait(pause);
        tokens = Math.min(burst, tokens + (pause * perSecond) / 1_000);
        const isLetIn = rates.take('a') === 0;
        // Where the bucket is within rounding of a whole token, either answer is right.
        if (Math.abs(tokens - 1) > 1e-6) expect(isLetIn).toBe(tokens >= 1);
        if (isLetIn) tokens -= 1;
      }
    }),
    { seed: 20_261_122 },
  );
});
