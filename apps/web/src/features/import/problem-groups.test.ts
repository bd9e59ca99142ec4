import { expect, test } from 'vitest';
import { describeRows, findRemedy, writeProblems } from './problem-groups.ts';

test('suggests a fix for a problem that has one', () => {
  expect(findRemedy('Row 2 has the same id')).toBe('Keep one row per record.');
  expect(findRemedy('Has 3 cells where the header has 2')).toMatch(/^Put cells .* in quotes\.$/);
  expect(findRemedy('Must be one of unit, recipe')).toBeUndefined();
});

test('names the first rows and counts the others', () => {
  expect(describeRows({ rows: [2, 1_000], count: 2 })).toBe('2, 1,000');
  const rows = Array.from({ length: 10 }, (_, at) => at + 1);
  expect(describeRows({ rows, count: 4_000 })).toMatch(/8 and 3,992 more$/);
});

test('writes problems as CSV that no spreadsheet runs', () => {
  const problems = [
    { row: 2, msg: 'Has 3 cells, not 2' },
    { row: 3, column: '=1+1', msg: 'There is no such column' },
  ];
  expect(writeProblems(problems)).toBe(
    '\uFEFFrow,column,problem\r\n2,,"Has 3 cells, not 2"\r\n3,\'=1+1,There is no such column\r\n',
  );
});
