import type { Clock } from './clock.ts';
import type { RetrySettings } from './retry-options.ts';
import type { RetryRule } from './retry-rules.ts';
import { chooseWaitMs } from './retry-rules.ts';

export type RetryPolicy = Pick<RetrySettings, 'budgetMs' | 'onRetry'> & {
  isRetryable: RetryRule;
  clock: Clock;
  signal: AbortSignal | undefined;
};

/** Attempts until one succeeds, one fails for good, or the next would begin after the budget. */
export const withRetries = async <Value>(
  attempt: () => Promise<Value>,
  { budgetMs, onRetry, isRetryable, clock, signal }: RetryPolicy,
): Promise<Value> => {
  const startedMs = clock.nowMs();
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      const waitMs = Math.ceil(chooseWaitMs(error, attempts, clock.random()));
      // Written so that a budget that is no number allows no other attempt.
      if (!(clock.nowMs() - startedMs + waitMs <= budgetMs)) throw error;
      onRetry({ error, attempts, waitMs });
      await clock.wait(waitMs, signal);
    }
  }
};
