export { createBatcher } from './create-batcher.ts';
export { captureOrigin, runForAll, setBatchTracer } from './trace-batches.ts';
