// String building blocks: every string that a client may send is bounded in Unicode characters
// and refuses what PostgreSQL or UTF-8 could not carry.
import { z } from 'zod';

/** A problem that zod has no code for, by the type that clients match on; `path` leads from the input to its place. */
export const customIssue = (
  input: unknown,
  type: `value_error.${string}`,
  message: string,
  path: PropertyKey[] = [],
) => ({ code: 'custom' as const, input, path, message, params: { type } });

/** RFC 8259 section 8.2 allows lone surrogates in JSON text; no UTF-8 encoder can write them. */
export const isStorable = (value: string): boolean =>
  value.isWellFormed() && !value.includes('\u0000');

/** Counts Unicode code points, as JSON Schema's `maxLength` does, without copying short strings. */
const countCharacters = (value: string): number => {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
};

const isLongerThan = (value: string, max: number): boolean =>
  value.length > max && (value.length > 2 * max || countCharacters(value) > max);

const checkText =
  (min: number, max: number) =>
  ({ value, issues }: z.core.ParsePayload<string>): void => {
    const bound = { origin: 'string', inclusive: true, input: value } as const;
    if (value.length < min) issues.push({ ...bound, code: 'too_small', minimum: min });
    if (isLongerThan(value, max)) issues.push({ ...bound, code: 'too_big', maximum: max });
    if (!isStorable(value)) {
      const message = 'Must not contain U+0000 or lone surrogates';
      issues.push(customIssue(value, 'value_error.unicode', message));
    }
  };

/**
 * A string of `min`..`max` Unicode characters without U+0000 and without lone surrogates.
 * Errors: `too_small`, `too_big`, or a custom issue of type `value_error.unicode`.
 */
export const text = (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .check(checkText(min, max))
    .meta({
      ...(min > 0 && { minLength: min }),
      ...(max < Number.MAX_SAFE_INTEGER && { maxLength: max }),
    });

/** Identifiers of 1..128 characters: session, instance, region, queue and template names. */
export const ShortId = text(1, 128);

/** A letter, digit, sign or symbol that is displayed. U+2800 is a symbol without dots; fonts define private characters. */
const VISIBLE =
  /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}\p{Private_Use}]/u;
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/gu;
/** Control characters and line separators. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** Characters that embed, override or isolate a direction of text. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/u;

/** False for a text of which a reader sees nothing. */
export const isVisible = (value: string): boolean => VISIBLE.test(value);

/** The same for names that look alike: without invisible characters and surrounding white space. */
const toVisible = (name: string): string =>
  name
    .replace(INVISIBLE, '')
    .replace(/\s+/gu, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim();

/** True for names that differ only in invisible characters and white space. */
export const isSameName = (first: string, second: string): boolean =>
  toVisible(first) === toVisible(second);

const checkName = ({ value, issues }: z.core.ParsePayload<string>): void => {
  if (value !== '' && !isVisible(value)) {
    const message = 'Must have at least one visible character';
    issues.push(customIssue(value, 'value_error.name.invisible', message));
  }
  if (CONTROL.test(value) || DIRECTION.test(value)) {
    const message =
      'Must not contain control characters or characters that change the direction of text';
    issues.push(customIssue(value, 'value_error.name.control', message));
  }
};

/**
 * A new name of 1..`max` characters: of a record, a sandbox, a person or a player. White space at both ends is removed.
 * Stored names may be older than this rule, so responses and restored versions use `text`.
 */
export const newName = (max: number) =>
  z
    .string()
    .trim()
    .check(checkText(1, max))
    .check(checkName)
    .meta({ minLength: 1, maxLength: max });

/** An identifier that a caller chooses. It is refused and never trimmed, since other requests name it exactly. */
export const NewShortId = ShortId.check(({ value, issues }) => {
  const isFit = value.trim() === value && !CONTROL.test(value) && value.search(INVISIBLE) < 0;
  if (isFit) return;
  const message = 'Must not contain control or invisible characters, or white space at an end';
  issues.push(customIssue(value, 'value_error.identifier', message));
});

const HYPHENATED = '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}';
const BARE_UUID = /^[0-9a-f]{32}$/i;

/** The forms of a UUID that requests may have, for documents. */
export const UUID_PATTERN = `^(?:${HYPHENATED}|[0-9A-Fa-f]{32})$`;

/** The written form of a UUID: hyphenated, in lower case. What is no UUID only becomes lower case. */
export const toWrittenUuid = (value: string): string =>
  (BARE_UUID.test(value)
    ? value.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    : value
  ).toLowerCase();

/**
 * A UUID in any version or none (legacy ids have no version bits), read with hyphens or as 32 hexadecimal digits, which
 * some engines write; written with hyphens and in lower case.
 */
export const Uuid = z
  .string()
  .overwrite(toWrittenUuid)
  .check(z.guid({ error: 'Must be a UUID' }));

const MAX_MAP_ENTRIES = 64;
/** Of UTF-8, keys and values together: characters alone would let one map carry a megabyte. */
const MAX_MAP_BYTES = 20 * 1_024;

const Entries = z.record(text(1, 128), text(1, 4096)).meta({ maxProperties: MAX_MAP_ENTRIES });

/**
 * Checks the size before the entries. The entries of a map that is too large are not read, or a megabyte of bad
 * entries would produce several megabytes of problems. zod drops an entry named `__proto__` from a record: it
 * is rejected here instead.
 */
const checkEntries = (input: unknown, { issues }: z.core.ParsePayload): unknown => {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const keys = Object.keys(input);
  const hasTooMany = keys.length > MAX_MAP_ENTRIES;
  if (hasTooMany) {
    const bound = { maximum: MAX_MAP_ENTRIES, inclusive: true };
    issues.push({ code: 'too_big', origin: 'map', ...bound, input });
  }
  if (hasMoreBytes(input as Record<string, unknown>, keys, MAX_MAP_BYTES)) {
    const message = `Must have at most ${MAX_MAP_BYTES} bytes of UTF-8, keys and values together`;
    issues.push(customIssue(input, 'value_error.map.max_bytes', message));
  }
  if (Object.hasOwn(input, '__proto__')) {
    const message = 'A key must not be __proto__';
    issues.push(customIssue(input, 'value_error.key', message, ['__proto__']));
  }
  // A problem that is found here keeps zod from reading the entries afterwards.
  if (issues.length > 0 && !hasTooMany) Entries._zod.run({ value: input, issues }, {});
  return input;
};

/** Each UTF-16 unit takes one to three bytes of UTF-8, so that most maps need no count. */
const hasMoreBytes = (
  map: Record<string, unknown>,
  keys: readonly string[],
  max: number,
): boolean => {
  const entries: string[] = [];
  let units = 0;
  for (const key of keys) {
    const value = map[key];
    const entry = typeof value === 'string' ? key + value : key;
    units += entry.length;
    // However many entries there are, no more are looked at than are allowed to be.
    if (units > max) return true;
    entries.push(entry);
  }
  if (3 * units <= max) return false;
  return entries.reduce((sum, entry) => sum + utf8.encode(entry).length, 0) > max;
};

const utf8 = new TextEncoder();

/**
 * Keys of 1..128 and values of 1..4096 characters, at most 64 entries and 20 KiB of UTF-8.
 * The preprocessing changes nothing about the type, so it is declared as the record that it is.
 */
export const StringMap = z.preprocess(checkEntries, Entries).meta({
  id: 'CustomData',
  description:
    'Strings by name, for games to use: at most 20 KiB of UTF-8 in all, keys and values together.',
}) as unknown as typeof Entries;

/** An integer that JavaScript, JSON and BIGINT all carry exactly: |n| <= 2^53 - 1. Minus zero is zero. */
export const Integer = z.int().overwrite((value) => value + 0);

/** The number of a team within its session. */
export const TeamId = Integer.min(0);

const NUMERIC = '(0|[1-9]\\d*)';
const PRERELEASE_PART = '(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)';
const SEMVER = new RegExp(
  `^${NUMERIC}\\.${NUMERIC}\\.${NUMERIC}` +
    `(?:-(${PRERELEASE_PART}(?:\\.${PRERELEASE_PART})*))?` +
    '(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?$',
);

/** Longest version string accepted; the grammar of Semantic Versioning sets no bound of its own. */
const MAX_LENGTH = 256;

/** The parts of a version that compare; numbers stay decimal strings, since they have no upper bound. */
type SemverParts = { major: string; minor: string; patch: string; prerelease: string };

/** Splits a version by Semantic Versioning 2.0.0, sections 2, 9 and 10; null when it is none. */
export const parseSemver = (value: string): SemverParts | null => {
  const match = value.length <= MAX_LENGTH ? SEMVER.exec(value) : null;
  if (!match) return null;
  const [, major = '', minor = '', patch = '', prerelease = ''] = match;
  return { major, minor, patch, prerelease };
};

/** A version string valid by Semantic Versioning 2.0.0. */
export const Semver = z
  .string()
  .check(({ value, issues }) => {
    if (isLongerThan(value, MAX_LENGTH)) {
      const bound = { origin: 'string', inclusive: true, input: value } as const;
      issues.push({ ...bound, code: 'too_big', maximum: MAX_LENGTH });
      return;
    }
    if (parseSemver(value)) return;
    const message = 'Must be a version by Semantic Versioning 2.0.0, such as 1.4.2';
    issues.push(customIssue(value, 'value_error.semver', message));
  })
  .meta({ maxLength: MAX_LENGTH, pattern: SEMVER.source, examples: ['1.4.2', '2.0.0-beta.3'] });

/** A date-time as the service writes it: RFC 3339 section 5.6, UTC, milliseconds. */
export const DateTime = z.iso
  .datetime({ offset: true, error: 'Must be an RFC 3339 date-time' })
  .meta({ format: 'date-time', examples: ['2026-03-14T09:26:53.589Z'] });

/** The largest magnitude of a JavaScript date, in seconds (ECMA-262 section 21.4.1.1). */
const MAX_UNIX_SECONDS = 8_640_000_000_000;

const NO_DATE_TIME = 'Must be an RFC 3339 date-time with a time zone, or Unix seconds';
const Rfc3339 = z.iso.datetime({ offset: true, error: NO_DATE_TIME });

/**
 * A date-time as the service reads it: RFC 3339 with a zone, or Unix seconds (integer or decimal) as
 * UTC. Read as the RFC 3339 UTC string that the service will write.
 */
export const DateTimeInput = z
  .union([Rfc3339, z.number().min(-MAX_UNIX_SECONDS).max(MAX_UNIX_SECONDS)], {
    error: NO_DATE_TIME,
  })
  .transform((value, context) => {
    const date = new Date(typeof value === 'number' ? Math.round(value * 1000) : value);
    if (isWritable(date)) return date.toISOString();
    const message = 'Must lie in the years 0001 to 9999';
    context.issues.push(customIssue(value, 'value_error.datetime', message));
    return z.NEVER;
  });

/** RFC 3339 has four digits for the year; PostgreSQL has no year zero. */
const isWritable = (date: Date): boolean => {
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999;
};
