import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HistoryQuery } from './history-query.ts';
import { decodeCursor, encodeCursor, normaliseFilter } from './history-query.ts';

const filter = (parts: Partial<Parameters<typeof normaliseFilter>[0]>) =>
  normaliseFilter({ recordIds: undefined, legacyIds: undefined, name: undefined, ...parts });

const SANDBOX = '0196b8a0-0000-7000-8000-000000000001';
const query: HistoryQuery = { kind: 'item', sandboxId: SANDBOX, order: 'desc', filter: {} };
const state = { position: 41, asOf: 99, total: 58 };

test('every state is decoded unchanged, from at most 256 characters', () => {
  const count = fc.nat({ max: Number.MAX_SAFE_INTEGER });
  fc.assert(
    fc.property(count, count, count, (position, asOf, total) => {
      const cursor = encodeCursor(query, { position, asOf, total });
      expect(cursor.length).toBeLessThanOrEqual(256);
      expect(decodeCursor(query, cursor)).toEqual({ position, asOf, total });
    }),
  );
});

describe('a cursor is refused', () => {
  const cursor = encodeCursor(query, state);

  test.each<[string, HistoryQuery]>([
    ['of the other kind', { ...query, kind: 'xp' }],
    ['of another sandbox', { ...query, sandboxId: SANDBOX.replace(/1$/, '2') }],
    ['of the other order', { ...query, order: 'asc' }],
    ['with a filter by id', { ...query, filter: filter({ recordIds: ['a'] }) }],
    ['with a filter by no id', { ...query, filter: filter({ recordIds: [] }) }],
    ['with a filter by legacy id', { ...query, filter: filter({ legacyIds: [1] }) }],
    ['with a filter by name', { ...query, filter: filter({ name: 'a' }) }],
  ])('for a query %s', (_, other) => {
    expect(decodeCursor(other, cursor)).toBeNull();
  });

  test('when any character of it is changed', () => {
    for (const index of cursor.split('').keys()) {
      for (const character of ['A', 'z', '-', '=', ' ', '%']) {
        const altered = cursor.slice(0, index) + character + cursor.slice(index + 1);
        if (altered !== cursor) expect(decodeCursor(query, altered)).toBeNull();
      }
    }
  });

  test.each(['position', 'asOf', 'total'])('when it is forged with a %s beyond BIGINT', (field) => {
    const forged = encodeCursor(query, { ...state, [field]: 2 ** 63 });
    expect(decodeCursor(query, forged)).toBeNull();
  });

  test.each(['', '0', '1', 'abc', cursor.slice(1), `${cursor}A`, `${cursor}=`, 'é'.repeat(55)])(
    'when it is %j',
    (text) => expect(decodeCursor(query, text)).toBeNull(),
  );
});

describe('a cursor is valid for the same query in another spelling', () => {
  const ids = ['b', 'a'];

  test.each([
    [{ recordIds: ids }, { recordIds: ['a', 'b', 'a'] }],
    [{ legacyIds: [10, 9] }, { legacyIds: [9, 10, 10] }],
    [{ name: 'Straße' }, { name: 'STRASSE' }],
    [{ name: '' }, {}],
  ])('%j and %j', (left, right) => {
    const cursor = encodeCursor({ ...query, filter: filter(left) }, state);
    expect(decodeCursor({ ...query, filter: filter(right) }, cursor)).toEqual(state);
  });
});
