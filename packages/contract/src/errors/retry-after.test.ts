import { expect, test } from 'vitest';
import { drawRetryAfter, hasRetryAfter } from './error-catalogue.ts';

test.each([
  ['service_overloaded', 1, 3],
  ['service_unavailable', 1, 3],
  ['session_busy', 1, 3],
  ['rate_limited', 1, 3],
  ['team_full', 5, 15],
  ['session_full', 5, 15],
  ['instance_unjoinable', 5, 15],
  ['instance_closed', 5, 15],
  ['sandbox_busy', 5, 15],
] as const)('Retry-After of %s is any whole second from %i to %i', (code, from, to) => {
  const almostOne = 1 - Number.EPSILON;
  expect(drawRetryAfter(code, () => 0)).toBe(from);
  expect(drawRetryAfter(code, () => almostOne)).toBe(to);
  const width = to - from + 1;
  const drawn = Array.from({ length: width }, (_, index) =>
    drawRetryAfter(code, () => (index + 0.5) / width),
  );
  expect(drawn).toEqual(Array.from({ length: width }, (_, index) => from + index));
  expect(hasRetryAfter(code)).toBe(true);
});

test('an error that persists has no Retry-After of its own', () => {
  expect(hasRetryAfter('session_etag_mismatch')).toBe(false);
});
