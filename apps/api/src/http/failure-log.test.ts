import { expect, test } from 'vitest';
import { findTargetValues, hideValues } from './failure-log.ts';

test('what the target of a request says is hidden in a message, in either case', () => {
  const values = findTargetValues('/a/Sw%C3%B6rd?name=(iron)+axe', '/a/{name}');
  expect(hideValues('no row for SWÖRD, (Iron) axe', values)).toBe(
    'no row for [request], [request]',
  );
});

test('a value as long as a target may be is hidden like any other', () => {
  const long = 'a'.repeat(60_000);
  expect(hideValues(`invalid: ${long}!`, findTargetValues(`/x?q=${long}`, '/x'))).toBe(
    'invalid: [request]!',
  );
});

test('the messages of a request with very many values are hidden as a whole', () => {
  const query = Array.from({ length: 9_000 }, (_, index) => `a=${index + 100}`).join('&');
  expect(hideValues('failed at 4711', findTargetValues(`/x?${query}`, '/x'))).toBe('[request]');
});
