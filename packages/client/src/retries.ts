import type { AnyErrorCode } from './errors.ts';
import { MusterError, ServiceError, UnexpectedAnswerError } from './errors.ts';
import type { Clock } from './timers.ts';

type RetryPolicy = Pick<RetrySettings, 'budgetMs' | 'onRetry'> & {
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

/** The argument of `onRetry`, before each wait. */
export type RetryNotice = {
  error: MusterError;
  /** Attempts made so far, from 1. */
  attempts: number;
  /** Whole milliseconds. */
  waitMs: number;
};

export type RetryOptions = {
  /**
   * No attempt begins later than this number of milliseconds after the call: 0 turns retries off. A call
   * lasts at most this and one `timeoutMs` more, or two when its token is rejected. Default 20,000.
   */
  budgetMs?: number | undefined;
  /**
   * The error codes after which a join is repeated automatically. Default `session_busy`,
   * `service_overloaded` and `rate_limited`. The service asks to wait 5 to 15 s for a full session and for a closed
   * instance, which a backend may replace: give these codes a longer budget, or look for another session.
   */
  joinCodes?: readonly AnyErrorCode[] | undefined;
  onRetry?: ((notice: RetryNotice) => void) | undefined;
};

export type RetrySettings = {
  budgetMs: number;
  joinCodes: readonly AnyErrorCode[];
  onRetry: (notice: RetryNotice) => void;
};

const DEFAULTS: RetrySettings = {
  budgetMs: 20_000,
  joinCodes: ['session_busy', 'service_overloaded', 'rate_limited'],
  onRetry: () => {},
};

/** The options of the call win over those of the client, and those over the defaults. */
export const resolveRetry = (
  call: RetryOptions | undefined,
  client: RetryOptions | undefined,
): RetrySettings => ({
  budgetMs: call?.budgetMs ?? client?.budgetMs ?? DEFAULTS.budgetMs,
  joinCodes: call?.joinCodes ?? client?.joinCodes ?? DEFAULTS.joinCodes,
  onRetry: call?.onRetry ?? client?.onRetry ?? DEFAULTS.onRetry,
});

// Which failures are worth another attempt, and after how long. Pure, so that they can be read and tested.

export type RetryRule = (error: unknown) => error is MusterError;

/** A gateway answers these for a service that it cannot reach; the request may have had an effect. */
const GATEWAY_STATUSES = [502, 503, 504];
const HISTORY_STATUSES = [429, 503];

/** Joining again is safe, and reading is: both may be sent again when the outcome is unknown. */
const isUnknownOutcome = (error: MusterError): boolean =>
  error.kind === 'network' ||
  error.kind === 'timeout' ||
  (error instanceof UnexpectedAnswerError && GATEWAY_STATUSES.includes(error.status ?? 0));

/** For joins: unknown outcomes, and refusals with one of these codes. */
export const retryJoins =
  (codes: readonly AnyErrorCode[]): RetryRule =>
  (error): error is MusterError =>
    error instanceof MusterError &&
    (isUnknownOutcome(error) || (error instanceof ServiceError && codes.includes(error.code)));

/** For histories: unknown outcomes, and a service that says "not now". */
export const retryHistories: RetryRule = (error): error is MusterError =>
  error instanceof MusterError &&
  (isUnknownOutcome(error) || HISTORY_STATUSES.includes(error.status ?? 0));

const COMPANION_STATUSES = [409, 429, 503];

/** For the companion endpoints, whose only 409 is `session_busy`. Leaving again is safe. */
export const retryCompanions: RetryRule = (error): error is MusterError =>
  error instanceof MusterError &&
  (isUnknownOutcome(error) || COMPANION_STATUSES.includes(error.status ?? 0));

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5_000;

/**
 * Milliseconds to wait before the next attempt: at least as long as the service asked, plus a random part of up to
 * half of that, so that clients that were rejected together do not retry together. A rate limit concerns this caller
 * alone, so its `Retry-After` is exact. Without `Retry-After`, waits double, spread over their upper half.
 */
const chooseWaitMs = (error: MusterError, attempts: number, random: number): number => {
  const asked = error.retryAfterSeconds;
  if (asked !== undefined && asked > 0) {
    const isExact = error instanceof ServiceError && error.code === 'rate_limited';
    return asked * 1000 * (isExact ? 1 : 1 + random / 2);
  }
  const longest = Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), LONGEST_WAIT_MS);
  return (longest * (1 + random)) / 2;
};

/**
 * Seconds that the header Retry-After asks to wait: a number, or the time until a date, which
 * gateways send (RFC 9110 section 10.2.3). Undefined when it is absent or says neither.
 */
export const readRetryAfter = (headers: Headers, nowMs = Date.now()): number | undefined => {
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  // Date.parse reads numbers and much else as dates; an HTTP date begins with its weekday.
  const dateMs = /^[A-Z][a-z]+, /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, Math.ceil((dateMs - nowMs) / 1000));
};
