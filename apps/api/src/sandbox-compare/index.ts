// Two sandboxes side by side, and selected records carried from one to the other.
export { type CompareService, createCompareService } from './compare-service.ts';
export { type ComparePosition, createCompareStore } from './compare-store.ts';
export { createPromoteService, type PromoteService } from './promote-service.ts';
