// The writes of one sandbox, one after the other within a process. They wait here and not at the row lock, where each would
// hold a connection that others need. Between processes the row lock decides.
import { ServiceError } from '../platform/index.ts';
import { LONGEST_WAIT_MS } from './sandbox-lock-store.ts';

/**
 * Runs `work` when it is its turn, with how long it may wait for the lock. Short writes are waited for as long as one ends
 * after the other. Errors: sandbox_busy after three seconds in which none ended; the reason of the signal, when it is
 * aborted before the turn.
 */
export type WriteQueue = <Result>(
  sandboxId: string,
  work: (waitMs: number) => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>;

export const createWriteQueue = (longestWaitMs = LONGEST_WAIT_MS): WriteQueue => {
  /** Those who wait, oldest first, for each sandbox in which a write runs. */
  const lines = new Map<string, Set<Waiting>>();

  const waitInTurn = (line: Set<Waiting>, signal: AbortSignal | undefined): Promise<number> => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    let until = performance.now() + longestWaitMs;
    const leave = (reason: unknown) => {
      settle();
      reject(reason);
    };
    const onAbort = () => leave(signal?.reason);
    const timer = setTimeout(() => leave(new ServiceError('sandbox_busy')), longestWaitMs);
    const waiting = {
      begin: () => {
        settle();
        resolve(until - performance.now());
      },
      renew: () => {
        until = performance.now() + longestWaitMs;
        timer.refresh();
      },
    };
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      line.delete(waiting);
    };
    signal?.addEventListener('abort', onAbort);
    line.add(waiting);
    return promise;
  };

  return async (sandboxId, work, signal) => {
    signal?.throwIfAborted();
    const line = lines.get(sandboxId) ?? new Set();
    const isFirst = !lines.has(sandboxId);
    if (isFirst) lines.set(sandboxId, line);
    const waitMs = isFirst ? longestWaitMs : await waitInTurn(line, signal);
    let isBusy = false;
    try {
      return await work(waitMs);
    } catch (error) {
      isBusy = error instanceof ServiceError && error.code === 'sandbox_busy';
      throw error;
    } finally {
      // Behind a write that another process kept from beginning, the others have what is left of their time.
      if (!isBusy) for (const waiting of line) waiting.renew();
      const [next] = line;
      if (next) next.begin();
      else lines.delete(sandboxId);
    }
  };
};

type Waiting = {
  begin(): void;
  /** Gives it all of its time once more. */
  renew(): void;
};
