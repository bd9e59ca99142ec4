import { expect, test } from 'vitest';
import type { SessionRow } from './session-rows.ts';
import { readSessionRowId, sessionRowId } from './session-rows.ts';

test('the id of a row names its session and its creation, without the comma that separates ids', () => {
  const created = '2026-01-01T00:00:00Z';
  const named = { type: 'duel, ranked', session_id: 'a,"b"%2C', created };
  const id = sessionRowId({ session: named } as SessionRow);
  expect(id).not.toContain(',');
  expect(readSessionRowId(id)).toEqual(named);
});

test.each(['', 'x', '%', '[1]', '%5B1%2C2%5D', '["a","b"]'])(
  'an unknown id %j names no session',
  (id) => {
    expect(readSessionRowId(id)).toBeUndefined();
  },
);
