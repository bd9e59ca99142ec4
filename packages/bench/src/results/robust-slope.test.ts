import { expect, test } from 'vitest';
import { findRobustSlope } from './robust-slope.ts';

test('is the slope of a line, whatever a quarter of its points do', () => {
  const line = Array.from({ length: 20 }, (_, x) => ({ x, y: 3 + 2 * x }));
  expect(findRobustSlope(line)).toBe(2);
  const disturbed = line.map(({ x, y }) => ({ x, y: x % 4 === 0 ? y + 1_000 * (x % 3) : y }));
  expect(findRobustSlope(disturbed)).toBeCloseTo(2, 0);
});

test('is none without two different points', () => {
  expect(findRobustSlope([{ x: 1, y: 1 }])).toBeNull();
  expect(
    findRobustSlope([
      { x: 1, y: 1 },
      { x: 1, y: 2 },
    ]),
  ).toBeNull();
});
