import { expect, test } from 'vitest';
import { pickOwnCookies } from './better-auth.ts';

test('the accounts library sees its own cookies only', () => {
  const header =
    'a=b; muster.session_token=x.y;__Secure-muster.two_factor=z; amuster.c=d; musterx=1';
  expect(pickOwnCookies(header)).toBe(' muster.session_token=x.y;__Secure-muster.two_factor=z');
  expect(pickOwnCookies('')).toBe('');
});

test('the accounts library sees no more cookies than it has, however many come', () => {
  const header = Array.from({ length: 5_000 }, (_, index) => `muster.${index}=x`).join('; ');
  expect(pickOwnCookies(header).split(';')).toHaveLength(20);
});
