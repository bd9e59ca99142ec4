import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromCell, toCell } from './csv-cells.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t'=1"],
  ['＝1', "'＝1"],
  ["'=1", "''=1"],
  ['', "'"],
  ["'", "''"],
  ["'quoted", "'quoted"],
  ['1-1', '1-1'],
  // Other spreadsheets split here.
  ['a;=1', "a;'=1"],
  ["a\t'@b,-1", "a\t''@b,'-1"],
  ['a;"+1"', 'a;"\'+1"'],
  ['a\r\n\n=1', "a\r'\n'\n'=1"],
  ['a; =1', 'a; =1'],
])('writes the text %j as the cell %j, and reads it back', (text, cell) => {
  expect(toCell('text', text)).toBe(cell);
  expect(fromCell('text', cell)).toBe(text);
});

const character = fc.constantFrom(...Array.from('\'=+-@\t\n\r＝a ,;|"\\'));
const hostileText = fc.oneof(
  fc.string(),
  fc.array(character, { maxLength: 8 }).map((all) => all.join('')),
);
/** At the beginning of a cell, or where some spreadsheets start another cell. */
const FORMULA = /(?:^|[,;|\t\r\n"])[=+\-@\t\r\n＝＋－＠]/;

test('every text is restored unchanged, and no part of a cell starts like a formula', () => {
  fc.assert(
    fc.property(hostileText, (value) => {
      const cell = toCell('text', value);
      expect(cell).not.toMatch(FORMULA);
      expect(cell).not.toBe('');
      expect(fromCell('text', cell)).toBe(value);
    }),
  );
});

test('lists and maps are restored unchanged, and no part of their cells starts like a formula', () => {
  expect(toCell('json', ['=1', 'a;-1', 'a=1'])).toBe('["\\u003d1","a;\\u002d1","a=1"]');
  fc.assert(
    fc.property(fc.dictionary(hostileText, hostileText), (value) => {
      const cell = toCell('json', value);
      expect(cell).not.toMatch(FORMULA);
      expect(fromCell('json', cell)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('a formula typed by hand is read unchanged', () => {
  expect(fromCell('text', '=1+1')).toBe('=1+1');
});

test('an empty cell means no value for every type', () => {
  for (const type of ['text', 'plain', 'integer', 'json'] as const) {
    expect(toCell(type, undefined)).toBe('');
    expect(fromCell(type, '')).toBeNull();
  }
});

test('integers and JSON are parsed, or left as text for the schema to refuse', () => {
  expect(fromCell('integer', '-42')).toBe(-42);
  expect(fromCell('integer', '4.5')).toBe('4.5');
  expect(fromCell('json', '{"a":"b"}')).toEqual({ a: 'b' });
  expect(fromCell('json', '{a}')).toBeUndefined();
});

test('a list with too many parts is refused by its length, without reading the parts', () => {
  const parts = fromCell('list', ';'.repeat(100_000)) as string[];
  expect(parts.length).toBeGreaterThan(100);
  expect(parts.length).toBeLessThan(1_000);
  expect(fromCell('list', `a${';'.repeat(200)}b`)).toEqual(['a', 'b']);
});
