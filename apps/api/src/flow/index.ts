// How work flows under load: batches, queues, circuit breakers, and JSON that yields to the event loop.

export {
  type BatchWriterOptions,
  createBatchWriter,
  type DropReason,
} from './batch-writer.ts';
export { captureOrigin, createBatcher, setBatchTracer, traceBatch } from './batching.ts';
export { alwaysClosed, type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts';
export { bodyFromJson, writeBody } from './json-body.ts';
export { LinkedList, type ListNode } from './linked-list.ts';
export type { LongPoll } from './long-poll.ts';
export {
  cutText,
  encodePaced,
  parsePaced,
  stringifyPaced,
} from './paced-json.ts';
export {
  createPacer,
  createSerialQueue,
  forEachPaced,
  mapPaced,
  type Pacer,
  type SerialQueue,
} from './pacer.ts';
export { createQueue, createSemaphore, memoize, type Semaphore } from './semaphore.ts';
