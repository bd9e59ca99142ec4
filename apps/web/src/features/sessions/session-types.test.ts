import { expect, test } from 'vitest';
import { describeDuration, unitOf } from './session-types.ts';

test.each([
  [undefined, 'forever'],
  [1, '1 second'],
  [90, '90 seconds'],
  [120, '2 minutes'],
  [3600, '1 hour'],
  [172_800, '2 days'],
  [31_536_000, '365 days'],
])('%s seconds are "%s"', (seconds, words) => {
  expect(describeDuration(seconds, 'forever')).toBe(words);
});

test('shows a duration in the largest unit that divides it exactly', () => {
  expect([59, 60, 5_400, 7_200, 86_400].map(unitOf)).toEqual([1, 60, 60, 3600, 86_400]);
});
