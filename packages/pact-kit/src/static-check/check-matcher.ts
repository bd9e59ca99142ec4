// A matcher against the schema of its field and against its own example.
//
// Direction. In a request a matcher defines what the consumer may send, so accepting more than the schema would be
// rejected: an error. In a response it defines what the consumer relies on, and an expression that exceeds an enumeration names values
// that never occur: an error. In both, `type` says nothing about the values of an enumeration: a warning.

import type { JsonPath } from '../pact-files/json-document.ts';
import { show, typeOfValue } from '../values.ts';
import { isDateKind, toDateRegex } from './date-format.ts';
import type { Matcher } from './matching-rules.ts';
import type { Schema } from './openapi-document.ts';
import type { Problem, Report } from './report.ts';
import { suggestName } from './report.ts';
import { hasType, typesOf } from './validate-value.ts';

export type MatchedField = {
  /** How messages name it: `response body $.teams[0].max_size`. */
  label: string;
  at: JsonPath;
  example: unknown;
  schema: Schema;
  direction: 'request' | 'response';
};

export const checkMatcher = (matcher: Matcher, field: MatchedField): Problem | null =>
  findUnreadable(matcher, field) ??
  // One choice of several may refuse what another one accepts.
  (matcher.isChoice
    ? findWider(matcher, field)
    : (findContradiction(matcher, field) ??
      findOwnExample(matcher, field) ??
      findWider(matcher, field)));

export const checkMatchers = (
  matchers: readonly Matcher[],
  field: MatchedField,
  report: Report,
): void => {
  for (const matcher of matchers) {
    const found = checkMatcher(matcher, field);
    if (found) report(found);
  }
};

const problem = (
  rule: string,
  field: MatchedField,
  message: string,
  suggestion?: string,
): Problem => ({
  rule,
  message: `The matcher of ${field.label} ${message}.`,
  suggestion,
  at: field.at,
});

/** Every kind of versions 1 to 4. */
const KINDS = [
  'equality',
  'regex',
  'type',
  'min',
  'max',
  'minType',
  'maxType',
  'include',
  'semver',
  'integer',
  'decimal',
  'number',
  'boolean',
  'null',
  'date',
  'time',
  'timestamp',
  'datetime',
  'values',
  'eachKey',
  'eachValue',
  'arrayContains',
  'notEmpty',
  'contentType',
  'statusCode',
];

const findUnreadable = (matcher: Matcher, field: MatchedField): Problem | null => {
  if (!KINDS.includes(matcher.match)) {
    const suggestion = suggestName(matcher.match, KINDS) ?? undefined;
    return problem(
      'broken-matcher',
      field,
      `is "${matcher.match}", which Pact does not have`,
      suggestion,
    );
  }
  if (matcher.match !== 'regex' || regexOf(matcher)) return null;
  const message = `has an expression that cannot be read: ${show(matcher.regex)}`;
  return problem('broken-matcher', field, message);
};

const STRINGS = ['string'];
/** The kinds of values that each matcher accepts. Other matchers take the type of their example. */
const ACCEPTED_TYPES: Record<string, readonly string[]> = {
  integer: ['integer'],
  decimal: ['number'],
  number: ['integer', 'number'],
  boolean: ['boolean'],
  null: ['null'],
  regex: ['string', 'integer', 'number', 'boolean'],
  include: ['string', 'integer', 'number', 'boolean'],
  date: STRINGS,
  time: STRINGS,
  timestamp: STRINGS,
  datetime: STRINGS,
  semver: STRINGS,
  arrayContains: ['array'],
  values: ['object'],
  eachKey: ['object'],
};

const isPossible = (schema: Schema, type: string): boolean => {
  if (type !== 'number') return hasType(schema, type);
  return typesOf(schema).length === 0 || typesOf(schema).includes('number');
};

const findContradiction = (matcher: Matcher, field: MatchedField): Problem | null => {
  const { schema } = field;
  const accepted = ACCEPTED_TYPES[matcher.match];
  if (accepted && !accepted.some((type) => isPossible(schema, type))) {
    const message = `is "${matcher.written}", and the contract has ${typesOf(schema).join(' or ')}`;
    return problem('matcher-contradicts-schema', field, message, suggestMatcher(schema));
  }
  const count = findImpossibleCount(matcher, schema);
  if (count !== null) return problem('matcher-contradicts-schema', field, count);
  const test = testOf(matcher);
  if (!test) return null;
  const written = writtenForm(field);
  if (written !== null && !test(written)) {
    const message = `does not accept ${show(written)}, the form in which the service writes it`;
    return problem('matcher-contradicts-schema', field, message);
  }
  const values = valuesOf(schema);
  if (!values || values.some(test)) return null;
  const message = `accepts none of the values that the contract has (${show(matcher.regex ?? matcher.value)})`;
  return problem(
    'matcher-contradicts-schema',
    field,
    message,
    `The contract has ${values.join(', ')}.`,
  );
};

/** Of the forms that a format allows the service writes one: lower case, and UTC with milliseconds. */
const writtenForm = ({ schema, direction, example }: MatchedField): string | null => {
  if (direction === 'request') return null;
  if (schema.format === 'date-time') return '2026-03-14T09:26:53.589Z';
  return schema.format === 'uuid' ? String(example).toLowerCase() : null;
};

const findImpossibleCount = (
  { min, max }: Matcher,
  { minItems, maxItems }: Schema,
): string | null => {
  if (typeof min === 'number' && maxItems !== undefined && min > maxItems) {
    return `asks for at least ${min} elements, and the contract has at most ${maxItems}`;
  }
  if (typeof max === 'number' && minItems !== undefined && max < minItems) {
    return `asks for at most ${max} elements, and the contract has at least ${minItems}`;
  }
  return typeof min === 'number' && typeof max === 'number' && min > max
    ? `asks for at least ${min} and at most ${max} elements`
    : null;
};

const suggestMatcher = (schema: Schema): string => {
  const [type = 'value'] = typesOf(schema);
  return type === 'string' ? 'Match the type or a regular expression.' : `Match ${type}.`;
};

const findOwnExample = (matcher: Matcher, field: MatchedField): Problem | null => {
  const { example } = field;
  const accepted = ACCEPTED_TYPES[matcher.match];
  const test = testOf(matcher);
  const isBooleanText = matcher.match === 'boolean' && (example === 'true' || example === 'false');
  const passes =
    (!accepted || accepted.includes(typeOfValue(example)) || isBooleanText) &&
    (!test || test(String(example)));
  if (passes) return null;
  const own = matcher.regex ?? matcher.format ?? matcher.value ?? matcher.written;
  return problem(
    'example-against-matcher',
    field,
    `does not accept its own example ${show(example)} (${show(own)})`,
  );
};

/** How a matcher that looks at text decides, or null for one that does not. */
export const testOf = (matcher: Matcher): ((text: string) => boolean) | null => {
  const { match } = matcher;
  const regex = isDateKind(match)
    ? toDateRegex(match, matcher.format ?? matcher[match])
    : regexOf(matcher);
  if (regex) return (text) => regex.test(text);
  if (match === 'include') return (text) => text.includes(String(matcher.value ?? ''));
  return null;
};

const valuesOf = (schema: Schema): string[] | null => {
  if ('const' in schema) return [String(schema.const)];
  return schema.enum ? schema.enum.map(String) : null;
};

const findWider = (matcher: Matcher, field: MatchedField): Problem | null => {
  const { schema, direction } = field;
  if (
    matcher.match === 'number' &&
    direction === 'request' &&
    !typesOf(schema).includes('number')
  ) {
    return wider(
      field,
      'accepts numbers that are not whole, and the contract has integers',
      'Match integer.',
    );
  }
  const values = valuesOf(schema);
  if (!values) return direction === 'request' ? findBeyondForm(matcher, field) : null;
  const exact = `Use the expression ^(${values.join('|')})$.`;
  if (ANY_VALUE.includes(matcher.match)) {
    const message = `accepts any ${typeOfValue(field.example)}, and the contract has only ${values.join(', ')}`;
    return { ...wider(field, message, exact), severity: 'warning' };
  }
  const outsider = findAccepted(matcher, values);
  if (outsider === null) return null;
  return wider(
    field,
    `accepts ${show(outsider)}, and the contract has only ${values.join(', ')}`,
    exact,
  );
};

/** Matchers that accept any value of the type of their example. */
export const ANY_VALUE = ['type', 'notEmpty'];

export const STRANGER = 'NoSuchValue';

/** Text where the contract has digits is refused for certain; a form that is matched loosely may be meant well. */
const findBeyondForm = (matcher: Matcher, field: MatchedField): Problem | null => {
  const { schema } = field;
  const isNumeric = typesOf(schema).length > 0 && !hasType(schema, 'string');
  const form = schema.format ?? schema.pattern;
  if (!isNumeric && form === undefined) return null;
  const isLoose = !isNumeric && matcher.match === 'type';
  if (!isLoose && !regexOf(matcher)?.test(STRANGER)) return null;
  const meant = isNumeric ? typesOf(schema).join(' or ') : `values of the form ${form}`;
  const message = `accepts any text, and the contract has only ${meant}`;
  return {
    ...wider(field, message, 'Use an expression that accepts nothing else.'),
    severity: isNumeric ? 'error' : 'warning',
  };
};

const wider = (field: MatchedField, message: string, suggestion: string): Problem =>
  problem('matcher-wider-than-schema', field, message, suggestion);

const findAccepted = (matcher: Matcher, values: readonly string[]): string | null => {
  if (matcher.match === 'include') return `mis${String(matcher.value)}ing`;
  const regex = regexOf(matcher);
  return regex && findOutsider(regex, values);
};

// Regular expressions of matchers, as the verifier reads them: they must match the whole value.

const POSIX_CLASSES: Record<string, string> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  digit: '0-9',
  lower: 'a-z',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
};

/** The expression of a matcher; null for one of another kind, and when it cannot be read. */
const regexOf = ({ match, regex }: Matcher): RegExp | null =>
  match === 'regex' ? compileWhole(String(regex ?? '')) : null;

/** Pacts use the syntax of Rust's regex crate. */
const compileWhole = (source: string): RegExp | null => {
  const [, flags = '', rest = source] = /^\(\?([imsux]+)\)([\s\S]*)$/.exec(source) ?? [];
  const spaced = flags.includes('x') ? withoutSpaces(rest) : rest;
  const body = spaced
    .replaceAll('\\A', '^')
    .replaceAll('\\z', '$')
    .replaceAll('(?P<', '(?<')
    .replace(/\[:(\w+):\]/g, (written, name) => POSIX_CLASSES[String(name)] ?? written);
  const own = flags.replace(/[ux]/g, '');
  // Properties of characters need the flag u, which refuses escapes that Rust allows.
  return tryCompile(body, own, /\\p\{/i.test(body));
};

/** The flag x: spaces and comments are for the reader. */
const withoutSpaces = (source: string): string =>
  source.replace(/\\.|\s+|#[^\n]*/gs, (part) => (part.startsWith('\\') ? part : ''));

const tryCompile = (body: string, flags: string, isUnicode: boolean): RegExp | null => {
  try {
    return new RegExp(`^(?:${body})$`, isUnicode ? `${flags}u` : flags);
  } catch {
    return null;
  }
};

/** Words that a value might be if the expression lists more than the contract does. */
const STRANGERS = ['unknown', 'other', 'something-else', 'x', '0', '-1', ''];

/**
 * A value that the expression accepts and the list does not have, or null when none was found. Tried: the words in the
 * expression itself, the listed values in other cases or with an ending, and a few strangers.
 */
const findOutsider = (regex: RegExp, allowed: readonly string[]): string | null => {
  const words = regex.source.match(/[A-Za-z0-9_]+/g) ?? [];
  const variants = allowed.flatMap((value) => [
    value.toUpperCase(),
    value.toLowerCase(),
    `${value}x`,
    value.slice(1),
    value.slice(0, -1),
  ]);
  const candidates = [...words, ...STRANGERS, ...variants];
  return candidates.find((word) => !allowed.includes(word) && regex.test(word)) ?? null;
};
