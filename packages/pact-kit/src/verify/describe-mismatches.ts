// Turns what the native verifier found into findings that stand at the line which expects something else.
import type { Finding, Place } from '../findings.ts';
import { parseRulePath } from '../static-check/matching-rules.ts';
import type { InteractionJob } from './interaction-proxy.ts';
import type { Mismatch } from './native-verifier.ts';

const RULES: Record<string, string> = {
  StatusMismatch: 'wrong-status',
  HeaderMismatch: 'wrong-header',
  BodyTypeMismatch: 'wrong-content-type',
  BodyMismatch: 'wrong-body',
  MetadataMismatch: 'wrong-metadata',
};

/**
 * A wrong status first and alone: headers and body of another answer differ for that reason, and listing how would bury
 * it.
 */
export const describeMismatches = (
  job: InteractionJob,
  mismatches: readonly Mismatch[],
): Finding[] => {
  const status = mismatches.find(({ type }) => type === 'StatusMismatch');
  return (status ? [status] : mismatches).map((one) => describeMismatch(job, one));
};

const describeMismatch = (job: InteractionJob, mismatch: Mismatch): Finding => ({
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

/** The verifier quotes whole bodies and objects: what is long is shortened, what it is about stands around it. */
const firstLine = (text: unknown): string =>
  shorten((String(text).split('\n')[0] ?? '').trim().replace(/\.$/, ''));

const LONGEST_VALUE = 80;
const LONGEST_LINE = 300;

const shorten = (line: string): string => {
  const short = line.replace(
    /'[^']*'|\{.*?\}(?= \(| to | but |$)|\[.*?\](?= \(| to | but |$)/g,
    (value) =>
      value.length <= LONGEST_VALUE
        ? value
        : `${value.slice(0, LONGEST_VALUE - 2)}…${value.at(-1)}`,
  );
  return short.length <= LONGEST_LINE ? short : `${short.slice(0, LONGEST_LINE)}…`;
};

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
  return pact.locate([...path, ...(parseRulePath(mismatch.path ?? '$') ?? [])]);
};
