import { describe, expect, test } from 'vitest';
import { chooseFaults, findShortfalls } from './faults.mjs';

describe('node scripts/run.mjs faults', () => {
  test('runs all files without a name', () => {
    const all = chooseFaults([]) ?? [];
    expect(all.length).toBeGreaterThan(8);
    expect(all).toContain('apps/api/test/faults/rolling-restart.proof.test.ts');
  });

  test('runs those that are named, and no other', () => {
    expect(chooseFaults(['rolling-restart', 'disk'])).toEqual([
      'apps/api/test/faults/disk-faults.proof.test.ts',
      'apps/api/test/faults/rolling-restart.proof.test.ts',
    ]);
  });

  test.each([['disc'], ['disk', 'nonsense'], ['--sorry']])('refuses %s %s', (...args) => {
    expect(() => chooseFaults(args)).toThrow(/Names: .*disk/);
  });

  test('--help runs nothing', () => {
    expect(chooseFaults(['--help'])).toBe(null);
  });
});

const report = (joins: number) => ({
  name: 'a fault',
  joins,
  edits: 5,
  putOff: 0,
  unanswered: 0,
  slowestMs: 0,
  lostJoins: 0,
  lostEdits: 0,
  seatsTooMany: 0,
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
