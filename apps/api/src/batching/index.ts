export { createBatcher } from './create-batcher.ts';
