// Turns what the native verifier found into findings that stand at the line which expects something else.
import type { Finding, Place } from '../finding.ts';
import type { InteractionJob } from './interaction-job.ts';
import type { Mismatch } from './run-native-verifier.ts';

const RULES: Record<string, string> = {
  StatusMismatch: 'wrong-status',
  HeaderMismatch: 'wrong-header',
  BodyTypeMismatch: 'wrong-content-type',
  BodyMismatch: 'wrong-body',
  MetadataMismatch: 'wrong-metadata',
};

export const describeMismatch = (job: InteractionJob, mismatch: Mismatch): Finding => ({
  rule: RULES[mismatch.type] ?? 'wrong-answer',
  severity: 'error',
  message: `The service answered something else: ${sayMismatch(mismatch)}`,
  place: placeOf(job, mismatch),
  interaction: job.interaction.description,
});

const sayMismatch = (mismatch: Mismatch): string => {
  const { type, expected, actual, path } = mismatch;
  if (type === 'StatusMismatch') return `status ${actual} instead of ${expected}.`;
  if (type === 'BodyTypeMismatch') {
    return `a body of type ${firstLine(actual)} instead of ${firstLine(expected)}.`;
  }
  const text = firstLine(mismatch.mismatch ?? `expected ${expected}, got ${actual}`);
  return path && path !== '$' && !text.includes(path) ? `${path}: ${text}.` : `${text}.`;
};

const firstLine = (text: unknown): string =>
  String(text).split('\n')[0]?.trim().replace(/\.$/, '').slice(0, 500) ?? '';

/** The line of the response's part that did not match; the interaction's own where the file does not have it. */
const placeOf = ({ pact, interaction }: InteractionJob, mismatch: Mismatch): Place => {
  const response = ['interactions', interaction.index, 'response'];
  if (!pact.locate) return interaction.place;
  if (mismatch.type === 'StatusMismatch') return pact.locate([...response, 'status']);
  if (mismatch.type === 'HeaderMismatch') {
    return pact.locate([...response, 'headers', ...(mismatch.key ? [mismatch.key] : [])]);
  }
  const body = (interaction.content.response as Record<string, unknown>).body;
  const isWrapped = typeof body === 'object' && body !== null && 'contentType' in body;
  const path = [...response, 'body', ...(isWrapped ? ['content'] : [])];
  return pact.locate([...path, ...partsOf(mismatch.path ?? '$')]);
};

/** The verifier writes paths as `$.teams[0]['some key']`. */
const partsOf = (path: string): (string | number)[] =>
  [...path.matchAll(/\[(\d+)\]|\['([^']*)'\]|\.([^.[\]]+)/g)].map(([, index, quoted, name]) =>
    index === undefined ? (quoted ?? name ?? '') : Number(index),
  );
