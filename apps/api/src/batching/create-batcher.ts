import { captureOrigin, runForAll } from './trace-batches.ts';

export type BatcherOptions = {
  /** How many keys one call may carry. */
  maxBatch?: number;
};

/**
 * The fixed cost of a statement is small by then. Larger ones leave the process and the database waiting for each other
 * in turn: repeated joins were 22 % slower with all that waited in one call.
 */
const MAX_BATCH = 24;
/** Calls in flight at once. A second one keeps a slow call from holding up everybody. */
const MAX_IN_FLIGHT = 2;

type Waiter<Value> = {
  resolve: (value: Value | undefined) => void;
  reject: (error: unknown) => void;
  origin: unknown;
};

/**
 * Natural batching: what is asked for in one turn of the event loop, or while calls are in flight, goes with the next
 * one, in the order of arrival. An idle service adds no delay, and a loaded one spends a share of a call on each key.
 *
 * A call serves only those who asked before it began, so that an answer is never older than its question.
 * Keys that the call does not answer are `undefined`; its error reaches all who waited for it.
 */
export const createBatcher = <Value>(
  callMany: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  { maxBatch = MAX_BATCH }: BatcherOptions = {},
) => {
  /** The lists are emptied when they are answered: see PassingList. */
  const waiting = new Map<string, Waiter<Value>[]>();
  let inFlight = 0;
  let isDue = false;

  const takeBatch = (): Map<string, Waiter<Value>[]> => {
    const batch = new Map<string, Waiter<Value>[]>();
    for (const [key, waiters] of waiting) {
      if (batch.size === maxBatch) break;
      batch.set(key, waiters);
      waiting.delete(key);
    }
    return batch;
  };

  const callNext = async (): Promise<void> => {
    const batch = takeBatch();
    try {
      const listOrigins = () => [...batch.values()].flat().map(({ origin }) => origin);
      const values = await runForAll('batch', listOrigins, () => callMany([...batch.keys()]));
      for (const [key, waiters] of batch) {
        const value = values.get(key);
        for (const { resolve } of waiters.splice(0)) resolve(value);
      }
    } catch (error) {
      for (const waiters of batch.values()) {
        for (const { reject } of waiters.splice(0)) reject(error);
      }
    }
  };

  const work = async (): Promise<void> => {
    isDue = false;
    inFlight += 1;
    const called = callNext();
    // What did not fit need not wait for an answer.
    callSoon();
    await called;
    inFlight -= 1;
    callSoon();
  };

  /** After what has arrived by now has been read, so that requests of one moment share a call. */
  const callSoon = (): void => {
    if (isDue || waiting.size === 0 || inFlight >= MAX_IN_FLIGHT) return;
    isDue = true;
    setImmediate(() => void work());
  };

  return (key: string): Promise<Value | undefined> => {
    const { promise, resolve, reject } = Promise.withResolvers<Value | undefined>();
    const waiter = { resolve, reject, origin: captureOrigin() };
    const waiters = waiting.get(key);
    if (waiters) waiters.push(waiter);
    else waiting.set(key, [waiter]);
    callSoon();
    return promise;
  };
};
