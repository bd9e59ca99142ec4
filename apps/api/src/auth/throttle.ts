// Rate limits of sign-in. Only failures stay counted, so that people who know the password do not wait. Successful
// attempts that store rows have much higher limits.
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { ServiceError } from '../platform/index.ts';
import type { ThrottleRule, ThrottleStore } from './sign-in-store.ts';
import { NOTE_PREFIX } from './sign-in-store.ts';

export type Throttle = ReturnType<typeof createThrottle>;

export const createThrottle = (store: ThrottleStore, now: () => Date) => ({
  /**
   * Throws `rate_limited` when a rule already refuses the attempt. Writes nothing, since each write flushes the disk
   * and delays joins.
   */
  async refuseFull(rules: readonly ThrottleRule[]): Promise<void> {
    const at = now();
    const full = await store.findFull(rules, at);
    if (full) throw refuse(full.rule, full.windowStartedAt, at);
  },
  /** Calls `refuseFull`, then `count`. */
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
      for (const { key } of rules.slice(0, index)) await store.uncount(key);
      throw refuse(rule, windowStartedAt, at);
    }
  },
  /** Removes a successful attempt from the count. */
  async release(rules: readonly ThrottleRule[]): Promise<void> {
    for (const { key } of rules) await store.uncount(key);
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
 * Far above what one person mistypes. The rule of the address comes first, so that attempts beyond it write nothing,
 * whatever e-mail addresses they name. The last rule limits guessing from many addresses. When the person has signed in
 * from the address before, only attempts for that person from that address count, so that strangers cannot lock the
 * person out. That limit equals the one for all addresses together, since all clients behind an untrusted proxy have
 * one address.
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

/** Started redirects to the issuer: each leaves a row until it expires. */
export const limitIssuer = (address: string | undefined): ThrottleRule[] => [
  perFiveMinutes(30, `issuer:${toNetwork(address)}`),
];

/** Per person who has given the password, so that strangers cannot use up their attempts; otherwise per address. */
export const limitSecondFactor = (
  address: string | undefined,
  accountId: string | undefined,
): ThrottleRule[] => [perFiveMinutes(10, `second-factor:${accountId ?? toNetwork(address)}`)];

/** Successful sign-ins: each leaves an audit record. Far above what one person and their scripts need. */
export const limitSuccess = (accountId: string): ThrottleRule[] => [
  perHour(300, `sign-ins:${accountId}`),
];

/**
 * Correct passwords that wait for the second factor: each leaves a row until it expires. Per address, so that a
 * stranger with only the password cannot lock out the person elsewhere.
 */
export const limitFirstStep = (address: string | undefined, accountId: string): ThrottleRule[] => [
  perHour(300, `first-steps:${toNetwork(address)}:${accountId}`),
];

/** Successful changes of the own password and second factor: each leaves an audit record, whatever the role permits. */
export const limitOwnChanges = (accountId: string): ThrottleRule[] => [
  perHour(60, `own-changes:${accountId}`),
];

/** Every role may rename itself, and each change leaves an audit record. */
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

/** Limits the audit records of failures for the whole service, so that an attack cannot fill the disk. */
export const limitRefusalRecords = (): ThrottleRule[] => [perHour(1_000, 'refusal-records')];

/** The rows that count failed attempts for this person. */
export const failedSignInsOf = (email: string, accountId: string) => ({
  OR: [
    { key: { startsWith: 'sign-in:', endsWith: `:${digest(email)}` } },
    { key: { in: [`second-factor:${accountId}`, `password:${accountId}`] } },
  ],
});

/** Keys contain a digest, since the address is personal data. */
const digest = (email: string): string =>
  createHash('sha256').update(email).digest('base64url').slice(0, 22);

/** IPv6 addresses count by their /64, which is what one customer holds. */
const toNetwork = (address: string | undefined): string => {
  if (address === undefined) return 'unknown';
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  return isIPv6(plain) ? `${expand(plain).slice(0, 4).join(':')}::/64` : plain;
};

/** The eight groups of an IPv6 address (RFC 4291 section 2.2); an embedded IPv4 part is beyond the /64. */
const expand = (address: string): string[] => {
  const [head = '', tail] = address.split('::', 2);
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(0, missing)).fill('0'), ...right];
  return groups.map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''));
};
