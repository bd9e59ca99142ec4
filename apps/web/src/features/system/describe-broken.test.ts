import { expect, test } from 'vitest';
import { describeBroken, describeFound } from './describe-broken.ts';

/** The findings that apps/api/src/verification can report. */
const FOUND = [
  'position',
  'hash',
  'version_name',
  'changed_fields',
  'record',
  'head_seq',
  'head_hash',
  'item_versions',
  'xp_versions',
  'record.head_seq',
  'record.version',
  'record.name',
  'record.folded_name',
  'record.deleted',
  'record.legacy_id',
  'record.snapshot',
];

test.each(FOUND)('%s has a sentence', (what) => {
  expect(describeBroken(what)).toMatch(/^[A-Z][^_]+\.$/);
});

test('fields have the same labels as in the rest of the app', () => {
  expect(describeFound('changed_fields', 'custom_data, item_type')).toBe('Custom data, Item type');
  expect(describeFound('changed_fields', '')).toBe('none');
  expect(describeFound('head_seq', '5')).toBe('5');
});
