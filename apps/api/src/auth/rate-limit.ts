// Limits how often one credential may call.
import { LRUCache } from 'lru-cache';
import type { RateLimit } from '../platform/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { Authenticate } from './authenticate.ts';
import type { Caller } from './permissions.ts';

/**
 * Authenticates and counts the caller: before the costly work, and after the credential was verified, so that no one can use
 * up the limit of another. Tokens count by account, since a player has many; API keys count one by one. Throws
 * `rate_limited` with the time to wait.
 */
export const limitRate = (
  authenticate: Authenticate,
  rateLimit: RateLimit | undefined,
  onRefused: () => void,
): Authenticate => {
  if (!rateLimit) return authenticate;
  const limiter = createRateLimiter(rateLimit);
  return async (authorization) => {
    const caller = await authenticate(authorization);
    const retryAfterSeconds = limiter.take(identifyCredential(caller));
    if (retryAfterSeconds === 0) return caller;
    onRefused();
    throw new ServiceError('rate_limited', { retryAfterSeconds, accountId: caller.accountId });
  };
};

const identifyCredential = ({ accountId, key }: Caller): string =>
  key ? `key ${key.keyId}` : `account ${accountId}`;

/** About 15 MB. An evicted credential starts with a full bucket; the least recently used one nearly has it by then. */
const MAX_CREDENTIALS = 100_000;

/**
 * A token bucket per credential, stored as one number, the time at which the bucket is full again (the generic cell rate
 * algorithm, ITU-T I.371). `now` is a monotonic clock in milliseconds.
 */
export const createRateLimiter = (
  { perSecond, burst }: RateLimit,
  now: () => number = () => performance.now(),
) => {
  const intervalMs = 1_000 / perSecond;
  const depthMs = intervalMs * burst;
  const fullAt = new LRUCache<string, number>({ max: MAX_CREDENTIALS });
  return {
    /** 0 when the request may go on; otherwise whole seconds, at least 1, until the next one may. */
    take: (credential: string): number => {
      const at = now();
      const next = Math.max(fullAt.get(credential) ?? at, at) + intervalMs;
      const excessMs = next - at - depthMs;
      if (excessMs > ROUNDING_MS) return Math.max(1, Math.ceil(excessMs / 1_000));
      fullAt.set(credential, next);
      return 0;
    },
  };
};

/** Tolerates the rounding of sums of intervals. */
const ROUNDING_MS = 1e-6;
