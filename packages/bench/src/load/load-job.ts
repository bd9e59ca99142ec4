// What the load generator is asked and what it answers: plain data, since it crosses process borders.
import type { RequestPlan } from '../requests/prepare-requests.ts';

export type LoadJob = {
  port: number;
  connections: number;
  /** Index of the first request of the prepared set to send. */
  firstRequest: number;
  /** After so many requests the first one is sent again; absent: after all that are prepared. */
  span?: number;
  /**
   * The run ends after this many requests or seconds, whichever comes first; every answer is waited for. At a fixed rate, what fell due before
   * that is sent first.
   */
  maxRequests: number;
  maxSeconds: number;
  /** Requests per second at even spacing; absent: each connection sends as soon as it has its answer. */
  ratePerSecond?: number;
  /**
   * What falls due at a fixed rate while every connection is busy: it waits for one, at the cost of its own latency, or it is
   * given up, as by clients who are more than there are connections. Absent: it waits.
   */
  whenBusy?: 'wait' | 'giveUp';
};

export type LoadResult = {
  /** Requests that were sent; each has been answered. */
  requests: number;
  /** Requests that fell due and were not sent, since every connection was busy. */
  givenUp: number;
  /** Answers per status code. */
  statuses: Record<string, number>;
  /** Answers 409 that do not say when to come back. */
  refusalsWithoutRetryAfter: number;
  /** Mean of head and body. */
  answerBytes: number;
  /** From the first request to the last answer. */
  seconds: number;
  perSecond: number;
  p50Us: number;
  p99Us: number;
  maxUs: number;
  /** Of the answers 200 alone, up to the last of them: refusals may come later. */
  served: { seconds: number; perSecond: number; p50Us: number; p99Us: number };
  /** CPU time of the generator itself. */
  cpuSeconds: number;
};

export type LoadCommand =
  | { id: number; kind: 'prepare'; plan: RequestPlan }
  | { id: number; kind: 'run'; job: LoadJob };

export type LoadReply = { id: number; result?: LoadResult; error?: string };
