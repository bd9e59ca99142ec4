// How often each credential may ask: a token bucket, kept as the one number of its equal, the generic cell rate algorithm
// (ITU-T I.371; "GCRA"): the time at which the bucket would be full again.
import { LRUCache } from 'lru-cache';
import type { RateLimit } from '../config/index.ts';

export type CredentialRates = {
  /** 0 when the request may go on; otherwise whole seconds, at least 1, until the next one may. */
  take(credential: string): number;
};

/** About 15 MB. Forgetting the one that asked longest ago gives it a full bucket, which it nearly has by then. */
const MAX_CREDENTIALS = 100_000;

/** `now` in milliseconds on any clock that does not go back. */
export const createCredentialRates = (
  { perSecond, burst }: RateLimit,
  now: () => number = () => performance.now(),
): CredentialRates => {
  const intervalMs = 1_000 / perSecond;
  const depthMs = intervalMs * burst;
  const fullAt = new LRUCache<string, number>({ max: MAX_CREDENTIALS });
  return {
    take: (credential) => {
      const at = now();
      const next = Math.max(fullAt.get(credential) ?? at, at) + intervalMs;
      const excessMs = next - at - depthMs;
      if (excessMs > ROUNDING_MS) return Math.max(1, Math.ceil(excessMs / 1_000));
      fullAt.set(credential, next);
      return 0;
    },
  };
};

/** Sums of intervals that have no exact form. */
const ROUNDING_MS = 1e-6;
