// The provider states of an interaction: every one known, with parameters that the catalogue has.
import type { PactInteraction, ProviderStateUse } from '../findings.ts';
import type { JsonPath } from '../pact-files/json-document.ts';
import type { StateProblem } from '../provider-states/resolve-state.ts';
import { PROVIDER_STATES, resolveState } from '../provider-states/resolve-state.ts';
import { listStateGenerators, namesIn, valuesOfStates } from '../provider-states/state-values.ts';
import type { StateInUse } from './guarantees.ts';
import type { Report } from './report.ts';
import { suggestName } from './report.ts';

/** Reports what is wrong with the states; answers the ones that are right. */
export const checkStates = (
  interaction: PactInteraction,
  requestPath: string,
  report: Report,
): StateInUse[] => {
  const inUse = interaction.states.flatMap((use, index) => {
    const { state, problems } = resolveState(use, requestPath);
    const at = placeOfState(interaction, index);
    for (const problem of problems) reportProblem(problem, use, at, report);
    return state ? [{ given: use.params, state }] : [];
  });
  reportContradictions(inUse, placeOfState(interaction, 0), report);
  // What a misspelt state would have given cannot be known; that state is reported already.
  if (inUse.length === interaction.states.length) reportUnknownValues(interaction, inUse, report);
  return inUse;
};

/** A generator that reads what no state gives: the verifier would send an empty value or break off. */
const reportUnknownValues = (
  interaction: PactInteraction,
  inUse: readonly StateInUse[],
  report: Report,
): void => {
  const known = Object.keys(valuesOfStates(inUse.map(({ state }) => state)));
  for (const { at, expression } of listStateGenerators(interaction.content)) {
    for (const name of namesIn(expression).filter((one) => !known.includes(one))) {
      const suggestion =
        known.length === 0
          ? 'The interaction names no provider state.'
          : (suggestName(name, known) ?? `Known: ${known.join(', ')}.`);
      report({
        rule: 'unknown-state-value',
        message: `The generator takes "${name}" from a provider state, and no state of the interaction has such a parameter.`,
        suggestion,
        at,
      });
    }
  }
};

/** What is there, what is not, and the parameters that name the thing. */
const OPPOSITES = [
  ['a session', 'no such platform session', ['platform', 'platform_session_id_base64']],
  ['a known player', 'no such player', ['player_uuid']],
] as const;

/** Only one of the two can be made true; the other one would be left out in silence. */
const reportContradictions = (inUse: readonly StateInUse[], at: JsonPath, report: Report): void => {
  for (const [present, absent, names] of OPPOSITES) {
    const keyOf = ({ state }: StateInUse) =>
      JSON.stringify(names.map((name) => Reflect.get(state.parameters, name)));
    const keys = (name: string) => inUse.filter(({ state }) => state.name === name).map(keyOf);
    const denied = keys(absent);
    if (!keys(present).some((key) => denied.includes(key))) continue;
    const message = `The provider states "${present}" and "${absent}" are about the same one and contradict each other.`;
    report({ rule: 'contradicting-states', message, at });
  }
};

const placeOfState = ({ content }: PactInteraction, index: number): JsonPath => {
  if (Array.isArray(content.providerStates)) return ['providerStates', index];
  return ['providerState' in content ? 'providerState' : 'provider_state'];
};

const NAMES = PROVIDER_STATES.map(({ name }) => name);

const reportProblem = (
  problem: StateProblem,
  { name }: ProviderStateUse,
  at: JsonPath,
  report: Report,
): void => {
  if (problem.kind === 'unknown-state') {
    const message = `The provider state "${name}" is not in the catalogue.`;
    report({ rule: 'unknown-provider-state', message, suggestion: suggestName(name, NAMES), at });
    return;
  }
  const parameter = problem.path.join('.');
  const place = [...at, 'params', ...problem.path];
  const subject = `The parameter "${parameter}" of the provider state "${name}"`;
  if (problem.kind === 'unknown-parameter') {
    const suggestion = suggestName(String(problem.path.at(-1)), problem.known);
    report({
      rule: 'unknown-state-parameter',
      message: `${subject} is not in the catalogue.`,
      suggestion,
      at: place,
    });
  } else if (problem.kind === 'missing-parameter') {
    const message = `${subject} is required, and the pact does not give it.`;
    report({ rule: 'missing-state-parameter', message, at: place });
  } else {
    const message = `${subject} is not valid: ${problem.reason}.`;
    report({ rule: 'invalid-state-parameter', message, at: place });
  }
};
