import { expect, test } from 'vitest';
import type { CellField } from './cell-fields.ts';
import { planPaste, readPastedColumn } from './paste-rules.ts';
import type { StoredRecord } from './record-kind.ts';

const PRICE: CellField = { name: 'custom_data', key: 'price', label: 'price' };
const TAGS: CellField = { name: 'tags', key: '', label: 'Tags' };

const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    item_id: `${at}`,
    tags: [],
    custom_data: { price: '1', other: 'x' },
  })) as unknown as StoredRecord[];

test('reads the first cell of each line, and says that there are more columns', () => {
  expect(readPastedColumn('1\tx\r\n 2 \ty\r\n')).toEqual({
    values: ['1', '2'],
    hasMoreColumns: true,
  });
});

test('keeps empty cells at the end of the column', () => {
  expect(readPastedColumn('100\r\n\r\n\r\n').values).toEqual(['100', '', '']);
});

test.each([
  ['with line ends', '"a\nb"\r\nc\r\n', ['a\nb', 'c']],
  ['with a tab', '"a\tb"\nc', ['a\tb', 'c']],
  ['with quotes and a line end', '"a ""b""\nc"\nd', ['a "b"\nc', 'd']],
  ['in a later column', 'a\t"b\nc"\nd\te', ['a', 'd']],
])('reads a quoted cell %s', (_, text, values) => {
  expect(readPastedColumn(text).values).toEqual(values);
});

test.each(['"Be brave."', '"Be brave," she said', '5" disk', '"open'])(
  'keeps the quotes of %s',
  (text) => {
    expect(readPastedColumn(`${text}\nb\n`).values).toEqual([text, 'b']);
  },
);

test('changes one row for each line, keeps other keys, and removes a key for an empty line', () => {
  const { changes, unchanged, mismatch } = planPaste(PRICE, ['2', '1', ''], rows(3));
  expect(changes.map(({ patch }) => patch)).toEqual([
    { custom_data: { price: '2', other: 'x' } },
    { custom_data: { other: 'x' } },
  ]);
  expect(unchanged).toBe(1);
  expect(mismatch).toBeUndefined();
});

test('leaves deleted rows out together with their lines', () => {
  const [first, second, third] = rows(3);
  const records = [first, { ...second, deleted: true }, third] as StoredRecord[];
  const { changes, unchanged, deleted } = planPaste(PRICE, ['5', '6', '7'], records);
  expect(changes).toEqual([
    { record: first, patch: { custom_data: { price: '5', other: 'x' } } },
    { record: third, patch: { custom_data: { price: '7', other: 'x' } } },
  ]);
  expect({ unchanged, deleted }).toEqual({ unchanged: 0, deleted: 1 });
});

test('gives a single line to every row', () => {
  expect(planPaste(TAGS, ['a; b,a'], rows(2)).changes.map(({ patch }) => patch)).toEqual([
    { tags: ['a', 'b'] },
    { tags: ['a', 'b'] },
  ]);
});

test.each([
  [4, 2, '4 lines for 2 rows. The last 2 lines are not used.'],
  [2, 3, '2 lines for 3 rows. The last row is unchanged.'],
])('explains %i lines for %i rows', (lines, count, text) => {
  expect(planPaste(PRICE, Array(lines).fill('5'), rows(count)).mismatch).toBe(text);
});
