// The catalogue of provider states: few, with parameters, each with its opposite.

import { companionContract, contract } from '@muster/contract';
import { z } from 'zod';
import type { Schema } from '../static-check/openapi-document.ts';
import { resolveSchema } from '../static-check/openapi-document.ts';
import { decodePart, isRecord } from '../values.ts';
import { anEmptyHistory, anItemWithVersions, anXpTableWithVersions } from './history-states.ts';
import {
  aKnownPlayer,
  aSeatedPlayer,
  aSession,
  aTemporaryRefusal,
  noSuchPlatformSession,
  noSuchPlayer,
  noSuchSession,
  theCaller,
} from './session-states.ts';
import type { OperationName } from './state-definition.ts';

export const PROVIDER_STATES = [
  aSession,
  noSuchPlatformSession,
  aSeatedPlayer,
  noSuchSession,
  aKnownPlayer,
  noSuchPlayer,
  anItemWithVersions,
  anXpTableWithVersions,
  anEmptyHistory,
  aTemporaryRefusal,
  theCaller,
] as const;

export type ProviderState = (typeof PROVIDER_STATES)[number];
export type ProviderStateName = ProviderState['name'];
type StateNamed<Name extends ProviderStateName> = Extract<ProviderState, { name: Name }>;

/** What a consumer may write for a state; everything that has a default may be left out. */
export type ProviderStateParameters<Name extends ProviderStateName> = z.input<
  StateNamed<Name>['parameters']
>;

/** A state as it is applied: every default filled in. */
export type ResolvedState = {
  [Name in ProviderStateName]: {
    name: Name;
    parameters: z.output<StateNamed<Name>['parameters']>;
  };
}[ProviderStateName];

export type SessionStateParameters = z.output<typeof aSession.parameters>;
export type ItemStateParameters = z.output<typeof anItemWithVersions.parameters>;
export type XpStateParameters = z.output<typeof anXpTableWithVersions.parameters>;
export type RefusalStateParameters = z.output<typeof aTemporaryRefusal.parameters>;
export type CallerStateParameters = z.output<typeof theCaller.parameters>;

export const findProviderState = (name: string): ProviderState | null =>
  PROVIDER_STATES.find((state) => state.name === name) ?? null;

// From what a pact says about a state to the parameters that are applied: path defaults, then the schema.

export type StateProblem =
  | { kind: 'unknown-state'; name: string }
  | { kind: 'unknown-parameter'; path: (string | number)[]; known: string[] }
  | { kind: 'missing-parameter'; path: (string | number)[] }
  | { kind: 'invalid-parameter'; path: (string | number)[]; reason: string };

type StateResolution =
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
  const unknown = findUnknown(use.params, parameterSchema(definition));
  const schema: z.ZodObject = definition.parameters;
  const parsed = schema.safeParse(withPathDefaults(definition, use.params, requestPath));
  if (!parsed.success) {
    return refuse([
      ...unknown,
      ...parsed.error.issues.flatMap((one) => toProblems(one, use.params)),
    ]);
  }
  if (unknown.length > 0) return refuse(unknown);
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
  params: Readonly<Record<string, unknown>>,
): StateProblem[] => {
  if (issue.code === 'unrecognized_keys') return [];
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
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

/** The schema of what a consumer may write: JSON Schema 2020-12. */
export const parameterSchema = ({ parameters }: ProviderState): Schema =>
  z.toJSONSchema(parameters as z.ZodObject, {
    io: 'input',
    unrepresentable: 'any',
    // Zod leaves it out where the value is preprocessed, as lists are.
    override: ({ zodSchema: { _zod }, jsonSchema }) => {
      if (_zod.def.type === 'default') jsonSchema.default ??= _zod.def.defaultValue;
    },
  }) as Schema;

/** At any depth. The contract's own objects drop what they do not know; a consumer that wrote it has misspelt something. */
const findUnknown = (
  given: unknown,
  root: Schema,
  written: Schema = root,
  path: (string | number)[] = [],
): StateProblem[] => {
  const { properties, items = {} } = resolveSchema(
    { components: { schemas: root.$defs ?? {} } },
    written,
  );
  if (Array.isArray(given)) {
    return given.flatMap((one, index) => findUnknown(one, root, items, [...path, index]));
  }
  if (!isRecord(given) || !properties) return [];
  const known = Object.keys(properties);
  return Object.entries(given).flatMap(([key, value]): StateProblem[] => {
    const inner = [...path, key];
    return known.includes(key)
      ? findUnknown(value, root, properties[key], inner)
      : [{ kind: 'unknown-parameter', path: inner, known }];
  });
};

// Which operation a request's path names, and its path parameters: states take their defaults from there.

export type RequestRoute = {
  operation: OperationName;
  /** `/v1/history/sandbox/{sandbox_id}/item/` */
  template: string;
  parameters: Record<string, string>;
};

const ROUTES = { ...contract, ...companionContract };
const OPERATIONS = Object.keys(ROUTES) as OperationName[];

/** Reads the path by the routes of both contracts, whatever the method; null when no route has its shape. */
export const readRoute = (path: string): RequestRoute | null => {
  for (const operation of OPERATIONS) {
    const template = ROUTES[operation].path.replace(/:(\w+)/g, '{$1}');
    const parameters = matchTemplate(template, path);
    if (parameters) return { operation, template, parameters };
  }
  return null;
};

/** The parameters of a path, decoded, by a template such as `/v1/history/sandbox/{sandbox_id}/item/`; null for another path. */
export const matchTemplate = (template: string, path: string): Record<string, string> | null => {
  const expected = segmentsOf(template);
  const given = segmentsOf(path);
  if (expected.length !== given.length) return null;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of expected.entries()) {
    const value = given[index] ?? '';
    if (isVariable(segment)) parameters[segment.slice(1, -1)] = decodePart(value);
    else if (segment !== value) return null;
  }
  return parameters;
};

/** Both spellings of a path answer, with and without its last slash. */
export const segmentsOf = (path: string): string[] => path.replace(/^\/|\/$/g, '').split('/');

export const isVariable = (segment: string): boolean => /^\{.*\}$/.test(segment);
