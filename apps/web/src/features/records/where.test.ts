import { expect, test } from 'vitest';
import { ITEM, XP } from './record-kind.ts';
import {
  addCondition,
  joinConditions,
  labelField,
  listConditions,
  nameKey,
  readField,
  removeCondition,
} from './where.ts';

const [a, b, c] = ['a', 'b', 'c'].map((field) => ({ field, op: 'is_empty' as const })) as [
  { field: string; op: 'is_empty' },
  { field: string; op: 'is_empty' },
  { field: string; op: 'is_empty' },
];

test.each([
  [ITEM, 'Name', 'name'],
  [ITEM, ' item TYPE ', 'item_type'],
  [ITEM, 'price', 'custom_data.price'],
  [ITEM, 'custom_data.name', 'custom_data.name'],
  [ITEM, 'Levels', 'custom_data.Levels'],
  [XP, 'Levels', 'levels'],
])('%s: the text "%s" names a field or a key', (kind, typed, field) => {
  expect(readField(kind, typed)).toBe(field);
});

test('a suggested key is read as that key, also with the name of a field', () => {
  for (const key of ['price', 'Name', 'version']) {
    expect(readField(ITEM, nameKey(ITEM, key))).toBe(`custom_data.${key}`);
    expect(labelField(readField(ITEM, nameKey(ITEM, key)))).toBe(key);
  }
});

test('conditions are added to the list that the filter has', () => {
  expect(addCondition({}, a)).toEqual({ and: [a] });
  expect(addCondition({ and: [a] }, b)).toEqual({ and: [a, b] });
  expect(addCondition({ or: [a] }, b)).toEqual({ or: [a, b] });
  expect(addCondition({ and: [a], or: [b] }, c)).toEqual({ and: [a, c], or: [b] });
});

test('a removed condition leaves the others, and the last one leaves no filter', () => {
  const where = { and: [a, b], or: [c] };
  const places = listConditions(where);
  expect(places.map((place) => removeCondition(where, place))).toEqual([
    { and: [b], or: [c] },
    { and: [a], or: [c] },
    { and: [a, b] },
  ]);
  const [only] = listConditions({ or: [a] });
  expect(only && removeCondition({ or: [a] }, only)).toBeUndefined();
});

test('all conditions move to one list', () => {
  expect(joinConditions({ and: [a], or: [b] }, 'or')).toEqual({ or: [a, b] });
});
