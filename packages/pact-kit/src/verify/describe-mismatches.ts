// Turns what the native verifier found into findings that stand at the line which expects something else.
import type { Finding, Place } from '../findings.ts';
import type { JsonPath } from '../pact-files/json-document.ts';
import { readHttp } from '../static-check/http-interaction.ts';
import { parseRulePath, showPath } from '../static-check/matching-rules.ts';
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
 * A wrong status is reported alone: it explains why headers and body differ, and their findings would bury it. Equal
 * mismatches in several elements of a list are one finding.
 */
export const describeMismatches = (
  job: InteractionJob,
  mismatches: readonly Mismatch[],
): Finding[] => {
  const status = mismatches.find(({ type }) => type === 'StatusMismatch');
  if (status) return [describeMismatch(job, status, 0)];
  // The verifier's order is random.
  const sorted = mismatches
    .flatMap(listMissingKeys)
    .toSorted((a, b) => positionOf(a).localeCompare(positionOf(b), 'en', { numeric: true }));
  return groupBy(sorted, causeOf).map(([first, ...others]) =>
    describeMismatch(job, first, others.length),
  );
};

type Group<Item> = [first: Item, ...others: Item[]];

/** In the order of the first of each group. */
export const groupBy = <Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): Group<Item>[] => {
  const groups = new Map<string, Group<Item>>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
};

const positionOf = ({ path, key }: Mismatch): string => path ?? key ?? '';

/** The same expectation in any element of a list. */
const causeOf = ({ type, path, key, expected }: Mismatch): string =>
  JSON.stringify([type, path?.replaceAll(/\[\d+\]/g, '[*]'), key, expected]);

/** The verifier names all keys that an object lacks at once; each one has a line of its own in the pact. */
const listMissingKeys = (mismatch: Mismatch): Mismatch[] => {
  const { type, path = '$' } = mismatch;
  const names = /^Actual map is missing the following keys: (.*)$/s.exec(mismatch.mismatch ?? '');
  if (!names) return [mismatch];
  return (names[1] ?? '').split(', ').map((name) => {
    const below = `${path}${showPath([name]).slice(1)}`;
    return { type, path: below, mismatch: `${below} is missing` };
  });
};

const describeMismatch = (job: InteractionJob, mismatch: Mismatch, others: number): Finding => ({
  rule: RULES[mismatch.type] ?? 'wrong-answer',
  severity: 'error',
  message: `The service answered something else: ${sayMismatch(mismatch)}${sayOthers(others, 'element')}`,
  place: placeOf(job, mismatch),
  interaction: job.interaction.description,
});

/** A sentence after the one about the first. */
export const sayOthers = (count: number, thing: string): string =>
  count === 0 ? '' : ` The same is wrong in ${count} other ${thing}${count === 1 ? '' : 's'}.`;

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

/** The line of the response's part that did not match. */
const placeOf = ({ pact, interaction }: InteractionJob, mismatch: Mismatch): Place => {
  const response = ['interactions', interaction.index, 'response'];
  if (mismatch.type === 'StatusMismatch') return pact.locate([...response, 'status']);
  if (mismatch.type === 'HeaderMismatch') {
    return pact.locate([...response, 'headers', ...(mismatch.key ? [mismatch.key] : [])]);
  }
  const { body, bodyPath } = readHttp(interaction).response;
  const path = pathInPact(body, parseRulePath(mismatch.path ?? '$') ?? []);
  return pact.locate(['interactions', interaction.index, ...bodyPath, ...path]);
};

/** The first element of an expected list is the example of those that the list does not write. */
const pathInPact = (body: unknown, path: JsonPath): JsonPath => {
  let value = body;
  return path.map((step) => {
    const written = Array.isArray(value) && Number(step) >= value.length ? 0 : step;
    value = (value as Record<string | number, unknown> | undefined)?.[written];
    return written;
  });
};
