import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromCell, toCell } from './csv-cells.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['＝1', "'＝1"],
  ["'=1", "''=1"],
  ['', "'"],
  ["'", "''"],
  ["'quoted", "'quoted"],
  ['1-1', '1-1'],
])('writes the text %j as the cell %j, and reads it back', (text, cell) => {
  expect(toCell('text', text)).toBe(cell);
  expect(fromCell('text', cell)).toBe(text);
});

test('every text comes back as it was, and no cell begins as a formula does', () => {
  const character = fc.constantFrom("'", '=', '+', '-', '@', '\t', '\n', '\r', '＝', 'a', ' ', '"');
  const text = fc.oneof(
    fc.string(),
    fc.array(character, { maxLength: 5 }).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(text, (value) => {
      const cell = toCell('text', value);
      expect(cell).not.toMatch(/^(?:[=+\-@\t\r\n＝＋－＠]|$)/);
      expect(fromCell('text', cell)).toBe(value);
    }),
  );
});

test('a formula typed by hand is read as it stands', () => {
  expect(fromCell('text', '=1+1')).toBe('=1+1');
});

test('an empty cell says that there is no value, whatever its type', () => {
  for (const type of ['text', 'plain', 'integer', 'json'] as const) {
    expect(toCell(type, undefined)).toBe('');
    expect(fromCell(type, '')).toBeNull();
  }
});

test('integers and JSON are read as values, or left for the schema to refuse', () => {
  expect(fromCell('integer', '-42')).toBe(-42);
  expect(fromCell('integer', '4.5')).toBe('4.5');
  expect(fromCell('json', '{"a":"b"}')).toEqual({ a: 'b' });
  expect(fromCell('json', '{a}')).toBeUndefined();
});
