// The provider states that consumer teams may name in their pacts.
export type {
  CallerStateParameters,
  ItemStateParameters,
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
export type { StateProblem } from './resolve-state.ts';
export { resolveState } from './resolve-state.ts';
export type { Condition, Echo, Guarantee, OperationName } from './state-definition.ts';
