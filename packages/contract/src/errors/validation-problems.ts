// Turns the issues that zod finds into the documented problems: place, sentence, stable type.
import type { z } from 'zod';
import type { ValidationProblem } from './error-bodies.ts';

export type ProblemSource = 'path' | 'query' | 'header' | 'body';
type Issue = z.core.$ZodIssue;
type Explanation = Pick<ValidationProblem, 'msg' | 'type'>;

/**
 * Describes every issue that validating `input` found, within the bounds of `limitProblems`.
 * `loc` is the source, then field names and array indexes; an absent value is `value_error.missing`.
 */
export const describeIssues = (
  source: ProblemSource,
  issues: readonly Issue[],
  input: unknown,
): ValidationProblem[] =>
  limitProblems(issues, (issue) => {
    const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
    return { loc: [source, ...path], ...explain(issue, isMissing(input, path)) };
  });

/** Characters of JSON: more than all the problems of any request that a client makes by mistake. */
const MAX_PROBLEMS_LENGTH = 65_536;
/** The longest name that any field has. Field names can also come from the request. */
const MAX_NAME_LENGTH = 128;

/**
 * As many problems as fit into 64 KiB, so that a large request cannot ask for a larger answer, and then one that counts the
 * rest. Describes no more than are listed.
 */
export const limitProblems = <Source>(
  sources: readonly Source[],
  describe: (source: Source) => ValidationProblem,
): ValidationProblem[] => {
  const problems: ValidationProblem[] = [];
  let length = 0;
  for (const source of sources) {
    const { loc, ...problem } = describe(source);
    const listed = { loc: loc.map(shortenName), ...problem };
    length += JSON.stringify(listed).length;
    if (length > MAX_PROBLEMS_LENGTH) {
      const left = sources.length - problems.length;
      const msg = left === 1 ? '1 problem is not listed' : `${left} problems are not listed`;
      return [...problems, { loc: loc.slice(0, 1), msg, type: 'value_error.more_problems' }];
    }
    problems.push(listed);
  }
  return problems;
};

const shortenName = (part: string | number): string | number =>
  typeof part === 'string' && part.length > MAX_NAME_LENGTH
    ? `${part.slice(0, MAX_NAME_LENGTH).toWellFormed()}…`
    : part;

/** An element of a list is never missing: a list in a query may have been one comma-separated string. */
const isMissing = (input: unknown, path: readonly (string | number)[]): boolean =>
  typeof path.at(-1) !== 'number' && valueAt(input, path) === undefined;

const valueAt = (input: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, part)
        ? (value as Record<string | number, unknown>)[part]
        : undefined,
    input,
  );

const explain = (issue: Issue, missing: boolean): Explanation => {
  if (issue.code === 'custom') {
    return { msg: issue.message, type: String(issue.params?.type ?? 'value_error') };
  }
  if (missing && (issue.code === 'invalid_type' || issue.code === 'invalid_value')) {
    return { msg: 'Field is required', type: 'value_error.missing' };
  }
  return explainValue(issue);
};

const explainValue = (issue: Exclude<Issue, { code: 'custom' }>): Explanation => {
  switch (issue.code) {
    case 'invalid_type':
      return {
        msg: `Must be ${article(TYPE_NAMES[issue.expected] ?? issue.expected)}`,
        type: `type_error.${PYTHON_TYPES[issue.expected] ?? issue.expected}`,
      };
    case 'invalid_value':
      return {
        msg: `Must be one of: ${issue.values.map(String).join(', ')}`,
        type: 'type_error.enum',
      };
    case 'invalid_format':
      return { msg: issue.message, type: FORMAT_TYPES[issue.format] ?? 'value_error.format' };
    case 'too_small':
      return {
        msg: `Must ${phrase(issue.origin, `at least ${issue.minimum}`)}`,
        type: boundType(issue.origin, 'min', issue.inclusive),
      };
    case 'too_big':
      return {
        msg: `Must ${phrase(issue.origin, `at most ${issue.maximum}`)}`,
        type: boundType(issue.origin, 'max', issue.inclusive),
      };
    case 'invalid_key':
      return { msg: 'A key must have 1 to 128 characters without U+0000', type: 'value_error.key' };
    case 'invalid_union':
      // No variant was tried: the field that chooses one has none of their names.
      if (issue.errors.length === 0) {
        return { msg: 'Must name one of the variants', type: 'type_error.enum' };
      }
      return { msg: issue.message, type: 'value_error.datetime' };
    default:
      return { msg: issue.message, type: 'value_error' };
  }
};

const TYPE_NAMES: Record<string, string> = {
  int: 'integer',
  // Every number of the interface is an integer; zod tells `int` and `number` apart by how it fails.
  number: 'integer',
  record: 'object',
};

const article = (noun: string): string => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`);

/** Clients of this kind of interface match on the names that the best-known Python validator gives. */
const PYTHON_TYPES: Record<string, string> = {
  int: 'integer',
  number: 'integer',
  string: 'str',
  object: 'dict',
  record: 'dict',
  array: 'list',
  boolean: 'bool',
};

const FORMAT_TYPES: Record<string, string> = {
  guid: 'type_error.uuid',
  datetime: 'value_error.datetime',
};

const UNITS: Record<string, string> = {
  string: 'have {bound} characters',
  array: 'have {bound} elements',
  map: 'have {bound} entries',
};

const phrase = (origin: string, bound: string): string =>
  (UNITS[origin] ?? 'be {bound}')
    .replace('{bound}', bound)
    .replace(/( 1 \w+?)(?:ies|s)$/, singular);

const singular = (plural: string, stem: string): string =>
  plural.endsWith('ies') ? `${stem}y` : stem;

const SIZED: Record<string, (edge: 'min' | 'max') => string> = {
  string: (edge) => `value_error.any_str.${edge}_length`,
  array: (edge) => `value_error.list.${edge}_items`,
  map: (edge) => `value_error.dict.${edge}_items`,
};

const boundType = (origin: string, edge: 'min' | 'max', inclusive = true): string =>
  SIZED[origin]?.(edge) ??
  `value_error.number.not_${edge === 'min' ? 'g' : 'l'}${inclusive ? 'e' : 't'}`;
