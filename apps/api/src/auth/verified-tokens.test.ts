import { expect, test } from 'vitest';
import { createVerifiedTokens } from './verified-tokens.ts';

const caller = { accountId: 'studio', permissions: ['session:*'] };

test('a token is known until it expires, and not a millisecond longer', () => {
  let now = 1_000;
  const tokens = createVerifiedTokens(() => now);
  tokens.beginCheck()('a.b.c', caller, 2_000);
  expect(tokens.find('a.b.c')).toBe(caller);
  expect(tokens.find('a.b.d')).toBeUndefined();
  now = 1_999;
  expect(tokens.find('a.b.c')).toBe(caller);
  now = 2_000;
  expect(tokens.find('a.b.c')).toBeUndefined();
});

test('a check that began before the keys changed keeps nothing', () => {
  const tokens = createVerifiedTokens(() => 0);
  const keep = tokens.beginCheck();
  tokens.beginCheck()('old', caller, 1);
  tokens.clear();
  keep('late', caller, 1);
  expect([tokens.find('old'), tokens.find('late')]).toEqual([undefined, undefined]);
  tokens.beginCheck()('new', caller, 1);
  expect(tokens.find('new')).toBe(caller);
});

test('the number of tokens is bounded', () => {
  const tokens = createVerifiedTokens(() => 0);
  const keep = tokens.beginCheck();
  for (let index = 0; index <= 20_000; index += 1) keep(`token-${index}`, caller, 1);
  expect(tokens.find('token-0')).toBeUndefined();
  expect(tokens.find('token-1')).toBe(caller);
});
