// Which failures are worth another attempt, and after how long. Pure, so that they can be read and tested.
import type { AnyErrorCode } from '../errors/errors.ts';
import { MusterError, ServiceError, UnexpectedAnswerError } from '../errors/errors.ts';

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

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5_000;

/**
 * Milliseconds to wait before the next attempt: never less than the service asked for, and up to half as
 * much again, so that those who were refused together do not come back together. Without its word,
 * waits double, spread over their upper half.
 */
export const chooseWaitMs = (error: MusterError, attempts: number, random: number): number => {
  const asked = error.retryAfterSeconds;
  if (asked !== undefined && asked > 0) return asked * 1000 * (1 + random / 2);
  const longest = Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), LONGEST_WAIT_MS);
  return (longest * (1 + random)) / 2;
};
