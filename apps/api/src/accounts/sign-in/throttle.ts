// Slows down guessing. Failures count, successes are given back: nobody waits who knows the password.
import { ServiceError } from '../../errors/service-error.ts';
import type { ThrottleRule, ThrottleStore } from './throttle-store.ts';

export type Throttle = {
  /** Counts an attempt under every rule. Throws `rate_limited` with the time to wait. */
  take(rules: readonly ThrottleRule[]): Promise<void>;
  /** The attempt was none: it succeeded. */
  giveBack(rules: readonly ThrottleRule[]): Promise<void>;
};

/** About one attempt in a hundred sweeps what is long over. */
const SWEEP_ONE_IN = 100;

export const createThrottle = (
  store: ThrottleStore,
  now: () => Date,
  random: () => number = Math.random,
): Throttle => ({
  async take(rules) {
    const at = now();
    if (random() * SWEEP_ONE_IN < 1) await store.forgetOld(at);
    for (const rule of rules) {
      const { attempts, windowStartedAt } = await store.take(rule, at);
      if (attempts > rule.limit) throw refuse(rule, windowStartedAt, at);
    }
  },
  async giveBack(rules) {
    for (const { key } of rules) await store.giveBack(key);
  },
});

const refuse = (rule: ThrottleRule, windowStartedAt: Date, now: Date): ServiceError => {
  const waited = (now.getTime() - windowStartedAt.getTime()) / 1000;
  const retryAfterSeconds = Math.max(1, Math.ceil(rule.windowSeconds - waited));
  return new ServiceError('rate_limited', {
    desc: `Too many attempts; try again in ${retryAfterSeconds} seconds.`,
    retryAfterSeconds,
    facts: { retry_after_seconds: retryAfterSeconds },
  });
};
