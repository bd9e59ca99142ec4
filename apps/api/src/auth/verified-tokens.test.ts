import { expect, test } from 'vitest';
import { createVerifiedTokens } from './verified-tokens.ts';

const caller = { accountId: 'studio', permissions: ['session:*'] };

test('a token is known until it expires, and not a millisecond longer', () => {
  let now = 1_000;
  const tokens = createVerifiedTokens(() => now);
  tokens.look('a.b.c').keep(caller, 2_000);
  expect(tokens.look('a.b.c').caller).toEqual(caller);
  expect(tokens.look('a.b.d').caller).toBeUndefined();
  now = 1_999;
  expect(tokens.look('a.b.c').caller).toEqual(caller);
  now = 2_000;
  expect(tokens.look('a.b.c').caller).toBeUndefined();
});

test('a check that began before the keys changed keeps nothing', () => {
  const tokens = createVerifiedTokens(() => 0);
  const late = tokens.look('late');
  tokens.look('old').keep(caller, 1);
  tokens.clear();
  late.keep(caller, 1);
  expect([tokens.look('old').caller, tokens.look('late').caller]).toEqual([undefined, undefined]);
  tokens.look('new').keep(caller, 1);
  expect(tokens.look('new').caller).toEqual(caller);
});

test('the number of tokens is bounded', () => {
  const tokens = createVerifiedTokens(() => 0);
  for (let index = 0; index <= 20_000; index += 1) tokens.look(`token-${index}`).keep(caller, 1);
  expect(tokens.look('token-0').caller).toBeUndefined();
  expect(tokens.look('token-1').caller).toEqual(caller);
});

test('equal lists of permissions are kept once', () => {
  const tokens = createVerifiedTokens(() => 0);
  const others = ['session:*', 'audit:view'];
  tokens.look('a').keep(caller, 1);
  tokens.look('b').keep({ accountId: 'b', permissions: [...caller.permissions] }, 1);
  tokens.look('c').keep({ accountId: 'c', permissions: others }, 1);
  expect(tokens.look('b').caller?.permissions).toBe(tokens.look('a').caller?.permissions);
  expect(tokens.look('c').caller).toEqual({ accountId: 'c', permissions: others });
});
