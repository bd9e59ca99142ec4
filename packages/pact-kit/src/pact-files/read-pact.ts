// Parses the text of one file to a pact, or to the sentence that explains why it is invalid.
import { isRecord } from '../broker/hal-client.ts';
import type { Finding, PactFile, PactInteraction, ProviderStateUse } from '../findings.ts';
import type { JsonDocument, JsonPath } from './json-document.ts';
import { parseJson } from './json-document.ts';

export type ReadPact = { pact: PactFile | null; findings: Finding[] };

/** `source` is what findings name. */
export const readPact = (text: string, source: string): ReadPact => {
  const parsed = parseJson(text, source);
  if ('problem' in parsed) {
    const { message, place } = parsed.problem;
    return refuse({
      rule: 'broken-json',
      message: `The file is not valid JSON: ${message}`,
      place,
    });
  }
  const { document } = parsed;
  const missing = findMissing(document.value);
  if (missing !== null) {
    const message = `The file is not a pact: it has no ${missing}.`;
    return refuse({ rule: 'not-a-pact', message, place: document.locate([]) });
  }
  return toPact(document, document.value as Record<string, unknown>, source);
};

const refuse = (finding: Omit<Finding, 'severity'>): ReadPact => ({
  pact: null,
  findings: [{ severity: 'error', ...finding }],
});

/**
 * True for what a folder should be searched for: other JSON files in it, results of this kit among them, are none of our
 * business. Two signs of three are enough, so that a pact with a misspelt key is still read, and refused.
 */
export const looksLikePact = (value: unknown): boolean => {
  if (!isRecord(value)) return false;
  const signs = [
    isRecord(value.consumer),
    isRecord(value.provider),
    Array.isArray(value.interactions) || Array.isArray(value.messages),
    isRecord(value.metadata) && 'pactSpecification' in value.metadata,
  ];
  return signs.filter(Boolean).length >= 2;
};

const findMissing = (value: unknown): string | null => {
  if (!isRecord(value)) return 'JSON object at its root';
  for (const party of ['consumer', 'provider']) {
    const named = value[party];
    if (!isRecord(named) || typeof named.name !== 'string') return `${party} with a name`;
  }
  const lists = [value.interactions, value.messages];
  if (!lists.some(Array.isArray)) return 'list of interactions';
  const version = Number.parseInt(specificationOf(value.metadata), 10);
  return version >= 1 && version <= 4 ? null : 'version of the specification from 1 to 4';
};

const toPact = (
  document: JsonDocument,
  value: Record<string, unknown>,
  source: string,
): ReadPact => {
  const { interactions, findings } = readInteractions(document, listOf(value.interactions));
  const messages = listOf(value.messages).map((_, index) =>
    notHttp(
      `Entry ${index + 1} of messages is a message, and the interface has HTTP only.`,
      document,
      ['messages', index],
    ),
  );
  return {
    pact: {
      source,
      consumer: nameOf(value.consumer),
      provider: nameOf(value.provider),
      specification: specificationOf(value.metadata),
      interactions,
      content: value,
      locate: document.locate,
    },
    findings: [...findings, ...messages],
  };
};

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const nameOf = (party: unknown): string => (isRecord(party) ? String(party.name) : '');

/** Three spellings are in use; a file without any is read as version 2, as the verifier does. */
const specificationOf = (metadata: unknown): string => {
  if (!isRecord(metadata)) return '2.0.0';
  for (const key of ['pactSpecification', 'pact-specification', 'pactSpecificationVersion']) {
    const written = metadata[key];
    const version = isRecord(written) ? written.version : written;
    if (typeof version === 'string') return version;
  }
  return '2.0.0';
};

// The interactions of a pact, whichever version of the Pact specification (1 to 4) it follows.

type Content = Record<string, unknown>;

type ReadInteractions = { interactions: PactInteraction[]; findings: Finding[] };

/** Reads every HTTP interaction; anything else in the list is a finding. */
const readInteractions = (document: JsonDocument, list: readonly unknown[]): ReadInteractions => {
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

const notHttp = (message: string, document: JsonDocument, path: JsonPath): Finding => ({
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
  return (
    findStateProblem(content) ??
    findRequestProblem(content.request) ??
    findResponseProblem(content.response)
  );
};

const isAbsent = (value: unknown): boolean => value === undefined || value === null;
const isText = (value: unknown): boolean => isAbsent(value) || typeof value === 'string';
const isMap = (value: unknown): boolean => isAbsent(value) || isRecord(value);

/** An invalid state is reported, since it would otherwise be treated as a state with another name. */
const findStateProblem = (content: Content): string | null => {
  const { providerState, provider_state, providerStates } = content;
  if (!isText(providerState) || !isText(provider_state)) {
    return 'has a provider state that is not a string';
  }
  if (isAbsent(providerStates)) return null;
  if (!Array.isArray(providerStates)) return 'has provider states that are not a list';
  const states: unknown[] = providerStates;
  const broken = states.findIndex((state) => isRecord(state) && !isMap(state.params));
  return broken === -1
    ? null
    : `has parameters of provider state ${broken + 1} that are not an object`;
};

const findRequestProblem = ({ method, path, query, ...part }: Content): string | null => {
  if (!isText(method)) return 'has a method that is not a string';
  if (!isText(path)) return 'has a path that is not a string';
  if (!isText(query) && !isMap(query)) return 'has a query that is neither a string nor an object';
  return findPartProblem(part, 'request');
};

/** The verifier breaks off at a status that is none, and would verify nothing at all. */
const findResponseProblem = ({ status, ...part }: Content): string | null => {
  const isStatus =
    isAbsent(status) ||
    (typeof status === 'number' && Number.isInteger(status) && status >= 100 && status <= 599);
  if (!isStatus) return `has the status ${JSON.stringify(status)}, which is no HTTP status`;
  return findPartProblem(part, 'response');
};

const findPartProblem = (part: Content, name: string): string | null => {
  const broken = ['headers', 'matchingRules', 'generators'].find((key) => !isMap(part[key]));
  return broken === undefined ? null : `has ${broken} in its ${name} that are not an object`;
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
