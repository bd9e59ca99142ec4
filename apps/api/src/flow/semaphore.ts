// Limits how many pieces of work run at once, or shares one attempt among concurrent callers.
import { drawRetryAfter } from '@muster/contract';
import { ServiceError } from '../platform/index.ts';

/** A queue, oldest first. Work that waits for too long is rejected. */
export const createQueue = (refuse: () => ServiceError = createOverloadError) => {
  type Waiting = { begin(): void; renew(): void };
  const waiting = new Set<Waiting>();
  return {
    get length() {
      return waiting.size;
    },
    /** Resolves with the milliseconds that are left. Errors: the reason of the signal; the refusal after `longestMs`. */
    wait(signal: AbortSignal | undefined, longestMs?: number): Promise<number> {
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      let until = performance.now() + (longestMs ?? Number.POSITIVE_INFINITY);
      const leave = (reason: unknown) => {
        settle();
        reject(reason);
      };
      const onAbort = () => leave(signal?.reason);
      const timer = longestMs ? setTimeout(() => leave(refuse()), longestMs).unref() : undefined;
      const one: Waiting = {
        begin: () => {
          settle();
          resolve(until - performance.now());
        },
        renew: () => {
          until = performance.now() + (longestMs ?? Number.POSITIVE_INFINITY);
          timer?.refresh();
        },
      };
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        waiting.delete(one);
      };
      signal?.addEventListener('abort', onAbort);
      waiting.add(one);
      return promise;
    },
    /** Returns false when the queue is empty. */
    beginNext(): boolean {
      const [next] = waiting;
      next?.begin();
      return next !== undefined;
    },
    /** Restarts the time of all that wait. */
    renew(): void {
      for (const one of waiting) one.renew();
    },
  };
};

/** Work whose signal is aborted before it starts never runs: the reason of the signal is thrown. */
export type Semaphore = <Result>(
  work: () => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>;

/** Throws `service_unavailable` when `maxWaiting` are waiting. */
export const createSemaphore = (
  maxRunning: number,
  maxWaiting = Number.POSITIVE_INFINITY,
): Semaphore => {
  const queue = createQueue();
  let running = 0;
  return async (work, signal) => {
    signal?.throwIfAborted();
    if (running < maxRunning) running += 1;
    else if (queue.length >= maxWaiting) throw createOverloadError();
    // Work that ends passes its slot on.
    else await queue.wait(signal);
    try {
      return await work();
    } finally {
      if (!queue.beginNext()) running -= 1;
    }
  };
};

/** Concurrent callers share one attempt; a failure is not kept. */
export const memoize = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
};

const createOverloadError = (): ServiceError =>
  new ServiceError('service_unavailable', {
    retryAfterSeconds: drawRetryAfter('service_unavailable'),
  });
