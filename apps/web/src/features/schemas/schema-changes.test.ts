import type { SchemaField } from '@muster/contract';
import { expect, test } from 'vitest';
import { compareFields, hasChanges } from './schema-changes.ts';

const PRICE: SchemaField = { key: 'price', type: 'number', required: true, label: 'Price' };
const RARITY: SchemaField = {
  key: 'rarity',
  type: 'choice',
  required: false,
  choices: ['common', 'rare'],
};

test('equal schemas have no changes', () => {
  expect(hasChanges(compareFields([PRICE, RARITY], [PRICE, RARITY]))).toBe(false);
});

test('fields are added, removed and changed', () => {
  const after: SchemaField[] = [
    { ...RARITY, choices: ['common', 'rare', 'epic'], default: 'common' },
    { key: 'weight', type: 'integer', required: false },
  ];
  expect(compareFields([PRICE, RARITY], after)).toEqual({
    added: ['weight'],
    changed: [
      {
        key: 'rarity',
        parts: ['default none → common', 'values common, rare → common, rare, epic'],
      },
    ],
    removed: ['price'],
    isReordered: false,
  });
});

test('another type names what both types need', () => {
  const after: SchemaField = {
    key: 'rarity',
    type: 'reference',
    required: true,
    references: 'xp',
  };
  expect(compareFields([RARITY], [after]).changed).toEqual([
    {
      key: 'rarity',
      parts: [
        'type Choice → Reference',
        'values common, rare → none',
        'refers to none → Xp tables',
        'required no → yes',
      ],
    },
  ]);
});

test('another order is a change', () => {
  const changes = compareFields([PRICE, RARITY], [RARITY, PRICE]);
  expect(changes).toMatchObject({ added: [], changed: [], removed: [], isReordered: true });
  expect(hasChanges(changes)).toBe(true);
});
