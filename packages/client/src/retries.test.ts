import { expect, test } from 'vitest';
import { readRetryAfter } from './retries.ts';

const NOW = Date.parse('2026-03-14T09:26:53Z');

test.each([
  ['7', 7],
  [' 0 ', 0],
  ['Sat, 14 Mar 2026 09:27:03 GMT', 10],
  ['Sat, 14 Mar 2026 09:00:00 GMT', 0],
  ['soon', undefined],
  ['-1', undefined],
  ['1.5', undefined],
])('reads Retry-After %j as %j seconds', (value, seconds) => {
  expect(readRetryAfter(new Headers({ 'retry-after': value }), NOW)).toBe(seconds);
});

test('reads nothing from an absent Retry-After', () => {
  expect(readRetryAfter(new Headers())).toBeUndefined();
});
