// What is kept for some time only.
export { createRetention, type RetentionOptions } from './create-retention.ts';
export { createRetentionStore } from './retention-store.ts';
