// Lets so many pieces of work run at once, while the others wait in their order, or lets one run for all who want its result.
import { drawRetryAfter } from '@muster/contract';
import { ServiceError } from './errors.ts';

/** Those who wait for their turn, oldest first; who waits for too long is refused. */
export const createQueue = (refuse: () => ServiceError = tooMany) => {
  type Waiting = { begin(): void; renew(): void };
  const waiting = new Set<Waiting>();
  return {
    get length() {
      return waiting.size;
    },
    /**
     * Resolves with the milliseconds that are left. Errors: the reason of the signal when it is aborted; the refusal after so many
     * milliseconds.
     */
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
    /** Whether there was one whose turn it is now. */
    beginNext(): boolean {
      const [next] = waiting;
      next?.begin();
      return next !== undefined;
    },
    /** Gives all who wait their whole time once more. */
    renew(): void {
      for (const one of waiting) one.renew();
    },
  };
};

/** Work whose signal is aborted before its turn never runs: the reason of the signal is thrown. */
export type Semaphore = <Result>(
  work: () => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>;

/** Beyond `maxWaiting` that wait: service_unavailable. */
export const createSemaphore = (
  atOnce: number,
  maxWaiting = Number.POSITIVE_INFINITY,
): Semaphore => {
  const queue = createQueue();
  let running = 0;
  return async (work, signal) => {
    signal?.throwIfAborted();
    if (running < atOnce) running += 1;
    else if (queue.length >= maxWaiting) throw tooMany();
    // Whoever leaves hands the place on.
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

/** For work of which too much waits already. */
export const tooMany = (): ServiceError =>
  new ServiceError('service_unavailable', {
    retryAfterSeconds: drawRetryAfter('service_unavailable'),
  });
