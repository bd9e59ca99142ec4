import { expect, test } from 'vitest';
import { findShortfalls } from './find-shortfalls.mjs';

const report = (joins: number) => ({
  ...{ name: 'a fault', joins, edits: 5, putOff: 0, unanswered: 0, slowestMs: 0 },
  ...{ lostJoins: 0, lostEdits: 0, seatsTooMany: 0 },
});

test('a hundred thousand joins leave nothing to say', () => {
  expect(findShortfalls([report(60_000), report(40_000)])).toEqual([]);
});

test.each([
  [[report(60_000), report(39_999)], 99_999],
  [[], 0],
])('fewer are said', (reports, joins) => {
  expect(findShortfalls(reports)).toEqual([
    `Only ${joins} joins were made, and fewer than 100000 show little.`,
  ]);
});
