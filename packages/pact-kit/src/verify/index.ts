// Verification of pacts against the contract and against the real service.
export type { InteractionJob, JobResult } from './interaction-job.ts';
export type { PactSource } from './merge-results.ts';
export { verifyDynamically } from './verify-dynamically.ts';
export { type VerifyPactsOptions, verifyPacts } from './verify-pacts.ts';
