import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SchemaFields } from './item-schema.ts';
import type { SchemaField, SchemaFieldType } from './schema-check.ts';
import {
  findValueProblem,
  listNewSchemaProblems,
  listSchemaProblems,
  SCHEMA_FIELD_TYPES,
} from './schema-check.ts';

const fieldOf = (type: SchemaFieldType, members: Partial<SchemaField> = {}): SchemaField => ({
  key: 'key',
  type,
  required: false,
  ...(type === 'choice' && { choices: ['common', 'rare'] }),
  ...(type === 'reference' && { references: 'item' as const }),
  ...members,
});

const ID = '00000000-0000-4000-8000-00000000000a';

describe('which texts fit a type', () => {
  const CASES: Record<SchemaFieldType, { fit: string[]; unfit: string[] }> = {
    text: { fit: ['', 'any', '5'], unfit: [] },
    number: { fit: ['0', '-1.50', '007'], unfit: ['', '1e3', '1,5', '.5', '5 ', 'NaN', '+1'] },
    integer: { fit: ['0', '-12'], unfit: ['1.0', '', 'one'] },
    boolean: { fit: ['true', 'false'], unfit: ['True', '1', 'yes', ''] },
    choice: { fit: ['common', 'rare'], unfit: ['Common', '', 'epic'] },
    date: {
      fit: ['2026-12-24', '2028-02-29', '2026-12-24T18:00:00Z', '2026-12-24T18:00:00.5+02:00'],
      unfit: [
        '2026-02-29',
        '2026-13-01',
        '2026-12-00',
        '0000-01-01',
        '24.12.2026',
        '2026-12-24T25:00:00Z',
        '2026-12-24T18:00:00',
      ],
    },
    reference: { fit: [ID, ID.toUpperCase()], unfit: ['', 'sword', `${ID}0`] },
    colour: { fit: ['#ff8800', '#FF8800cc'], unfit: ['#f80', 'red', 'ff8800', '#gg8800'] },
    url: {
      fit: ['https://example.com/a.png?b=1', 'http://localhost:8080'],
      unfit: ['javascript:alert(1)', 'example.com', 'https://', 'https://a b'],
    },
  };

  test.each(SCHEMA_FIELD_TYPES)('%s', (type) => {
    const { fit, unfit } = CASES[type];
    const field = fieldOf(type);
    expect(fit.filter((value) => findValueProblem(field, value) !== undefined)).toEqual([]);
    expect(unfit.filter((value) => findValueProblem(field, value) === undefined)).toEqual([]);
  });

  test('every integer and every finite decimal number', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.nat(999), (whole, decimals) => {
        expect(findValueProblem(fieldOf('integer'), String(whole))).toBeUndefined();
        expect(findValueProblem(fieldOf('number'), `${whole}.${decimals}`)).toBeUndefined();
        expect(findValueProblem(fieldOf('integer'), `${whole}.${decimals}`)).toBeDefined();
      }),
    );
  });

  test('every moment that a date can write', () => {
    const years = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z') };
    fc.assert(
      fc.property(fc.date({ ...years, noInvalidDate: true }), (date) => {
        const moment = date.toISOString();
        expect(findValueProblem(fieldOf('date'), moment)).toBeUndefined();
        expect(findValueProblem(fieldOf('date'), moment.slice(0, 10))).toBeUndefined();
      }),
    );
  });

  test('a message names the first choices and counts the others', () => {
    const choices = Array.from({ length: 10 }, (_, index) => `c${index}`);
    expect(findValueProblem(fieldOf('choice', { choices }), 'x')).toBe(
      'Must be one of c0, c1, c2, c3, c4, c5, c6, c7 and 2 more',
    );
  });
});

const PRICE = fieldOf('number', { key: 'price', required: true });
const RARITY = fieldOf('choice', { key: 'rarity' });
const WEAPON = [PRICE, RARITY];

describe('problems of custom data', () => {
  test('a required key that is missing, and values that do not fit', () => {
    expect(listSchemaProblems(WEAPON, { rarity: 'epic', other: 'anything' })).toEqual([
      { key: 'price', rule: 'required', msg: 'Is required' },
      { key: 'rarity', rule: 'choice', msg: 'Must be one of common, rare' },
    ]);
  });

  test('a key named like a member of every object is not there', () => {
    const field = fieldOf('number', { key: 'constructor' });
    expect(listSchemaProblems([field], {})).toEqual([]);
  });

  test('an edit is not blamed for values that it does not change', () => {
    const before = { rarity: 'epic' };
    expect(listNewSchemaProblems(WEAPON, before, { ...before, note: 'new' })).toEqual([]);
    expect(listNewSchemaProblems(WEAPON, before, { rarity: 'legendary' })).toMatchObject([
      { key: 'rarity' },
    ]);
  });

  test('an edit may not remove a required key', () => {
    expect(listNewSchemaProblems(WEAPON, { price: '5' }, {})).toMatchObject([
      { key: 'price', rule: 'required' },
    ]);
  });

  test('an edit brings in no problem that the whole record does not have', () => {
    const data = fc.dictionary(
      fc.constantFrom('price', 'rarity', 'x'),
      fc.constantFrom('1', 'rare', '?'),
    );
    fc.assert(
      fc.property(data, data, (before, after) => {
        const all = listSchemaProblems(WEAPON, after);
        const brought = listNewSchemaProblems(WEAPON, before, after);
        expect(all).toEqual(expect.arrayContaining(brought));
        expect(listNewSchemaProblems(WEAPON, after, after)).toEqual([]);
      }),
    );
  });
});

describe('the fields of a schema', () => {
  const problemsOf = (...fields: object[]) =>
    SchemaFields.safeParse(fields).error?.issues.map(({ path, message }) => [path, message]) ?? [];

  test('are accepted with a label, a default and choices', () => {
    const price = { key: 'price', type: 'number', required: true, default: '10', label: 'Price' };
    expect(problemsOf(price, { key: 'rarity', type: 'choice', choices: ['common'] })).toEqual([]);
  });

  test.each([
    [
      'a key twice',
      [
        { key: 'a', type: 'text' },
        { key: 'a', type: 'number' },
      ],
      [1, 'key'],
    ],
    ['a choice without values', [{ key: 'a', type: 'choice' }], [0, 'choices']],
    ['a value twice', [{ key: 'a', type: 'choice', choices: ['b', 'b'] }], [0, 'choices']],
    ['values of another type', [{ key: 'a', type: 'text', choices: ['b'] }], [0, 'choices']],
    ['a reference to nothing', [{ key: 'a', type: 'reference' }], [0, 'references']],
    ['a default that does not fit', [{ key: 'a', type: 'number', default: 'x' }], [0, 'default']],
    ['the key __proto__', [{ key: '__proto__', type: 'text' }], [0, 'key']],
  ])('are refused with %s', (_, fields, path) => {
    expect(problemsOf(...fields).map(([at]) => at)).toEqual([path]);
  });

  test('are refused above 64 KiB', () => {
    const choices = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(250, 'x'));
    const fields = ['a', 'b', 'c'].map((key) => ({ key, type: 'choice', choices }));
    expect(problemsOf(...fields)).toEqual([[[], 'Must have at most 65536 bytes as JSON']]);
  });
});
