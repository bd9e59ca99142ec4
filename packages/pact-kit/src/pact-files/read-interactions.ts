// The interactions of a pact, whichever version of the Pact specification (1 to 4) it follows.
import type { Finding } from '../finding.ts';
import type { PactInteraction, ProviderStateUse } from '../pact-file.ts';
import type { JsonDocument, JsonPath } from './json-document.ts';

type Content = Record<string, unknown>;

export const isRecord = (value: unknown): value is Content =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export type ReadInteractions = { interactions: PactInteraction[]; findings: Finding[] };

/** Reads every HTTP interaction; anything else in the list is a finding. */
export const readInteractions = (
  document: JsonDocument,
  list: readonly unknown[],
): ReadInteractions => {
  const interactions: PactInteraction[] = [];
  const findings: Finding[] = [];
  for (const [index, content] of list.entries()) {
    const problem = findProblem(content);
    if (problem !== null || !isRecord(content)) {
      const message = `Interaction ${index + 1} ${problem ?? 'is not an object'}.`;
      findings.push(notHttp(message, document, ['interactions', index]));
    } else interactions.push(readInteraction(document, content, index));
  }
  return { interactions, findings };
};

export const notHttp = (message: string, document: JsonDocument, path: JsonPath): Finding => ({
  rule: message.includes('message') ? 'message-interaction' : 'invalid-interaction',
  severity: 'error',
  message,
  place: document.locate(path),
});

const findProblem = (content: unknown): string | null => {
  if (!isRecord(content)) return 'is not an object';
  const { type } = content;
  if (typeof type === 'string' && type !== 'Synchronous/HTTP') {
    return `is of type ${type}: it is a message, and the interface has HTTP only`;
  }
  if (!isRecord(content.request)) return 'has no request';
  if (!isRecord(content.response)) return 'has no response';
  const { providerStates = null } = content;
  const isList = providerStates === null || Array.isArray(providerStates);
  return isList ? null : 'has provider states that are not a list';
};

const readInteraction = (
  document: JsonDocument,
  content: Content,
  index: number,
): PactInteraction => ({
  index,
  description:
    typeof content.description === 'string' ? content.description : `number ${index + 1}`,
  states: readStates(document, content, index),
  place: document.locate(['interactions', index]),
  content,
});

/** Version 3 has a list with parameters; versions 1 and 2 have one name, in either of two spellings. */
const readStates = (
  document: JsonDocument,
  content: Content,
  index: number,
): ProviderStateUse[] => {
  const at = (...path: JsonPath) => document.locate(['interactions', index, ...path]);
  if (Array.isArray(content.providerStates)) {
    return content.providerStates.map((state: unknown, position) => ({
      name: isRecord(state) ? String(state.name ?? '') : String(state),
      params: isRecord(state) && isRecord(state.params) ? state.params : {},
      place: at('providerStates', position),
    }));
  }
  for (const key of ['providerState', 'provider_state']) {
    const name = content[key];
    if (typeof name === 'string' && name !== '') return [{ name, params: {}, place: at(key) }];
  }
  return [];
};
