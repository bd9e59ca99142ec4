import type { SchemaField } from '@muster/contract';
import { expect, test } from 'vitest';
import { hasOwnInput } from './schema-values.ts';

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
