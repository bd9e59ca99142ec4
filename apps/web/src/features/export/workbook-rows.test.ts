import { expect, test } from 'vitest';
import { createRowReader } from './workbook-rows.ts';

const read = (kind: 'item' | 'xp', records: readonly object[]) => {
  const lines = records.map((record) => JSON.stringify(record));
  const reader = createRowReader(kind);
  for (const line of lines) reader.add(line);
  const header = reader.header();
  return { header, rows: lines.map((line) => header.map((name) => reader.read(line).get(name))) };
};

const bow = (custom_data: object) => ({ item_id: 'b', name: 'Bow', tags: ['x'], custom_data });

test('gives every key of custom data a column, and keeps numbers as text', () => {
  const { header, rows } = read('item', [
    bow({ price: '0.10', rarity: 'rare' }),
    { ...bow({ ammo: '1e21' }), legacy_item_id: 7 },
  ]);
  const columns = ['custom_data.ammo', 'custom_data.price', 'custom_data.rarity'];
  expect(header.slice(-3)).toEqual(columns);
  expect(rows[0]?.slice(-3)).toEqual([undefined, '0.10', 'rare']);
  expect(rows[1]?.slice(0, 3)).toEqual(['b', '7', 'Bow']);
  expect(rows[1]?.slice(-3)).toEqual(['1e21', undefined, undefined]);
});

test.each([
  ['differ only in case', { price: '1', Price: '2' }],
  ['have white space at an end', { 'price ': '1' }],
  ['are too many', Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`k${at}`, '1']))],
])('keeps custom data in one column when the keys %s', (_, custom_data) => {
  const { header, rows } = read('item', [bow(custom_data)]);
  expect(header.at(-1)).toBe('custom_data');
  expect(JSON.parse(rows[0]?.at(-1) ?? '')).toEqual(custom_data);
});

test('puts the facts of a version before its record', () => {
  const version = { seq: 3, operation: 'insert', changed_fields: ['name'], record: bow({}) };
  const { header, rows } = read('item', [version]);
  expect(header.slice(0, 2)).toEqual(['seq', 'version_id']);
  expect(rows[0]?.[0]).toBe('3');
  expect(rows[0]?.[header.indexOf('name')]).toBe('Bow');
  expect(rows[0]?.[header.indexOf('changed_fields')]).toBe('["name"]');
});

test('escapes only what a reader of workbooks or an import would change', () => {
  const { rows } = read('xp', [
    { name: '=1+1', description: "'=x" },
    { name: '_x0041_', description: '' },
  ]);
  expect(rows.map((row) => row.slice(2, 4))).toEqual([
    ['=1+1', "''=x"],
    ['_x005F_x0041_', "'"],
  ]);
});

test('escapes the keys of custom data as values are escaped', () => {
  const { header, rows } = read('item', [bow({ _x0041_: '_x0042_' })]);
  expect(header.at(-1)).toBe('custom_data._x005F_x0041_');
  expect(rows[0]?.at(-1)).toBe('_x005F_x0042_');
});
