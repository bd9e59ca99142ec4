import { expect, it } from 'vitest';
import { limitInvitations, limitSignIn } from './throttle.ts';

const networkOf = (address: string | undefined) =>
  limitInvitations(address)[0]?.key.split(':').slice(1).join(':');

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  [undefined, 'unknown'],
])('the address %s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

it('stores no e-mail address of a counted person in the clear', () => {
  const keys = limitSignIn('203.0.113.9', 'a@muster.example', false).map(({ key }) => key);
  expect(keys.join()).not.toContain('@');
  expect(new Set(keys).size).toBe(3);
});

it('counts only attempts for the person from an address where the person has signed in before', () => {
  const [here, elsewhere] = ['203.0.113.9', '198.51.100.7'];
  const [person, other] = ['a@muster.example', 'b@muster.example'];
  const keysOf = (address: string, email: string, hasSignedIn: boolean) =>
    limitSignIn(address, email, hasSignedIn).map(({ key }) => key);
  const own = keysOf(here, person, true);
  const strangers = [
    ...keysOf(elsewhere, person, false),
    ...keysOf(elsewhere, person, true),
    ...keysOf(here, other, false),
    ...keysOf(here, other, true),
  ];
  expect(own.filter((key) => strangers.includes(key))).toEqual([]);
});
