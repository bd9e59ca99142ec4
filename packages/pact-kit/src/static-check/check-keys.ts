// Misspelt keys of the pact file itself. The verifier ignores what it does not know, and with it what was expected.
import type { PactInteraction } from '../pact-file.ts';
import type { JsonPath } from '../pact-files/index.ts';
import { editDistance } from './closest-name.ts';
import { isRecord } from './json-value.ts';
import type { Report } from './report.ts';

const PART = ['headers', 'body', 'matchingRules', 'generators'];
const KNOWN = {
  interaction: [
    ...['description', 'providerState', 'providerStates', 'provider_state', 'request', 'response'],
    ...['type', 'key', 'pending', 'comments', 'transport', 'interactionMarkup'],
    'pluginConfiguration',
  ],
  state: ['name', 'params'],
  request: ['method', 'path', 'query', ...PART],
  response: ['status', ...PART],
};

/** Keys that resemble no known one are a library's own notes, and are left alone. */
export const checkKeys = ({ content }: PactInteraction, report: Report): void => {
  checkObject(content, 'interaction', [], report);
  checkObject(content.request, 'request', ['request'], report);
  checkObject(content.response, 'response', ['response'], report);
  const states: unknown[] = Array.isArray(content.providerStates) ? content.providerStates : [];
  for (const [index, state] of states.entries()) {
    checkObject(state, 'state', ['providerStates', index], report);
  }
};

const checkObject = (
  value: unknown,
  kind: keyof typeof KNOWN,
  at: JsonPath,
  report: Report,
): void => {
  if (!isRecord(value)) return;
  const known = KNOWN[kind];
  for (const key of Object.keys(value).filter((name) => !known.includes(name))) {
    const meant = known.find((name) => resembles(key, name, value));
    if (meant === undefined && kind !== 'state') continue;
    report({
      rule: 'misspelt-key',
      message: `The ${kind} has the key "${key}", which Pact does not read.`,
      suggestion: meant ? `Did you mean ${meant}?` : `Known: ${known.join(', ')}.`,
      at: [...at, key],
    });
  }
};

const LONG = 6;
const SHORTEST_STEM = 4;

/** Other letters, another case, another number of the noun; or the word with an ending, where the word itself is not there. */
const resembles = (key: string, name: string, value: Record<string, unknown>): boolean => {
  const given = fold(key);
  const meant = fold(name);
  if (editDistance(given, meant) <= (meant.length >= LONG ? 2 : 1)) return true;
  return !(name in value) && meant.length >= SHORTEST_STEM && given.startsWith(meant);
};

const fold = (word: string): string => word.toLowerCase().replaceAll('_', '');
