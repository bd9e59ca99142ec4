import { expect, test } from 'vitest';
import { countDue, dueAfterMs } from './fixed-rate.ts';

test('the first request is due at once, and the others at even spacing', () => {
  expect([0, 1, 2, 10].map((index) => dueAfterMs(index, 200))).toEqual([0, 5, 10, 50]);
});

test('a request counts from the moment on which it is due', () => {
  for (const elapsedMs of [0, 0.3, 1.7, 999.9, 12_345.6]) {
    const due = countDue(elapsedMs, 523);
    expect(dueAfterMs(due - 1, 523)).toBeLessThanOrEqual(elapsedMs);
    expect(dueAfterMs(due, 523)).toBeGreaterThan(elapsedMs);
  }
});
