// Slows down guessing, where only failures stay counted, so that people who know the password do not wait; and, with far higher
// limits, what succeeds and leaves something behind.
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { ServiceError } from '../platform/index.ts';
import type { ThrottleRule, ThrottleStore } from './sign-in-store.ts';
import { NOTE_PREFIX } from './sign-in-store.ts';

export type Throttle = ReturnType<typeof createThrottle>;

export const createThrottle = (store: ThrottleStore, now: () => Date) => ({
  /** Throws `rate_limited` where a rule refuses an attempt already. Writes nothing: each write is a flush to the disk, and joins wait for it. */
  async refuseFull(rules: readonly ThrottleRule[]): Promise<void> {
    const at = now();
    const full = await store.findFull(rules, at);
    if (full) throw refuse(full.rule, full.windowStartedAt, at);
  },
  /** `refuseFull`, and `count`. */
  async take(rules: readonly ThrottleRule[]): Promise<void> {
    await this.refuseFull(rules);
    await this.count(rules);
  },
  /** Counts an attempt under every rule, or under none: throws `rate_limited` with the time to wait. */
  async count(rules: readonly ThrottleRule[]): Promise<void> {
    const at = now();
    for (const [index, rule] of rules.entries()) {
      const { attempts, windowStartedAt } = await store.take(rule, at);
      if (attempts <= rule.limit) continue;
      for (const { key } of rules.slice(0, index)) await store.giveBack(key);
      throw refuse(rule, windowStartedAt, at);
    }
  },
  /** Uncounts an attempt that succeeded. */
  async giveBack(rules: readonly ThrottleRule[]): Promise<void> {
    for (const { key } of rules) await store.giveBack(key);
  },
  /** Notes that this person has signed in from this address. */
  noteSignIn: (address: string | undefined, accountId: string): Promise<void> =>
    store.note(signedInKey(address, accountId), now()),
  /** True where the person signed in from this address within the last 90 days. */
  hasSignedIn: (address: string | undefined, accountId: string): Promise<boolean> =>
    store.isNoted(signedInKey(address, accountId), now()),
});

const signedInKey = (address: string | undefined, accountId: string): string =>
  `${NOTE_PREFIX}${toNetwork(address)}:${accountId}`;

const refuse = (rule: ThrottleRule, windowStartedAt: Date, now: Date): ServiceError => {
  const waited = (now.getTime() - windowStartedAt.getTime()) / 1000;
  const retryAfterSeconds = Math.max(1, Math.ceil(rule.windowSeconds - waited));
  return new ServiceError('rate_limited', {
    desc: `Too many attempts; try again in ${retryAfterSeconds} seconds.`,
    retryAfterSeconds,
    facts: { retry_after_seconds: retryAfterSeconds },
  });
};

const perHour = (limit: number, key: string): ThrottleRule => ({
  key,
  limit,
  windowSeconds: 3_600,
});
const perFiveMinutes = (limit: number, key: string): ThrottleRule => ({
  key,
  limit,
  windowSeconds: 300,
});

/**
 * Far above what one person mistypes. The rule of the address comes first, so that whoever is beyond it leaves nothing behind,
 * whatever addresses of people they make up. The last one bounds guessing from many addresses. Where the person has signed in
 * before, only attempts for that person from that address count, so that strangers lock nobody out of where they work: not
 * from other addresses, and not by trying other people behind the same address. There the limit is that of all addresses
 * together, since a proxy that is not trusted gives everybody one address.
 */
export const limitSignIn = (
  address: string | undefined,
  email: string,
  hasSignedIn: boolean,
): ThrottleRule[] => {
  const network = toNetwork(address);
  const person = digest(email);
  if (hasSignedIn) {
    return [perHour(100, `sign-in:known:${network}:${person}`)];
  }
  return [
    perFiveMinutes(30, `sign-in:${network}`),
    perFiveMinutes(5, `sign-in:${network}:${person}`),
    perHour(100, `sign-in:*:${person}`),
  ];
};

/** Ways to the issuer that were begun: each leaves a row until it expires. */
export const limitIssuer = (address: string | undefined): ThrottleRule[] => [
  perFiveMinutes(30, `issuer:${toNetwork(address)}`),
];

/** By the person who has given the password, so that strangers cannot spend the attempts of others; by address without one. */
export const limitSecondFactor = (
  address: string | undefined,
  accountId: string | undefined,
): ThrottleRule[] => [perFiveMinutes(10, `second-factor:${accountId ?? toNetwork(address)}`)];

/** Sign-ins that succeed: each leaves an audit record. Far above what one person needs, scripts of theirs included. */
export const limitSuccess = (accountId: string): ThrottleRule[] => [
  perHour(300, `sign-ins:${accountId}`),
];

/**
 * Right passwords that wait for the second factor: each leaves a row until it expires. By address, so that somebody who has no
 * more than the password keeps nobody out elsewhere.
 */
export const limitFirstStep = (address: string | undefined, accountId: string): ThrottleRule[] => [
  perHour(300, `first-steps:${toNetwork(address)}:${accountId}`),
];

/** Changes of the own password and second factor that succeed: each leaves an audit record, whatever the role permits. */
export const limitOwnChanges = (accountId: string): ThrottleRule[] => [
  perHour(60, `own-changes:${accountId}`),
];

/** Every role may rename itself, also one that may write nothing else, and each change is an audit record. */
export const limitRenames = (accountId: string): ThrottleRule[] => [
  perHour(20, `rename:${accountId}`),
];

/** For changes that a signed-in person confirms with the password. */
export const limitPassword = (accountId: string): ThrottleRule[] => [
  perFiveMinutes(10, `password:${accountId}`),
];

export const limitInvitations = (address: string | undefined): ThrottleRule[] => [
  perFiveMinutes(30, `invitation:${toNetwork(address)}`),
];

/** Bounds the audit records of failures for the whole service, so that an attack cannot fill the disk. */
export const limitRefusalRecords = (): ThrottleRule[] => [perHour(1_000, 'refusal-records')];

/** The key holds a digest, since the address is personal data. */
const digest = (email: string): string =>
  createHash('sha256').update(email).digest('base64url').slice(0, 22);

/** IPv6 addresses count by their /64, which is what one customer holds. */
export const toNetwork = (address: string | undefined): string => {
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
