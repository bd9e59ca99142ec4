import type { SchemaField } from '@muster/contract';
import { expect, test } from 'vitest';
import { addDefaults, dropDefaults, hasOwnInput } from './schema-values.ts';

const HP: SchemaField = { key: 'hp', type: 'integer', required: false, default: '10' };

test('the input of a schema key replaces its row', () => {
  expect(hasOwnInput([{ key: 'hp', value: '1' }], 0, [HP])).toBe(true);
  expect(hasOwnInput([{ key: 'mana', value: '1' }], 0, [HP])).toBe(false);
});

test('a row whose key the user types stays in the list', () => {
  expect(hasOwnInput([{ key: 'hp', value: '', isTyped: true }], 0, [HP])).toBe(false);
});

test('a second row of a schema key stays in the list', () => {
  const rows = [
    { key: 'hp', value: '1' },
    { key: 'hp', value: '2' },
  ];
  expect(rows.map((_, index) => hasOwnInput(rows, index, [HP]))).toEqual([true, false]);
});

test('another type replaces the defaults that the user did not change', () => {
  const mana: SchemaField = { key: 'mana', type: 'integer', required: false, default: '5' };
  const rows = addDefaults([{ key: 'color', value: 'red' }], [HP, mana]);
  const changed = rows.map((row) => (row.key === 'mana' ? { ...row, value: '6' } : row));
  const weight: SchemaField = { key: 'weight', type: 'integer', required: false, default: '3' };
  expect(addDefaults(dropDefaults(changed, [HP, mana]), [weight])).toEqual([
    { key: 'color', value: 'red' },
    { key: 'mana', value: '6' },
    { key: 'weight', value: '3' },
  ]);
});

test('a row that the user typed is kept, also when it equals a default', () => {
  const rows = [{ key: 'hp', value: '10', isTyped: true } as const];
  expect(dropDefaults(rows, [HP])).toEqual(rows);
});
