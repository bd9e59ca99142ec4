// Values that a pact leaves to a generator. Libraries then write null or an empty text as the example: `match.uuid()` of pact-python.
// In a request the verifier sends generated values; in a response they are for the consumer's own mock.

import type { JsonPath } from '../pact-files/json-document.ts';
import { isRecord } from '../values.ts';
import { writeDate } from './date-format.ts';
import type { Rule, RuleCategory, RuleSet } from './matching-rules.ts';
import { CATEGORIES, findCategory, isSamePath, readKey, showPath } from './matching-rules.ts';

export type Generator = {
  /** Below the root of its category; `*` matches any step. */
  path: JsonPath;
  written: Record<string, unknown>;
};

export type GeneratorSet = Readonly<Partial<Record<RuleCategory, readonly Generator[]>>>;

export const readGenerators = (written: unknown): GeneratorSet => {
  if (!isRecord(written)) return {};
  return Object.fromEntries(
    Object.entries(written).flatMap(([key, entries]) => {
      const category = findCategory(key);
      if (!category || !isRecord(entries)) return [];
      const found =
        typeof entries.type === 'string'
          ? [{ path: [], written: entries }]
          : Object.entries(entries).flatMap(([name, generator]) =>
              isRecord(generator) ? [{ path: readKey(category, name), written: generator }] : [],
            );
      return [[category, found]];
    }),
  );
};

export const findGenerator = (
  generators: readonly Generator[] | undefined,
  path: JsonPath,
): Generator | undefined => generators?.find((one) => isSamePath(one.path, path));

/**
 * The rules without those of values that a provider state gives. `fromProviderState` writes a `type` matcher beside its
 * generator, and that says nothing about what is sent: the state does.
 */
export const withoutStateValues = (rules: RuleSet, generators: GeneratorSet): RuleSet => {
  const kept = { ...rules };
  for (const category of CATEGORIES) {
    const given = generators[category]?.filter(({ written }) => written.type === 'ProviderState');
    // Outside of bodies the index of a value may be left out.
    const isGiven = ({ path }: Rule) =>
      given?.some((one) =>
        category === 'body' ? showPath(one.path) === showPath(path) : one.path[0] === path[0],
      );
    kept[category] = rules[category].filter((rule) => !isGiven(rule));
  }
  return kept;
};

/** An example without content: the generator makes the value. */
export const isPlaceholder = (example: unknown): boolean =>
  example === null || example === '' || example === 'null';

/** Values that a generator makes, with the lowest and highest first; null where they are not known, as from a provider state. */
export const listSamples = ({ written }: Generator): unknown[] | null => {
  const make = SAMPLES[String(written.type)];
  return make ? make(written) : null;
};

type Written = Record<string, unknown>;

const numberOf = (value: unknown, fallback: number): number =>
  typeof value === 'number' ? value : fallback;

const DIGITS = 10;
const MAX_SAMPLE_LENGTH = 10_000;
const repeat = (text: string, times: unknown): string =>
  text.repeat(Math.min(numberOf(times, DIGITS), MAX_SAMPLE_LENGTH));

/** The defaults are those of the verifier. */
const SAMPLES: Record<string, (written: Written) => unknown[]> = {
  RandomInt: ({ min, max }) => {
    const [low, high] = [numberOf(min, 0), numberOf(max, DIGITS)];
    return [low, high, Math.floor((low + high) / 2)];
  },
  RandomDecimal: () => [1234.56],
  RandomHexadecimal: ({ digits }) => [repeat('a', digits)],
  RandomString: ({ size }) => [repeat('x', size)],
  RandomBoolean: () => [true],
  Uuid: ({ format }) => [UUIDS[String(format)] ?? UUID],
  Date: ({ format }) => [writeDate('date', format)],
  Time: ({ format }) => [writeDate('time', format)],
  DateTime: ({ format }) => [writeDate('datetime', format)],
};

const UUID = '7d1a2b3c-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const UUIDS: Record<string, string> = {
  simple: UUID.replaceAll('-', ''),
  'upper-case-hyphenated': UUID.toUpperCase(),
  URN: `urn:uuid:${UUID}`,
};
