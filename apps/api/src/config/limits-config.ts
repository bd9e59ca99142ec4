// The limits of one process, from their variables.
import type { LimitsEnvironment } from './limits-environment.ts';

/** A token bucket: `burst` requests at once, and `perSecond` more each second. */
export type RateLimit = { perSecond: number; burst: number };

export type LimitsConfig = {
  maxConnections: number;
  maxConcurrentRequests: number;
  maxWaitingJoins: number;
  maxUnreadAnswerBytes: number;
  maxBodyBytes: number;
  headersTimeoutMs: number;
  bodyTimeoutMs: number;
  requestTimeoutMs: number;
  answerTimeoutMs: number;
  /** Per credential; absent: no limit. */
  rateLimit?: RateLimit;
};

const MEGABYTE = 1_048_576;

export const findLimitsProblem = (env: LimitsEnvironment): string | undefined =>
  env.RATE_LIMIT_BURST !== undefined && env.RATE_LIMIT_PER_SECOND === undefined
    ? 'RATE_LIMIT_BURST needs RATE_LIMIT_PER_SECOND.'
    : undefined;

export const toLimitsConfig = (env: LimitsEnvironment): LimitsConfig => ({
  maxConnections: env.MAX_CONNECTIONS,
  maxConcurrentRequests: env.MAX_CONCURRENT_REQUESTS,
  maxWaitingJoins: env.MAX_WAITING_JOINS,
  maxUnreadAnswerBytes: env.MAX_UNREAD_ANSWER_MB * MEGABYTE,
  maxBodyBytes: env.MAX_BODY_MB * MEGABYTE,
  headersTimeoutMs: env.HEADERS_TIMEOUT_SECONDS * 1_000,
  bodyTimeoutMs: env.BODY_TIMEOUT_SECONDS * 1_000,
  requestTimeoutMs: env.REQUEST_TIMEOUT_SECONDS * 1_000,
  answerTimeoutMs: env.ANSWER_TIMEOUT_SECONDS * 1_000,
  ...toRateLimit(env),
});

/** Twice the rate unless it is said: what a client that was quiet for two seconds has saved. */
const toRateLimit = ({ RATE_LIMIT_PER_SECOND: perSecond, RATE_LIMIT_BURST }: LimitsEnvironment) =>
  perSecond === undefined
    ? {}
    : { rateLimit: { perSecond, burst: RATE_LIMIT_BURST ?? perSecond * 2 } };
