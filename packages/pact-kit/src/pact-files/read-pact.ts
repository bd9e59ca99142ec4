// From the text of one file to a pact, or to the sentence that says why it is none.
import type { Finding } from '../finding.ts';
import type { PactFile } from '../pact-file.ts';
import type { JsonDocument } from './json-document.ts';
import { parseJson } from './json-document.ts';
import { isRecord, notHttp, readInteractions } from './read-interactions.ts';

export type ReadPact = { pact: PactFile | null; findings: Finding[] };

/** `source` is what findings name; `path` is a local file with the same content. */
export const readPact = (text: string, source: string, path: string): ReadPact => {
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
  return toPact(document, document.value as Record<string, unknown>, source, path);
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
  path: string,
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
      path,
      consumer: nameOf(value.consumer),
      provider: nameOf(value.provider),
      specification: specificationOf(value.metadata),
      interactions,
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
