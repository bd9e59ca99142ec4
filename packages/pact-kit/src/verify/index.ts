// Verification of pacts against the contract and against the real service.
export type { JobResult } from './interaction-job.ts';
export type { PactSource } from './merge-results.ts';
export { verifyDynamically } from './verify-dynamically.ts';
export { verifyPacts } from './verify-pacts.ts';
