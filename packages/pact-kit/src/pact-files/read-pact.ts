// Parses the text of one file to a pact, or to the sentence that explains why it is invalid.
import { z } from 'zod';
import type { Finding, PactFile, PactInteraction, Place, ProviderStateUse } from '../findings.ts';
import { isRecord } from '../values.ts';
import type { JsonDocument, JsonPath } from './json-document.ts';
import { parseJson } from './json-document.ts';

export type ReadPact = { pact: PactFile | null; findings: Finding[] };

/** `source` is what findings name. */
export const readPact = (text: string, source: string): ReadPact => {
  const parsed = parseJson(text, source);
  if ('problem' in parsed) {
    const { message, place } = parsed.problem;
    return refuse('broken-json', `The file is not valid JSON: ${message}`, place);
  }
  const { document } = parsed;
  const missing = findMissing(document.value);
  if (missing !== null) {
    const message = `The file is not a pact: it has no ${missing}.`;
    return refuse('not-a-pact', message, document.locate([]));
  }
  return toPact(document, document.value as Record<string, unknown>, source);
};

const refuse = (rule: string, message: string, place: Place): ReadPact => ({
  pact: null,
  findings: [refused(rule, message, place)],
});

const refused = (rule: string, message: string, place: Place): Finding => ({
  rule,
  severity: 'error',
  message,
  place,
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
    refused(
      'message-interaction',
      `Entry ${index + 1} of messages is a message, and the interface has HTTP only.`,
      document.locate(['messages', index]),
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

const Text = z.string('must be a string').nullish();
const Entries = z.record(z.string(), z.unknown(), 'must be an object').nullish();
const PART = { headers: Entries, matchingRules: Entries, generators: Entries };
/** Other libraries write the name alone. */
const State = z
  .unknown()
  .refine((state) => !isRecord(state) || Entries.safeParse(state.params).success, {
    error: 'must be an object',
    path: ['params'],
  });
const STATUS = 'must be an HTTP status';

/** The verifier breaks off at what has another type, or leaves it out in silence. */
const Interaction = z.looseObject(
  {
    providerState: Text,
    provider_state: Text,
    providerStates: z.array(State, 'must be a list').nullish(),
    request: z.looseObject(
      {
        ...PART,
        method: Text,
        path: Text,
        query: z.union([Text, Entries], 'must be a string or an object'),
      },
      'must be an object',
    ),
    response: z.looseObject(
      { ...PART, status: z.int(STATUS).min(100, STATUS).max(599, STATUS).nullish() },
      'must be an object',
    ),
  },
  'must be an object',
);

type ReadInteractions = { interactions: PactInteraction[]; findings: Finding[] };

/** Reads every HTTP interaction; anything else in the list is a finding. */
const readInteractions = (document: JsonDocument, list: readonly unknown[]): ReadInteractions => {
  const interactions: PactInteraction[] = [];
  const findings: Finding[] = [];
  for (const [index, content] of list.entries()) {
    const problem = findProblem(content, index, document);
    if (problem) findings.push(problem);
    else interactions.push(readInteraction(document, content as Content, index));
  }
  return { interactions, findings };
};

const findProblem = (content: unknown, index: number, document: JsonDocument): Finding | null => {
  const type = isRecord(content) ? content.type : undefined;
  const place = document.locate(['interactions', index]);
  if (typeof type === 'string' && type !== 'Synchronous/HTTP') {
    return refused(
      'message-interaction',
      `Interaction ${index + 1} is of type ${type}: it is a message, and the interface has HTTP only.`,
      place,
    );
  }
  const [issue] = Interaction.safeParse(content).error?.issues ?? [];
  if (!issue) return null;
  const part = issue.path.length === 0 ? '' : `: ${issue.path.join('.')}`;
  return refused('invalid-interaction', `Interaction ${index + 1}${part} ${issue.message}.`, place);
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
