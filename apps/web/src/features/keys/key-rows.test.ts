import { expect, test } from 'vitest';
import type { Account, Key } from './key-rows.ts';
import { filterRows, listRows, readState } from './key-rows.ts';

const key = (more: Partial<Key> = {}): Key => ({
  key_id: 'k1',
  name: 'Live',
  prefix: 'msk_abcdefgh',
  permissions: ['session:view'],
  created: '2026-01-01T00:00:00.000Z',
  ...more,
});
const account = (name: string, keys: Key[]): Account => ({
  account_id: name,
  name,
  created: '2026-01-01T00:00:00.000Z',
  keys,
});

test('a key is inactive after it is revoked or expires', () => {
  const now = new Date('2026-06-01T00:00:00Z');
  expect(readState(key(), now)).toBe('active');
  expect(readState(key({ expires: '2026-06-01T00:00:00.000Z' }), now)).toBe('expired');
  expect(readState(key({ revoked: '2026-02-01T00:00:00.000Z' }), now)).toBe('revoked');
});

test('an account without keys has a row unless a state filter is set', () => {
  const rows = listRows([account('Backend', []), account('Bot', [key()])]);
  expect(rows.map(({ id }) => id)).toEqual(['Backend', 'k1']);
  expect(filterRows(rows, { state: 'active' }).map(({ id }) => id)).toEqual(['k1']);
  expect(filterRows(rows, { name: 'back' }).map(({ id }) => id)).toEqual(['Backend']);
});

test('a search for a complete key finds its row', () => {
  const rows = listRows([account('Bot', [key()])]);
  expect(filterRows(rows, { name: 'msk_abcdefghijklmnop' })).toHaveLength(1);
  expect(filterRows(rows, { name: 'msk_other' })).toHaveLength(0);
});
