// Limits what one caller may ask for: a rate, and a number of requests in progress. Applied after the credential is verified, so that
// a caller uses up its own limits only.
import type { ServerResponse } from 'node:http';
import {
  CHANGES_OTHERS,
  JOIN_FOR_SELF,
  PERMISSIONS,
  permits,
  permitsSomewhere,
} from '@muster/contract';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../auth/index.ts';
import type { Config, RateLimit } from '../platform/index.ts';
import { ServiceError } from '../platform/index.ts';
import { LIMITS, MAX_CALLERS } from './limits.ts';

export type CallerLimits = Partial<Pick<Config['limits'], 'playerRateLimit' | 'rateLimit'>>;

type CallerLimiterOptions = {
  limits: CallerLimits;
  onRefused: (reason: 'rate' | 'caller') => void;
  /** A monotonic clock in milliseconds. */
  now: () => number;
};

/** One request in progress. It ends when its holders have released it. */
export type Lease = {
  /** Adds a holder. */
  hold(): void;
  release(): void;
  /**
   * Excludes a waiting request of a service from those in progress. A player has few at once, waiting or not. Call the result when the wait
   * is over.
   */
  pause(): () => void;
  /** Counts what the request has cost beyond a usual one, in requests. Later requests of a player wait for it. */
  charge(cost: number): void;
};

/** The response holds the lease until it is closed, which it may be already: its client may have disconnected. */
export const leaseUntilClosed = (lease: Lease, response: ServerResponse): Lease => {
  if (response.destroyed) lease.release();
  else response.on('close', lease.release);
  return lease;
};

/** The request is in progress until the work has settled, even if its client disconnects. */
export const holdWhile = async <Result>(
  lease: Lease | undefined,
  work: () => Promise<Result>,
): Promise<Result> => {
  lease?.hold();
  try {
    return await work();
  } finally {
    lease?.release();
  }
};

export class CallerLimiter {
  readonly #options: CallerLimiterOptions;
  readonly #rates: { player: RateLimiter | null; service: RateLimiter | null };
  readonly #inProgress = new Map<string, number>();

  constructor(options: CallerLimiterOptions) {
    this.#options = options;
    const { limits, now } = options;
    const { playerRateLimit: player, rateLimit: service } = limits;
    this.#rates = {
      player: player ? createRateLimiter(player, now) : null,
      service: service ? createRateLimiter(service, now) : null,
    };
  }

  /** Counts a request, whose first holder has the lease. `cost` counts for players. Throws `rate_limited`. */
  enter(caller: Caller, cost = 1): Lease {
    const id = identifyCaller(caller);
    const running = this.#inProgress.get(id) ?? 0;
    const isOfPlayer = isPlayer(caller);
    const { value } = isOfPlayer ? LIMITS.playerRequests : LIMITS.serviceRequests;
    // An estimate: one of the others has to end first.
    if (running >= value) this.#refuse('caller', caller, 1);
    this.#take(caller, isOfPlayer, isOfPlayer ? cost : 1);
    this.#inProgress.set(id, running + 1);
    let holders = 1;
    let isPaused = false;
    return {
      hold: () => {
        // A lease that has ended stays so: its client disconnected before the work began.
        if (holders > 0) holders += 1;
      },
      release: () => {
        if (holders === 0) return;
        holders -= 1;
        if (holders === 0 && !isPaused) this.#end(id);
      },
      pause: () => {
        if (isOfPlayer || holders === 0 || isPaused) return () => {};
        isPaused = true;
        this.#end(id);
        return () => {
          isPaused = false;
          if (holders > 0) this.#inProgress.set(id, (this.#inProgress.get(id) ?? 0) + 1);
        };
      },
      charge: (cost) => {
        // The request itself has been counted.
        if (cost > 1 && isOfPlayer) this.#rates.player?.add(id, cost - 1);
      },
    };
  }

  /** Counts what a request of a player costs beyond a usual one. Throws `rate_limited`. */
  charge(caller: Caller, cost: number): void {
    if (cost > 1 && isPlayer(caller)) this.#take(caller, true, cost, 1);
  }

  #take(caller: Caller, isOfPlayer: boolean, cost: number, paid = 0): void {
    const rates = isOfPlayer ? this.#rates.player : this.#rates.service;
    if (!rates || caller.person) return;
    const retryAfterSeconds = rates.take(identifyCaller(caller), cost, paid);
    if (retryAfterSeconds > 0) this.#refuse('rate', caller, retryAfterSeconds);
  }

  #end(id: string): void {
    const left = (this.#inProgress.get(id) ?? 1) - 1;
    if (left > 0) this.#inProgress.set(id, left);
    else this.#inProgress.delete(id);
  }

  #refuse(reason: 'rate' | 'caller', { accountId }: Caller, retryAfterSeconds: number): never {
    this.#options.onRefused(reason);
    throw new ServiceError('rate_limited', { retryAfterSeconds, accountId });
  }
}

/**
 * A token that joins for its own account and changes nothing of others, or that permits nothing. A token that only reads belongs to a service,
 * such as a mirror of histories.
 */
export const isPlayer = ({ key, person, permissions }: Caller): boolean => {
  if (key || person || permitsSomewhere(permissions, CHANGES_OTHERS)) return false;
  return permits(permissions, JOIN_FOR_SELF) || !permitsSomewhere(permissions, PERMISSIONS);
};

/** A player has many tokens, and an account may have many keys. */
const identifyCaller = ({ accountId, key }: Caller): string =>
  key ? `key ${key.keyId}` : `account ${accountId}`;

type RateLimiter = ReturnType<typeof createRateLimiter>;

/**
 * A token bucket per caller, stored as the time at which the bucket is full again (the generic cell rate algorithm, ITU-T I.371). `now`
 * is a monotonic clock in milliseconds.
 */
const createRateLimiter = ({ perSecond, burst }: RateLimit, now: () => number) => {
  const intervalMs = 1_000 / perSecond;
  const depthMs = intervalMs * burst;
  const fullAt = new LRUCache<string, number>({ max: MAX_CALLERS });
  return {
    /**
     * Returns 0 for a request that is accepted, and counts it for `cost` requests, of which `paid` have been counted before. Otherwise
     * returns whole seconds, at least 1, after which it is accepted. The cost of a larger request than the burst is that of the burst.
     */
    take: (id: string, cost: number, paid: number): number => {
      const at = now();
      const due = Math.max(0, Math.min(cost, burst) - paid);
      const next = Math.max(fullAt.get(id) ?? at, at) + intervalMs * due;
      const excessMs = next - at - depthMs;
      // A retry pays the whole cost.
      if (excessMs > ROUNDING_MS) {
        return Math.max(1, Math.ceil((excessMs + intervalMs * paid - ROUNDING_MS) / 1_000));
      }
      fullAt.set(id, next);
      return 0;
    },
    /** Counts what a request has cost, whatever the limit is. */
    add: (id: string, cost: number): void => {
      const at = now();
      fullAt.set(id, Math.max(fullAt.get(id) ?? at, at) + intervalMs * cost);
    },
  };
};

/** Tolerates the rounding of sums of intervals. */
const ROUNDING_MS = 1e-6;
