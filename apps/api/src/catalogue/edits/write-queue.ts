// Runs the writes of one sandbox in order within a process. They wait here and not at the row lock, where each would
// hold a connection that others need. Between processes the row lock decides.
import { createQueue } from '../../flow/index.ts';
import { ServiceError } from '../../platform/index.ts';
import { LONGEST_WAIT_MS } from '../sandboxes/sandbox-lock-store.ts';

/**
 * Runs `work` after the previous writes, with how long it may wait for the lock. The waiting time starts again whenever
 * a write ends. Errors: sandbox_busy after three seconds in which none ended; the reason of the signal, when it is
 * aborted before the write starts.
 */
export type WriteQueue = <Result>(
  sandboxId: string,
  work: (waitMs: number) => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>;

export const createWriteQueue = (longestWaitMs = LONGEST_WAIT_MS): WriteQueue => {
  /** For each sandbox with a running write. */
  const queues = new Map<string, ReturnType<typeof createQueue>>();
  return async (sandboxId, work, signal) => {
    signal?.throwIfAborted();
    const running = queues.get(sandboxId);
    const queue = running ?? createQueue(() => new ServiceError('sandbox_busy'));
    if (!running) queues.set(sandboxId, queue);
    const waitMs = running ? await queue.wait(signal, longestWaitMs) : longestWaitMs;
    let isBusy = false;
    try {
      return await work(waitMs);
    } catch (error) {
      isBusy = error instanceof ServiceError && error.code === 'sandbox_busy';
      throw error;
    } finally {
      // After a write that another process blocked, the waiting time of the others continues.
      if (!isBusy) queue.renew();
      if (!queue.beginNext()) queues.delete(sandboxId);
    }
  };
};
