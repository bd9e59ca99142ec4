// Values that a pact takes from its provider states: the generators that libraries write for `fromProviderState`.
// The pact's own ids are given, as everywhere in a pact; the proxy puts the service's ids in their place.

import type { JsonPath } from '../pact-files/json-document.ts';
import { isRecord } from '../values.ts';
import type { ResolvedState } from './resolve-state.ts';

type StateGenerator = {
  /** The position in the interaction. */
  at: JsonPath;
  /** Text with placeholders, such as `/v1/history/sandbox/${sandbox_id}/item/`. */
  expression: string;
};

/** The parameters of the states by name; a later state wins, as in Pact. */
export const valuesOfStates = (states: readonly ResolvedState[]): Record<string, unknown> =>
  Object.fromEntries(
    states.flatMap(({ parameters }) =>
      Object.entries(parameters).filter(([, value]) => value !== undefined),
    ),
  );

/**
 * The generators of the request that read provider states. Those of a credential are left out: the kit signs a token
 * for every request. Generators of the response are for the consumer's own mock, and the verifier skips them.
 */
export const listStateGenerators = (content: Record<string, unknown>): StateGenerator[] => {
  const request = isRecord(content.request) ? content.request : {};
  return collect(request.generators, ['request', 'generators']).filter(
    ({ at }) => !at.some((step) => isCredential(step)),
  );
};

const isCredential = (step: string | number): boolean =>
  /^(?:\$\.)?authorization(?:\[\d+\])?$/i.test(String(step));

const collect = (written: unknown, at: JsonPath): StateGenerator[] => {
  if (!isRecord(written)) return [];
  if (written.type !== 'ProviderState') {
    return Object.entries(written).flatMap(([key, value]) => collect(value, [...at, key]));
  }
  return typeof written.expression === 'string' ? [{ at, expression: written.expression }] : [];
};

/** The generators of a request without those of its credential, which the verifier could not resolve. */
export const withoutCredentialGenerators = (generators: unknown): unknown => {
  if (!isRecord(generators)) return generators;
  return Object.fromEntries(
    Object.entries(generators).map(([category, entries]) => [
      category,
      isRecord(entries) && /^headers?$/.test(category)
        ? Object.fromEntries(Object.entries(entries).filter(([name]) => !isCredential(name)))
        : entries,
    ]),
  );
};

const PLACEHOLDER = /\$\{([^}]*)\}/g;

/** The names in an expression; one without placeholders is itself a name. */
export const namesIn = (expression: string): string[] => {
  const names = [...expression.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim());
  return names.length > 0 ? names : [expression];
};

/** Path of the request as the pact has it, without query. */
export const writtenPath = ({ request }: Record<string, unknown>): string =>
  String((isRecord(request) && request.path) || '').split('?')[0] ?? '';

/** The path that the verifier will send, where a generator makes it; else the one that is written. */
export const generatePath = (
  content: Record<string, unknown>,
  values: Readonly<Record<string, unknown>>,
): string => {
  const path = writtenPath(content);
  const generator = listStateGenerators(content).find(({ at }) => at[2] === 'path');
  if (!generator) return path;
  const { expression } = generator;
  if (namesIn(expression).some((name) => !Object.hasOwn(values, name))) return path;
  if (!expression.includes('${')) return String(values[expression]);
  return expression.replace(PLACEHOLDER, (_, name: string) => String(values[name.trim()]));
};
