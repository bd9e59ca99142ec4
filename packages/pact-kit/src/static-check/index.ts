// Checks pacts against the contract without running anything.
export { checkPacts, findOperationOf } from './check-pacts.ts';
export { writeLastRun } from './last-run.ts';
export type { OpenApi } from './openapi-document.ts';
