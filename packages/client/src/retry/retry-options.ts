import type { AnyErrorCode, MusterError } from '../errors/errors.ts';

/** What `onRetry` is told before each wait. */
export type RetryNotice = {
  error: MusterError;
  /** Attempts made so far, from 1. */
  attempts: number;
  /** Whole milliseconds. */
  waitMs: number;
};

export type RetryOptions = {
  /**
   * No attempt begins later than so many milliseconds after the call: 0 turns retries off. A call
   * lasts at most this and one `timeoutMs` more. Default 20,000.
   */
  budgetMs?: number | undefined;
  /**
   * The refusals of a join that are worth another attempt by themselves. Default `session_busy` and
   * `service_overloaded`; asking a full session again and again helps nobody.
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
  joinCodes: ['session_busy', 'service_overloaded'],
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
