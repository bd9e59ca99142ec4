// How many failures are too many. Addresses of IPv6 count by their /64, which is what one customer holds.
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { ThrottleRule } from './throttle-store.ts';

const MINUTE = 60;
const HOUR = 3_600;

/**
 * One person's mistyping is far below; the third rule bounds guessing from many addresses without giving a
 * stranger an easy way to lock somebody out.
 */
export const limitSignIn = (address: string | undefined, email: string): ThrottleRule[] => {
  const network = toNetwork(address);
  const person = digest(email);
  return [
    { key: `sign-in:${network}:${person}`, limit: 5, windowSeconds: 5 * MINUTE },
    { key: `sign-in:${network}`, limit: 30, windowSeconds: 5 * MINUTE },
    { key: `sign-in:*:${person}`, limit: 100, windowSeconds: HOUR },
  ];
};

export const limitSecondFactor = (address: string | undefined): ThrottleRule[] => [
  { key: `second-factor:${toNetwork(address)}`, limit: 10, windowSeconds: 5 * MINUTE },
];

/** For what a signed-in person confirms with the password. */
export const limitPassword = (accountId: string): ThrottleRule[] => [
  { key: `password:${accountId}`, limit: 10, windowSeconds: 5 * MINUTE },
];

export const limitInvitations = (address: string | undefined): ThrottleRule[] => [
  { key: `invitation:${toNetwork(address)}`, limit: 30, windowSeconds: 5 * MINUTE },
];

/** Records of failures are bounded for the whole service, so that an attack cannot fill the disk. */
export const limitRefusalRecords = (): ThrottleRule[] => [
  { key: 'refusal-records', limit: 1_000, windowSeconds: HOUR },
];

/** An address may be typed: it is not kept in the clear. */
const digest = (email: string): string =>
  createHash('sha256').update(email).digest('base64url').slice(0, 22);

const toNetwork = (address: string | undefined): string => {
  if (address === undefined) return 'unknown';
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  return isIPv6(plain) ? `${expand(plain).slice(0, 4).join(':')}::/64` : plain;
};

/** The eight groups of an IPv6 address (RFC 4291 section 2.2); an embedded IPv4 part lies beyond the /64. */
const expand = (address: string): string[] => {
  const [head = '', tail] = address.split('::', 2);
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(0, missing)).fill('0'), ...right];
  return groups.map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''));
};
