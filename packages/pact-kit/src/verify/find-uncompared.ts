// Expected lists and maps whose elements were compared with nothing: `eachLike` without a minimum accepts an empty list, so that a
// misspelt filter or a missing provider state would pass unnoticed.

import type { Finding } from '../findings.ts';
import type { JsonPath } from '../pact-files/json-document.ts';
import { PROVIDER_STATES, resolveState } from '../provider-states/resolve-state.ts';
import type { OperationName } from '../provider-states/state-definition.ts';
import { generatePath, valuesOfStates, writtenPath } from '../provider-states/state-values.ts';
import { findPromisedElements } from '../static-check/guarantees.ts';
import { readHttp } from '../static-check/http-interaction.ts';
import type { Rule } from '../static-check/matching-rules.ts';
import { findRule, MAP_MATCHERS, showPath } from '../static-check/matching-rules.ts';
import { isRecord } from '../values.ts';
import type { InteractionJob } from './interaction-proxy.ts';

/** One warning for each; an error where a provider state in use makes elements. */
export const findUncompared = (job: InteractionJob): Finding[] => {
  const { response } = readHttp(job.interaction);
  const spots = new Map<string, Spot>();
  const walk = { at: [], template: [], rules: response.rules.body, spots };
  compare(response.body, job.seen.body, walk);
  return [...spots.values()]
    .filter(({ isCompared }) => !isCompared)
    .map((spot) => describe(spot, response.bodyPath, job));
};

/** All lists at one place of the template. One list with elements is enough to compare. */
type Spot = { at: JsonPath; template: JsonPath; kind: 'list' | 'map'; isCompared: boolean };

type Walk = {
  /** In the expected body. */
  at: JsonPath;
  /** The same with `*` for each element. */
  template: JsonPath;
  rules: readonly Rule[];
  spots: Map<string, Spot>;
};

const compare = (expected: unknown, actual: unknown, walk: Walk): void => {
  const matchers = findRule(walk.rules, walk.at)?.rule.matchers ?? [];
  if (Array.isArray(expected) && Array.isArray(actual)) {
    // A list of which some elements are searched for is never accepted when it is empty.
    if (expected.length === 0 || matchers.some(({ match }) => match === 'arrayContains')) {
      return;
    }
    note('list', actual.length > 0, walk);
    for (const [index, element] of actual.entries()) {
      const position = index < expected.length ? index : 0;
      compare(expected[position], element, {
        ...walk,
        at: [...walk.at, position],
        template: [...walk.template, '*'],
      });
    }
  } else if (isRecord(expected) && isRecord(actual)) {
    const isMap = matchers.some(({ match }) => MAP_MATCHERS.has(match));
    const names = Object.keys(expected);
    if (isMap && names.length > 0) note('map', Object.keys(actual).length > 0, walk);
    for (const name of names) {
      compare(expected[name], actual[name], {
        ...walk,
        at: [...walk.at, name],
        template: [...walk.template, name],
      });
    }
  }
};

const note = (kind: Spot['kind'], isCompared: boolean, { at, template, spots }: Walk): void => {
  const key = JSON.stringify(template);
  const found = spots.get(key);
  if (!found) spots.set(key, { at, template, kind, isCompared });
  else if (isCompared) found.isCompared = true;
};

const describe = (
  { at, template, kind }: Spot,
  bodyPath: JsonPath,
  { pact, interaction, seen: { operation } }: InteractionJob,
): Finding => {
  const state = operation && findPromise(interaction, operation, template);
  const parts = kind === 'list' ? 'elements' : 'entries';
  return {
    rule: 'nothing-compared',
    severity: state ? 'error' : 'warning',
    message: `The ${kind} ${showPath(template)} of the response is empty, so the expected ${parts} were compared with nothing.`,
    suggestion: state
      ? `The provider state "${state}" makes ${parts}: compare the ids and the filters of the request with its parameters.`
      : `${suggestState(operation, template) ?? `Give the provider state ${parts}`}, or expect an empty ${kind}.`,
    place: pact.locate(['interactions', interaction.index, ...bodyPath, ...at]),
    interaction: interaction.description,
  };
};

/** The state that would make elements there by itself. */
const suggestState = (operation: OperationName | undefined, template: JsonPath): string | null => {
  const state = PROVIDER_STATES.find(({ elements }) =>
    elements.some(
      ({ operations, paths }) =>
        operations.some((one) => one === operation) &&
        paths.some((path) => `$.${path}` === showPath(template)),
    ),
  );
  return state ? `Name the provider state "${state.name}"` : null;
};

/** The name of a state in use that makes elements there. */
const findPromise = (
  { states, content }: InteractionJob['interaction'],
  operation: OperationName,
  template: JsonPath,
): string | null => {
  const resolve = (path: string) =>
    states.flatMap((use) => {
      const { state } = resolveState(use, path);
      return state ? [{ given: use.params, state }] : [];
    });
  const values = valuesOfStates(resolve(writtenPath(content)).map(({ state }) => state));
  return findPromisedElements(resolve(generatePath(content, values)), operation, template);
};
