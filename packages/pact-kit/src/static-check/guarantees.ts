// Which optional fields of an answer are certain, by the provider states in use and by the request.

import type { JsonPath } from '../pact-files/json-document.ts';
import type { ProviderStateName, ResolvedState } from '../provider-states/resolve-state.ts';
import { findProviderState } from '../provider-states/resolve-state.ts';
import type {
  Condition,
  Echo,
  Elements,
  Guarantee,
  OperationName,
} from '../provider-states/state-definition.ts';
import { isRecord } from '../values.ts';
import { parseRulePath } from './matching-rules.ts';

export type StateInUse = {
  /** As the consumer wrote them, without defaults: only what was given is echoed. */
  given: Readonly<Record<string, unknown>>;
  state: ResolvedState;
};

type RequestFacts = {
  operation: OperationName;
  body: unknown;
  query: Readonly<Record<string, readonly string[]>>;
};

/** Returns a function that tests whether a field is certain. In its path `*` means every element of a list. */
export const collectGuarantees = (
  states: readonly StateInUse[],
  request: RequestFacts,
): ((path: JsonPath) => boolean) => {
  const byName = new Map<string, JsonPath[][]>();
  for (const use of states) {
    const { name } = use.state;
    byName.set(name, [...(byName.get(name) ?? []), guaranteedPaths(use, states, request)]);
  }
  // Of several records every one must have the field, since an answer may begin with any of them.
  return (path) =>
    [...byName.values()].some((uses) =>
      uses.every((patterns) => patterns.some((pattern) => covers(pattern, path))),
    );
};

/** The name of a state whose response has elements in the list or map there. */
export const findPromisedElements = (
  states: readonly StateInUse[],
  operation: OperationName,
  template: JsonPath,
): string | null => {
  const makers = states.filter((use) =>
    pathsOfElements(use, operation).some((path) => isSameTemplate(path, template)),
  );
  const [maker] = makers;
  // Each of several records has a list of its own, of which one may be empty.
  const peers = states.filter(({ state }) => state.name === maker?.state.name);
  return maker && peers.length === makers.length ? maker.state.name : null;
};

const pathsOfElements = ({ state, given }: StateInUse, operation: OperationName): JsonPath[] => {
  const definition = findProviderState(state.name);
  const applies = ({ operations }: Elements | Echo) => operations.includes(operation);
  const elements: readonly Elements[] = definition?.elements ?? [];
  const echoes: readonly Echo[] = definition?.echoes ?? [];
  return [
    ...elements
      .filter(applies)
      .flatMap(({ paths }) => paths.map((path) => parseRulePath(`$.${path}`) ?? [])),
    ...echoes
      .filter(applies)
      .flatMap((echo) => echoedPaths(echo, given))
      // Of a list or map with elements there are also the paths of these.
      .map((path) => path.slice(0, -1)),
  ];
};

const isSameTemplate = (path: JsonPath, template: JsonPath): boolean =>
  path.length === template.length &&
  path.every((step, index) => {
    const other = template[index];
    return step === other || (other === '*' && typeof step === 'number');
  });

const covers = (pattern: JsonPath, path: JsonPath): boolean =>
  pattern.length === path.length &&
  pattern.every((step, index) => step === '*' || step === path[index]);

const guaranteedPaths = (
  use: StateInUse,
  states: readonly StateInUse[],
  request: RequestFacts,
): JsonPath[] => {
  const definition = findProviderState(use.state.name);
  const applies = ({ operations }: Guarantee | Echo) => operations.includes(request.operation);
  const guarantees: readonly Guarantee[] = definition?.guarantees ?? [];
  const echoes: readonly Echo[] = definition?.echoes ?? [];
  return [
    ...guarantees
      .filter(applies)
      .filter(({ when }) => when.every((condition) => holds(condition, use, states, request)))
      .flatMap(({ paths }) => paths.map((path) => parseRulePath(`$.${path}`) ?? [])),
    ...echoes.filter(applies).flatMap((echo) => echoedPaths(echo, use.given)),
  ];
};

const echoedPaths = (
  { parameters, to }: Echo,
  given: Readonly<Record<string, unknown>>,
): JsonPath[] => {
  const prefix = to === '' ? [] : (parseRulePath(`$.${to}`) ?? []);
  return parameters
    .filter((name) => given[name] !== undefined)
    .flatMap((name) => pathsWithin(given[name], [...prefix, name]));
};

const pathsWithin = (value: unknown, path: JsonPath): JsonPath[] => {
  if (Array.isArray(value)) {
    return [path, ...value.flatMap((inner, index) => pathsWithin(inner, [...path, index]))];
  }
  if (!isRecord(value)) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, inner]) => pathsWithin(inner, [...path, key])),
  ];
};

const holds = (
  condition: Condition,
  use: StateInUse,
  states: readonly StateInUse[],
  request: RequestFacts,
): boolean => {
  if ('given' in condition) return valueAt(use.given, condition.given) !== undefined;
  if ('sent' in condition) return valueAt(request, condition.sent) !== undefined;
  if ('noHeldSeats' in condition) return noHeldSeats(states, request);
  if ('onlyPlayer' in condition) return isOnlyPlayer(states);
  return hasMorePages(states, request);
};

const valueAt = (root: unknown, dotted: string): unknown =>
  dotted
    .split('.')
    .reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), root);

const HELD = new Set<unknown>(['invited', 'reserved']);

const noHeldSeats = (states: readonly StateInUse[], request: RequestFacts): boolean =>
  !HELD.has(valueAt(request, 'body.status')) &&
  states.every(({ state: { parameters } }) => {
    const seats = 'seats' in parameters ? parameters.seats : [];
    return [parameters, ...seats].every((seat) => !('status' in seat && HELD.has(seat.status)));
  });

const isOnlyPlayer = (states: readonly StateInUse[]): boolean => {
  const sessions = states.flatMap(({ state }) =>
    state.name === 'a session' ? [state.parameters] : [],
  );
  return (
    sessions.length > 0 &&
    sessions.every(
      ({ seats, teams }) => seats.length === 0 && teams.every(({ players }) => players === 0),
    )
  );
};

const FILTERS = ['item_ids', 'legacy_item_ids', 'xp_ids', 'legacy_xp_ids', 'name'];
const DEFAULT_PAGE_SIZE = 50;

/** Filters may leave records out, so they count only where there is one record. */
const hasMorePages = (
  states: readonly StateInUse[],
  { operation, query }: RequestFacts,
): boolean => {
  const counts = states.flatMap(({ state }) => countVersions(state, operation));
  const isFirst = [undefined, '0'].includes(query.cursor?.[0]);
  if (!isFirst || (counts.length > 1 && FILTERS.some((name) => query[name]))) return false;
  const total = counts.reduce((sum, count) => sum + count, 0);
  return total > Number(query.page_size?.[0] ?? DEFAULT_PAGE_SIZE);
};

const HISTORY_STATES: Partial<Record<OperationName, ProviderStateName>> = {
  listItemHistory: 'an Item with versions',
  listXpHistory: 'an Xp table with versions',
};

const countVersions = (state: ResolvedState, operation: OperationName): number[] => {
  const named = HISTORY_STATES[operation];
  if (state.name !== named || !('versions' in state.parameters)) return [];
  const { versions } = state.parameters;
  return [typeof versions === 'number' ? versions : versions.length];
};
