// Checks pacts against the contract without running anything.
export type { CheckOptions } from './check-pacts.ts';
export { checkPacts, findOperationOf } from './check-pacts.ts';
export { findClosest, suggestName } from './closest-name.ts';
export type { InteractionCounts } from './last-run.ts';
export { countInteractions, writeLastRun } from './last-run.ts';
export type { OpenApi, Operation } from './openapi-document.ts';
