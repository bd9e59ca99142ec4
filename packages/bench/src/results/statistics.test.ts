import { expect, test } from 'vitest';
import { median, ratioOf, spreadOf } from './statistics.ts';

test('the median is the middle value, or the mean of the two in the middle', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([10, 1, 9, 2])).toBe(5.5);
  expect(median([3])).toBe(3);
  expect(median([])).toBeNaN();
});

test('the median orders numbers, not their spellings', () => {
  expect(median([10, 9, 100])).toBe(10);
});

test('the spread names the lowest and the highest round', () => {
  expect(spreadOf([5, 1, 9])).toEqual({ median: 5, low: 1, high: 9 });
});

test('a run in which the machine was slow for both does not change the ratio', () => {
  expect(ratioOf([100, 20, 110], [50, 10, 55])).toEqual({ median: 2, low: 2, high: 2 });
});

test('rounds of different number are compared with the median', () => {
  expect(ratioOf([8, 12], [4])).toEqual({ median: 2.5, low: 2, high: 3 });
});
