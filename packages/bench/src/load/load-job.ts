// The parent's side of the load generator.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { RequestPlan } from '../requests/join-requests.ts';
import { acquire } from '../stopping.ts';

export type LoadGenerator = {
  /** Replaces the requests that later runs send. */
  prepare(plan: RequestPlan): Promise<void>;
  run(job: LoadJob): Promise<LoadResult>;
  /** Ends the current run as its time would. */
  finish(): void;
  stop(): Promise<void>;
};

const ENTRY = fileURLToPath(new URL('load-process.ts', import.meta.url));

/** Takes one command at a time. */
export const startLoadGenerator = (): LoadGenerator => {
  const start = () => {
    const child = fork(ENTRY, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    return { child, exited: once(child, 'exit') };
  };
  const { thing, release } = acquire(start, async ({ child, exited }) => {
    // It holds nothing that is worth an orderly end, and may be busy preparing requests.
    child.kill('SIGKILL');
    await exited;
  });
  const { child, exited } = thing;
  const ask = async (command: LoadCommand): Promise<LoadResult | undefined> => {
    if (!child.connected) throw new Error('The load generator has ended.');
    child.send(command);
    const end = exited.then(() => Promise.reject(new Error('The load generator ended.')));
    const [reply] = await Promise.race([once(child, 'message'), end]);
    const { result, error }: LoadReply = reply;
    if (error !== undefined) throw new Error(error);
    return result;
  };
  return {
    prepare: async (plan) => {
      await ask({ kind: 'prepare', plan });
    },
    run: async (job) => {
      const result = await ask({ kind: 'run', job });
      if (!result) throw new Error('The load generator gave no result.');
      return result;
    },
    finish: () => child.send({ kind: 'finish' } satisfies LoadCommand),
    stop: release,
  };
};

// What the load generator is asked and what it answers: plain data, since it crosses process borders.

export type LoadJob = {
  port: number;
  connections: number;
  /** Index of the first request of the prepared set to send. */
  firstRequest: number;
  /** Starts again with the first request after this number of requests; absent: after all prepared requests. */
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
   * The policy for a request that is due while every connection is busy. `wait`, the default, delays it, which adds to its
   * latency. `giveUp` drops it, as when there are more clients than connections.
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
  /** The number of 409 responses without `Retry-After`. */
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
  | { kind: 'prepare'; plan: RequestPlan }
  | { kind: 'run'; job: LoadJob }
  /** Gets no reply of its own. */
  | { kind: 'finish' };

export type LoadReply = { result?: LoadResult; error?: string };
