import { describe, expect, test } from 'vitest';
import { parseCells, pasteCells } from './threshold-rows.ts';

describe('cells from the clipboard', () => {
  test.each([
    [
      '1\t0\n2\t100\n',
      [
        ['1', '0'],
        ['2', '100'],
      ],
    ],
    [
      '1\t0\r\n2\t1,000\r\n3\t1 500\r\n',
      [
        ['1', '0'],
        ['2', '1000'],
        ['3', '1500'],
      ],
    ],
    ['Level\tXp\n1\t0', [['1', '0']]],
    [
      '1;0\n2;100',
      [
        ['1', '0'],
        ['2', '100'],
      ],
    ],
    [
      '1, 0\n2, 1000',
      [
        ['1', '0'],
        ['2', '1000'],
      ],
    ],
    [
      '1,0\n2,50',
      [
        ['1', '0'],
        ['2', '50'],
      ],
    ],
    [
      '1 0\n2 100',
      [
        ['1', '0'],
        ['2', '100'],
      ],
    ],
    ['0\n100\n1,250,000', [['0'], ['100'], ['1250000']]],
    [
      '1\tmany\n2\t5',
      [
        ['1', 'many'],
        ['2', '5'],
      ],
    ],
    ['1\t0', [['1', '0']]],
  ])('of %j are rows', (text, rows) => {
    expect(parseCells(text)).toEqual(rows);
  });

  test('are not split for a single value', () => {
    expect(parseCells('1200')).toBeNull();
    expect(parseCells('1200\n')).toBeNull();
  });
});

test('gives new rows of a pasted column of Xp the next levels', () => {
  const rows = [{ level: '5', xp: '0' }];
  const pasted = pasteCells(rows, { index: 0, column: 'xp' }, [['10'], ['20'], ['30']]);
  expect(pasted).toEqual([
    { level: '5', xp: '10' },
    { level: '6', xp: '20' },
    { level: '7', xp: '30' },
  ]);
});
