// Lets so many pieces of work run at once; the others wait, in their order.
import { drawRetryAfter } from '@muster/contract';
import { ServiceError } from './errors.ts';

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
  const waiting: (() => void)[] = [];
  let running = 0;

  const waitForTurn = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(enter), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave);
      waiting.push(enter);
    });

  return async (work, signal) => {
    signal?.throwIfAborted();
    if (running < atOnce) running += 1;
    else if (waiting.length >= maxWaiting) throw tooMany();
    // Whoever leaves hands the place on.
    else await waitForTurn(signal);
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
};

/** For work of which too much waits already. */
export const tooMany = (): ServiceError =>
  new ServiceError('service_unavailable', {
    retryAfterSeconds: drawRetryAfter('service_unavailable'),
  });
