import type { RecordCondition } from '@muster/contract';
import { recordWhere } from '@muster/contract';
import { describe, expect, test } from 'vitest';
import type { FilteredRecord } from './where-rules.ts';
import { matchesWhere } from './where-rules.ts';

const SWORD: FilteredRecord = {
  fields: {
    name: 'Straße Sword',
    item_type: 'unit',
    tags: ['Sword', 'rare'],
    legacy_item_id: 7,
    custom_data: { price: '500.50', rarity: 'Legendary', sold: 'True', made: '2026-11-01', é: 'É' },
  },
  version: 3,
  created: new Date('2026-01-01T00:00:00Z'),
  updated: new Date('2026-02-01T00:00:00Z'),
};

const TABLE: FilteredRecord = {
  ...SWORD,
  fields: {
    name: 'Levels',
    custom_data: {},
    xp_thresholds: [
      { level: 1, xp: 0 },
      { level: 2, xp: 90 },
    ],
  },
};

type Case = [field: string, op: RecordCondition['op'], value: string | undefined, isMatch: boolean];

const CASES: Case[] = [
  ['name', 'eq', 'STRASSE sword', true],
  ['name', 'contains', 'SWO', true],
  ['name', 'starts_with', 'sword', false],
  ['name', 'is_empty', undefined, false],
  ['item_type', 'ne', 'recipe', true],
  ['description', 'is_empty', undefined, true],
  ['description', 'ne', 'x', true],
  ['tags', 'has', 'sword', true],
  ['tags', 'has', 'swor', false],
  ['tags', 'has_not', 'sword', false],
  ['tags', 'is_empty', undefined, false],
  ['legacy_item_id', 'eq', '7', true],
  ['legacy_item_id', 'eq', '7.0', true],
  ['version', 'gt', '2.5', true],
  ['version', 'lt', '3', false],
  ['created', 'gte', '2026-01-01T01:00:00+01:00', true],
  ['updated', 'lt', '2026-02-01T00:00:00Z', false],
  ['custom_data.price', 'gt', '500', true],
  ['custom_data.price', 'eq', '500.5', true],
  // As texts, "1000" would be less than "500.50".
  ['custom_data.price', 'lt', '1000', true],
  ['custom_data.price', 'starts_with', '500.', true],
  // Not a number, so it is neither more nor less than one.
  ['custom_data.rarity', 'gt', '500', false],
  ['custom_data.rarity', 'lte', '500', false],
  ['custom_data.rarity', 'eq', 'legendary', true],
  ['custom_data.rarity', 'gte', 'LEGEND', true],
  ['custom_data.é', 'eq', 'é', false],
  ['custom_data.made', 'gt', '2026-10-31', true],
  ['custom_data.sold', 'is_true', undefined, true],
  ['custom_data.sold', 'is_false', undefined, false],
  ['custom_data.none', 'is_empty', undefined, true],
  ['custom_data.none', 'ne', 'x', true],
  ['custom_data.none', 'is_false', undefined, false],
  ['custom_data.toString', 'is_empty', undefined, true],
];

describe('a condition', () => {
  test.each(CASES)('%s %s %s is %s of the Item', (field, op, value, isMatch) => {
    const where = recordWhere('item').parse({ and: [{ field, op, value }] });
    expect(matchesWhere(where, SWORD)).toBe(isMatch);
  });

  test.each<Case>([
    ['levels', 'eq', '2', true],
    ['top', 'gte', '90', true],
    ['top', 'gt', '90', false],
  ])('%s %s %s is %s of the Xp table', (field, op, value, isMatch) => {
    const where = recordWhere('xp').parse({ or: [{ field, op, value }] });
    expect(matchesWhere(where, TABLE)).toBe(isMatch);
  });
});

test('all conditions of `and` are true, and one of `or`', () => {
  const [yes, no] = ['sword', 'shield'].map(
    (value): RecordCondition => ({ field: 'tags', op: 'has', value }),
  ) as [RecordCondition, RecordCondition];
  expect(matchesWhere({ and: [yes, yes] }, SWORD)).toBe(true);
  expect(matchesWhere({ and: [yes, no] }, SWORD)).toBe(false);
  expect(matchesWhere({ or: [no, yes] }, SWORD)).toBe(true);
  expect(matchesWhere({ or: [no, no] }, SWORD)).toBe(false);
  expect(matchesWhere({ and: [yes], or: [no, yes] }, SWORD)).toBe(true);
  expect(matchesWhere({ and: [yes], or: [no] }, SWORD)).toBe(false);
});

describe('is refused with the path of the problem', () => {
  const many = (count: number) =>
    Array.from({ length: count }, () => ({ field: 'name', op: 'is_empty' }));

  test.each([
    ['without a condition', {}, []],
    ['with an empty list', { and: [] }, []],
    ['with eleven conditions', { and: many(11) }, ['and']],
    ['with eleven conditions in both lists', { and: many(6), or: many(5) }, []],
    [
      'with an unknown field',
      { and: [{ field: 'price', op: 'eq', value: '1' }] },
      ['and', 0, 'field'],
    ],
    [
      'with a field of Xp tables',
      { and: [{ field: 'levels', op: 'eq', value: '1' }] },
      ['and', 0, 'field'],
    ],
    ['without a key', { and: [{ field: 'custom_data.', op: 'is_empty' }] }, ['and', 0, 'field']],
    [
      'with an unknown operator',
      { and: [{ field: 'name', op: 'like', value: 'a' }] },
      ['and', 0, 'op'],
    ],
    [
      'with an operator of lists',
      { or: [{ field: 'name', op: 'has', value: 'a' }] },
      ['or', 0, 'op'],
    ],
    [
      'with an operator of numbers',
      { or: [{ field: 'tags', op: 'gt', value: '1' }] },
      ['or', 0, 'op'],
    ],
    [
      'with a text for a number',
      { or: [{ field: 'version', op: 'gt', value: 'x' }] },
      ['or', 0, 'value'],
    ],
    [
      'with a date without a zone',
      { or: [{ field: 'created', op: 'gt', value: '2026-01-01' }] },
      ['or', 0, 'value'],
    ],
    ['without a value', { or: [{ field: 'name', op: 'eq' }] }, ['or', 0, 'value']],
    [
      'with a value too many',
      { or: [{ field: 'name', op: 'is_empty', value: 'a' }] },
      ['or', 0, 'value'],
    ],
    [
      'with a long value',
      { or: [{ field: 'name', op: 'eq', value: 'a'.repeat(257) }] },
      ['or', 0, 'value'],
    ],
  ])('%s', (_, input, path) => {
    const parsed = recordWhere('item').safeParse(input);
    expect(parsed.error?.issues.map((issue) => issue.path)).toEqual([path]);
  });
});
