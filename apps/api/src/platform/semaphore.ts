// Lets so many pieces of work run at once; the others wait, in their order.
import { drawRetryAfter } from '@muster/contract';
import { ServiceError } from './errors.ts';

/** Those who wait for their turn, oldest first. */
export const createQueue = () => {
  const waiting: (() => void)[] = [];
  return {
    get length() {
      return waiting.length;
    },
    /** Errors: the reason of the signal when it is aborted; service_unavailable after so many milliseconds. */
    wait(signal: AbortSignal | undefined, longestMs?: number): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const begin = () => {
        settle();
        resolve();
      };
      const leave = (reason: unknown) => {
        settle();
        waiting.splice(waiting.indexOf(begin), 1);
        reject(reason);
      };
      const onAbort = () => leave(signal?.reason);
      const timer = longestMs && setTimeout(() => leave(tooMany()), longestMs).unref();
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      signal?.addEventListener('abort', onAbort);
      waiting.push(begin);
      return promise;
    },
    /** Whether there was one whose turn it is now. */
    beginNext(): boolean {
      const begin = waiting.shift();
      begin?.();
      return begin !== undefined;
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

/** For work of which too much waits already. */
export const tooMany = (): ServiceError =>
  new ServiceError('service_unavailable', {
    retryAfterSeconds: drawRetryAfter('service_unavailable'),
  });
