// From what a pact says about a state to the parameters that are applied: path defaults, then the schema.
import type { z } from 'zod';
import type { ResolvedState } from './catalogue.ts';
import { findProviderState } from './catalogue.ts';
import { readRoute } from './request-route.ts';

export type StateProblem =
  | { kind: 'unknown-state'; name: string }
  | { kind: 'unknown-parameter'; path: (string | number)[]; known: string[] }
  | { kind: 'missing-parameter'; path: (string | number)[] }
  | { kind: 'invalid-parameter'; path: (string | number)[]; reason: string };

export type StateResolution =
  | { state: ResolvedState; problems: [] }
  | { state: null; problems: StateProblem[] };

/**
 * Fills in the defaults of a state's use. `requestPath` is the path of the interaction's request, without query:
 * what it names (platform session, player, sandbox) need not be repeated in the state.
 */
export const resolveState = (
  use: { name: string; params: Readonly<Record<string, unknown>> },
  requestPath = '',
): StateResolution => {
  const definition = findProviderState(use.name);
  if (!definition) return refuse([{ kind: 'unknown-state', name: use.name }]);
  const schema: z.ZodObject = definition.parameters;
  const parsed = schema.safeParse(withPathDefaults(definition, use.params, requestPath));
  if (!parsed.success) {
    return refuse(parsed.error.issues.flatMap((issue) => toProblems(issue, schema, use.params)));
  }
  const dropped = findDropped(schema, use.params, parsed.data);
  if (dropped.length > 0) return refuse(dropped);
  // The schema of the definition that has this name has read the parameters.
  return {
    state: { name: definition.name, parameters: parsed.data } as unknown as ResolvedState,
    problems: [],
  };
};

const refuse = (problems: StateProblem[]): StateResolution => ({ state: null, problems });

/** A path that breaks the contract on purpose (to see a 422) names nothing that a state could be about. */
const withPathDefaults = (
  definition: { fromPath: Readonly<Record<string, string>>; parameters: z.ZodObject },
  params: Readonly<Record<string, unknown>>,
  requestPath: string,
): Record<string, unknown> => {
  const named = readRoute(requestPath)?.parameters ?? {};
  const defaults = Object.entries(definition.fromPath)
    .map(([parameter, pathParameter]) => [parameter, named[pathParameter]] as const)
    .filter(
      ([parameter, value]) =>
        value !== undefined && definition.parameters.shape[parameter]?.safeParse(value).success,
    );
  return { ...Object.fromEntries(defaults), ...params };
};

const toProblems = (
  issue: z.core.$ZodIssue,
  schema: z.ZodObject,
  params: Readonly<Record<string, unknown>>,
): StateProblem[] => {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeysAt(schema, path);
    return issue.keys.map((key) => ({ kind: 'unknown-parameter', path: [...path, key], known }));
  }
  return valueAt(params, path) === undefined && issue.code === 'invalid_type'
    ? [{ kind: 'missing-parameter', path }]
    : [{ kind: 'invalid-parameter', path, reason: issue.message }];
};

const valueAt = (input: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined,
    input,
  );

/** The names that the schema has where the unknown one stands: the other keys of that object. */
const knownKeysAt = (schema: z.ZodObject, path: readonly (string | number)[]): string[] => {
  let current: z.core.$ZodType = schema;
  for (const part of path) {
    const inner = unwrap(current);
    const { def } = inner._zod;
    if (def.type === 'object') {
      const next = (def as z.core.$ZodObjectDef).shape[String(part)];
      if (!next) return [];
      current = next;
    } else if (def.type === 'array') current = (def as z.core.$ZodArrayDef).element;
    else return [];
  }
  const { def } = unwrap(current)._zod;
  return def.type === 'object' ? Object.keys((def as z.core.$ZodObjectDef).shape) : [];
};

const unwrap = (schema: z.core.$ZodType): z.core.$ZodType => {
  const { def } = schema._zod;
  return 'innerType' in def ? unwrap(def.innerType as z.core.$ZodType) : schema;
};

/** The contract's own objects drop what they do not know; a consumer that wrote it has misspelt something. */
const findDropped = (
  schema: z.ZodObject,
  given: unknown,
  kept: unknown,
  path: (string | number)[] = [],
): StateProblem[] => {
  if (typeof given !== 'object' || given === null) return [];
  if (typeof kept !== 'object' || kept === null) return [];
  return Object.entries(given).flatMap(([key, value]): StateProblem[] => {
    const part = Array.isArray(given) ? Number(key) : key;
    if (value === undefined) return [];
    if (!Object.hasOwn(kept, key)) {
      return [
        { kind: 'unknown-parameter', path: [...path, part], known: knownKeysAt(schema, path) },
      ];
    }
    return findDropped(schema, value, Reflect.get(kept, key), [...path, part]);
  });
};
