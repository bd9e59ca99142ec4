import { expect, test } from 'vitest';
import { pickOwnCookies } from './better-auth.ts';

test('the accounts library receives only its own cookies', () => {
  const header =
    'a=b; muster.session_token=x.y;__Secure-muster.two_factor=z; __Host-muster.two_factor=v; amuster.c=d; musterx=1';
  expect(pickOwnCookies(header)).toBe('muster.session_token=x.y; __Host-muster.two_factor=v');
  expect(pickOwnCookies('')).toBe('');
});

test('the accounts library receives at most one cookie per name it uses', () => {
  const header = Array.from({ length: 5_000 }, (_, index) => `muster.${index}=x`).join('; ');
  expect(pickOwnCookies(header).split(';')).toHaveLength(20);
});
