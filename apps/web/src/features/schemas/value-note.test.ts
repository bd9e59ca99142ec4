import type { SchemaField } from '@muster/contract';
import { expect, test } from 'vitest';
import { describeValue } from './value-note.ts';

const PRICE: SchemaField = { key: 'price', type: 'number', required: true };
const NOTE: SchemaField = { key: 'note', type: 'number', required: false };

test('a value that fits has no note', () => {
  expect(describeValue(PRICE, '5', { price: 'cheap' })).toEqual({});
  expect(describeValue(NOTE, '', { note: 'cheap' })).toEqual({});
});

test('a changed value that does not fit is an error', () => {
  const error = 'Must be a number in decimal digits.';
  expect(describeValue(PRICE, 'cheap', { price: '5' })).toEqual({ error });
  expect(describeValue(PRICE, 'cheap', {})).toEqual({ error });
  expect(describeValue(PRICE, 'cheap', undefined)).toEqual({ error });
});

test('an old value that does not fit is a warning', () => {
  const warning = 'Does not fit the schema: must be a number in decimal digits; you can keep it.';
  expect(describeValue(PRICE, 'cheap', { price: 'cheap' })).toEqual({ warning });
  expect(describeValue(NOTE, '', { note: '' })).toEqual({ warning });
});

test('a required key cannot be removed, and may be missing if it was before', () => {
  expect(describeValue(PRICE, '', { price: '5' })).toEqual({ error: 'Is required.' });
  const warning = 'The schema requires this key; you can leave it empty.';
  expect(describeValue(PRICE, '', {})).toEqual({ warning });
  expect(describeValue(PRICE, '', undefined)).toEqual({});
});

test('a key named like a member of every object is missing', () => {
  const field: SchemaField = { key: 'constructor', type: 'number', required: false };
  expect(describeValue(field, '', {})).toEqual({});
});
