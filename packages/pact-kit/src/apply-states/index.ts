// Provider states, made true one interaction at a time, each with ids of its own.
export type { Aliases } from './aliases.ts';
export type { AppliedStates } from './apply-states.ts';
export { applyStates } from './apply-states.ts';
export { createServiceClient, type ServiceClient, StateError } from './service-client.ts';
