// Natural batching: many requests share one call to the database.
import type { Tracing } from '../telemetry/index.ts';

type BatcherOptions = {
  /** Keys of different groups never share a call. */
  groupOf?: (key: string) => number;
  /** Which of several nodes a call for the key asks. A node that does not answer delays only the calls to it. */
  nodeOf?: (key: string) => number;
  /** True for errors that say that a node does not answer; needed with `nodeOf`. */
  isOutage?: (error: unknown) => boolean;
};

/**
 * How many keys one call may carry. The fixed cost of a statement is small at this size. With larger batches the process and the database wait
 * for each other: repeated joins were 22 % slower with all waiting keys in one call.
 */
export const MAX_BATCH = 24;
/** Calls in flight. With a second one, a slow call does not delay every key. */
const MAX_IN_FLIGHT = 2;
/**
 * To each of several nodes, unless a whole batch waits. Their calls are smaller, and so cost more for each key: with two, a join on two nodes
 * cost 16 % more. Calls that carry the keys of one group would wait for those of others.
 */
const MAX_IN_FLIGHT_OF_NODE = 1;

type Waiter<Value> = {
  resolve: (value: Value | undefined) => void;
  reject: (error: unknown) => void;
  origin: unknown;
};

/** The requests that wait for each key. */
type Batch<Value> = Map<string, Waiter<Value>[]>;

/**
 * Returns a function that loads one key. Keys requested in one iteration of the event loop, or while calls are in
 * flight, go with the next call, in order of arrival: an idle service adds no delay, and a busy one spends a
 * fraction of a call on each key.
 *
 * A call serves only requests made before it began, so that an answer is never older than its question. A key
 * that the call does not answer is `undefined`; an error of the call rejects every request that waits for it.
 */
export const createBatcher = <Value>(callMany: CallMany<Value>, options: BatcherOptions = {}) => {
  const { nodeOf } = options;
  if (!nodeOf) return createNodeBatcher(callMany, options, MAX_IN_FLIGHT);
  const batchers = new Map<number, (key: string) => Promise<Value | undefined>>();
  return (key: string): Promise<Value | undefined> => {
    const node = nodeOf(key);
    const batcher =
      batchers.get(node) ??
      createNodeBatcher(callMany, options, options.groupOf ? MAX_IN_FLIGHT : MAX_IN_FLIGHT_OF_NODE);
    batchers.set(node, batcher);
    return batcher(key);
  };
};

type CallMany<Value> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

/**
 * After an outage, a node is asked for one key at a time until it answers. Until then all other requests for it are rejected with its
 * error: they would wait for calls that hang.
 */
const createNodeBatcher = <Value>(
  callMany: CallMany<Value>,
  { groupOf, isOutage = () => false }: BatcherOptions,
  maxInFlight: number,
) => {
  /** The arrays are emptied when they are answered: see LinkedList. */
  const waiting: Batch<Value> = new Map();
  let inFlight = 0;
  let isScheduled = false;
  let outage: { error: unknown } | null = null;

  const settleAll = (batch: Batch<Value>, settle: (waiter: Waiter<Value>, key: string) => void) => {
    for (const [key, waiters] of batch) for (const waiter of waiters.splice(0)) settle(waiter, key);
    batch.clear();
  };

  const takeBatch = (): Batch<Value> => {
    const batch: Batch<Value> = new Map();
    const [first = ''] = waiting.keys();
    const group = groupOf?.(first);
    for (const [key, waiters] of waiting) {
      if (batch.size === MAX_BATCH) break;
      if (groupOf && groupOf(key) !== group) continue;
      batch.set(key, waiters);
      waiting.delete(key);
    }
    return batch;
  };

  const callBatch = async (): Promise<void> => {
    const batch = takeBatch();
    try {
      const listOrigins = () => [...batch.values()].flat().map(({ origin }) => origin);
      const values = await traceBatch('batch', listOrigins, () => callMany([...batch.keys()]));
      outage = null;
      settleAll(batch, ({ resolve }, key) => resolve(values.get(key)));
    } catch (error) {
      settleAll(batch, ({ reject }) => reject(error));
      // Any other error shows that the node answers.
      outage = isOutage(error) ? { error } : null;
      if (outage) settleAll(waiting, ({ reject }) => reject(error));
    }
  };

  const work = async (): Promise<void> => {
    isScheduled = false;
    // An outage may have emptied it.
    if (waiting.size === 0) return;
    inFlight += 1;
    const called = callBatch();
    // The keys beyond this batch need not wait for its answer.
    schedule();
    await called;
    inFlight -= 1;
    schedule();
  };

  /** After the I/O of this iteration, so that requests that arrive together share a call. */
  const schedule = (): void => {
    const most = waiting.size < MAX_BATCH ? maxInFlight : MAX_IN_FLIGHT;
    if (isScheduled || waiting.size === 0 || inFlight >= most) return;
    isScheduled = true;
    setImmediate(() => void work());
  };

  return (key: string): Promise<Value | undefined> => {
    if (outage && inFlight + waiting.size > 0) return Promise.reject(outage.error);
    const { promise, resolve, reject } = Promise.withResolvers<Value | undefined>();
    const waiter = { resolve, reject, origin: captureOrigin() };
    const waiters = waiting.get(key);
    if (waiters) waiters.push(waiter);
    else waiting.set(key, [waiter]);
    schedule();
    return promise;
  };
};

/** Unset unless tracing is configured: then tracing a batch costs one look at a variable. */
let tracer: Tracing['batches'] | undefined;

export const setBatchTracer = (given: Tracing['batches']): void => {
  tracer = given;
};

/** The request on whose behalf something is put into a batch. */
export const captureOrigin = (): unknown => tracer?.capture();

/** Work for several requests belongs to no single trace: the tracer links it to all of them. */
export const traceBatch = <Result>(
  name: string,
  listOrigins: () => readonly unknown[],
  work: () => Promise<Result>,
): Promise<Result> => (tracer ? tracer.run(name, listOrigins(), work) : work());
