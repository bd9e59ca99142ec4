// The provider states that consumer teams may name in their pacts.
export type {
  CallerStateParameters,
  ItemStateParameters,
  ProviderState,
  ProviderStateName,
  ProviderStateParameters,
  ResolvedState,
  SessionStateParameters,
  XpStateParameters,
} from './catalogue.ts';
export { findProviderState, PROVIDER_STATES } from './catalogue.ts';
export { renderStates } from './render-states.ts';
export type { RequestRoute } from './request-route.ts';
export { readRoute } from './request-route.ts';
export type { StateProblem, StateResolution } from './resolve-state.ts';
export { resolveState } from './resolve-state.ts';
export type {
  Condition,
  Echo,
  Guarantee,
  OperationName,
  StateDefinition,
} from './state-definition.ts';
