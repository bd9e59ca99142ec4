import { expect, test } from 'vitest';
import { describeRows, groupProblems } from './problem-groups.ts';

test('groups the same error in many rows with its fix, the most frequent first', () => {
  const groups = groupProblems([
    { row: 2, msg: 'Has 3 cells where the header has 2' },
    { row: 3, column: 'item_id', msg: 'Row 2 has the same id' },
    { row: 9, column: 'item_id', msg: 'Row 8 has the same id' },
    { row: 9, column: 'item_type', msg: 'Must be one of unit, recipe' },
  ]);
  expect(groups.map(({ column, rows }) => [column, rows])).toEqual([
    ['item_id', [3, 9]],
    [undefined, [2]],
    ['item_type', [9]],
  ]);
  expect(groups.map(({ remedy }) => remedy)).toEqual([
    'Keep one row per id.',
    'Put cells that hold commas or line breaks in quotes.',
    undefined,
  ]);
});

test('names the first rows and counts the others', () => {
  expect(describeRows([2, 1_000])).toBe('2, 1,000');
  expect(describeRows(Array.from({ length: 10 }, (_, at) => at + 1))).toMatch(/8 and 2 more$/);
});
