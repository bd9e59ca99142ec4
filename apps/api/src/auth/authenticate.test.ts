import { expect, test } from 'vitest';
import { createTokenCache } from './authenticate.ts';

const caller = { accountId: 'studio', permissions: ['session:*'] };

test('a token is cached until it expires, and not a millisecond longer', () => {
  let now = 1_000;
  const tokens = createTokenCache(() => now);
  tokens.lookUp('a.b.c').store(caller, 2_000);
  expect(tokens.lookUp('a.b.c').caller).toEqual(caller);
  expect(tokens.lookUp('a.b.d').caller).toBeUndefined();
  now = 1_999;
  expect(tokens.lookUp('a.b.c').caller).toEqual(caller);
  now = 2_000;
  expect(tokens.lookUp('a.b.c').caller).toBeUndefined();
});

test('a verification that began before the keys changed is not cached', () => {
  const tokens = createTokenCache(() => 0);
  const late = tokens.lookUp('late');
  tokens.lookUp('old').store(caller, 1);
  tokens.clear();
  late.store(caller, 1);
  expect([tokens.lookUp('old').caller, tokens.lookUp('late').caller]).toEqual([
    undefined,
    undefined,
  ]);
  tokens.lookUp('new').store(caller, 1);
  expect(tokens.lookUp('new').caller).toEqual(caller);
});

test('the number of cached tokens is bounded', () => {
  const tokens = createTokenCache(() => 0);
  for (let index = 0; index <= 20_000; index += 1) tokens.lookUp(`token-${index}`).store(caller, 1);
  expect(tokens.lookUp('token-0').caller).toBeUndefined();
  expect(tokens.lookUp('token-1').caller).toEqual(caller);
});

test('equal lists of permissions are stored once', () => {
  const tokens = createTokenCache(() => 0);
  const others = ['session:*', 'audit:view'];
  tokens.lookUp('a').store(caller, 1);
  tokens.lookUp('b').store({ accountId: 'b', permissions: [...caller.permissions] }, 1);
  tokens.lookUp('c').store({ accountId: 'c', permissions: others }, 1);
  expect(tokens.lookUp('b').caller?.permissions).toBe(tokens.lookUp('a').caller?.permissions);
  expect(tokens.lookUp('c').caller).toEqual({ accountId: 'c', permissions: others });
});
