// The filter by value as SQL, with the rules of where-rules.ts. A condition is written in two ways: as a predicate on one
// record, and as the set of all records that it is true for.
import type { RecordCondition, RecordWhere } from '@muster/contract';
import { isTextField, readFilterNumber } from '@muster/contract';
import { foldName, toContainsPattern } from './record.ts';
import { foldValue, splitNegation } from './where-rules.ts';

/** Adds a value to a statement, whose first one is the sandbox; returns its parameter. */
export type Add = (value: unknown) => string;

type Kind = 'item' | 'xp';

/** A predicate on a row of one of the tables, without the negation of the condition. */
type Compiled = {
  isNegated: boolean;
  predicate: string;
  /** The same as alternatives, each of which one index serves. */
  parts?: readonly string[];
  table: 'catalogue_record' | 'catalogue_value';
};

/**
 * On the record that `catalogue_record` names; probes the values of that record only. The planner expects `IS NULL` to be
 * rare, and `IS NOT TRUE` to be as frequent as its opposite.
 */
export const wherePredicate = (where: RecordWhere, kind: Kind, add: Add): string =>
  combine(where, (condition) => {
    const { isNegated, predicate, table } = compile(condition, add);
    if (table === 'catalogue_record') {
      return isNegated ? `(${predicate}) IS NOT TRUE` : `(${predicate})`;
    }
    return `${probe({ table, predicate }, kind, 'catalogue_record.record_id')} IS ${isNegated ? 'NOT TRUE' : 'TRUE'}`;
  });

const scope = (kind: Kind) => `v.sandbox_id = $1::uuid AND v.kind = '${kind}'`;

/** `filter`: a condition on catalogue_record besides the filter; `excluded`: on the records that are left out. */
type Others = { filter?: string | undefined; excluded?: string | undefined };

/** The records for which a condition is true, before its negation. */
type RecordSet = {
  isNegated: boolean;
  /** Of the list `or`. */
  isAlternative: boolean;
  table: Compiled['table'];
  predicate: string;
  parts?: readonly string[];
  /** A record may be in it several times. */
  hasDuplicates: boolean;
};

/** The sets of all conditions, in the order of their counts. */
const listSets = ({ and = [], or = [] }: RecordWhere, add: Add, { filter, excluded }: Others) => {
  const toSet =
    (isAlternative: boolean) =>
    (condition: RecordCondition): RecordSet => {
      const compiled = compile(condition, add);
      const predicate = compiled.predicate.replaceAll('catalogue_record.', 'v.');
      const hasDuplicates = condition.field === 'tags' || condition.op === 'contains';
      return { ...compiled, predicate, isAlternative, hasDuplicates };
    };
  const other = (predicate: string, isNegated: boolean): RecordSet => ({
    isNegated,
    isAlternative: false,
    table: 'catalogue_record',
    predicate,
    hasDuplicates: false,
  });
  return [
    ...and.map(toSet(false)),
    ...or.map(toSet(true)),
    ...(filter === undefined ? [] : [other(filter, false)]),
    ...(excluded === undefined ? [] : [other(excluded, true)]),
  ];
};

/** Larger sets are never read as a whole; a hash of a smaller one fits into the memory of a statement. */
const LARGE = 50_000;
/** Up to this many records of the set that a search begins with, the others are probed for each of them. */
const SMALL = 3_000;

/** The size of each set as `counts`, up to one more than `LARGE`. */
export const countSets = (where: RecordWhere, kind: Kind, add: Add, others: Others): string => {
  const counts = listSets(where, add, others).map(
    (set) => `(SELECT count(*) FROM (${select(set, kind)} LIMIT ${LARGE + 1}) counted)`,
  );
  return `SELECT ARRAY[${counts.join(',\n')}]::int[] AS counts`;
};

/**
 * The ids of all matching records, each once. It begins with the smallest set that contains all of them, and looks each
 * record up in the other sets: in a hash, or by a probe. The sizes decide, which the planner can only estimate.
 */
export const whereSet = (
  where: RecordWhere,
  kind: Kind,
  add: Add,
  others: Others,
  counts: readonly number[],
): string => {
  const sets = listSets(where, add, others).map((set, index) => ({
    ...set,
    count: counts[index] ?? Number.POSITIVE_INFINITY,
  }));
  const begin = chooseBeginning(sets);
  const isSmall = begin.reduce((sum, { count }) => sum + count, 0) <= SMALL && begin.length > 0;
  const lookUp = (set: (typeof sets)[number]): string => {
    const isTrue = set.isNegated ? 'IS NOT TRUE' : 'IS TRUE';
    // The limit bounds what the planner expects, so that it makes a hash.
    return isSmall || set.count > LARGE
      ? `${probe(set, kind, 'd.record_id')} ${isTrue}`
      : `(d.record_id IN (${select(set, kind)} LIMIT ${LARGE + 1})) ${isTrue}`;
  };
  const left = sets.filter((set) => !begin.includes(set));
  const all = left.filter(({ isAlternative }) => !isAlternative).map(lookUp);
  const some = left.filter(({ isAlternative }) => isAlternative).map(lookUp);
  const conditions = [...all, ...(some.length > 0 ? [`(${some.join(' OR ')})`] : [])];
  return `SELECT d.record_id FROM (${writeBeginning(begin, kind)}) d
WHERE ${['true', ...conditions].join(' AND ')}`;
};

type Counted = RecordSet & { count: number };

/** One set of `and`, or all of `or`; none: all records. */
const chooseBeginning = <Set extends Counted>(sets: readonly Set[]): Set[] => {
  const [smallest] = sets
    .filter(({ isNegated, isAlternative }) => !isNegated && !isAlternative)
    .toSorted((left, right) => left.count - right.count);
  if (smallest) return [smallest];
  const alternatives = sets.filter(({ isAlternative }) => isAlternative);
  const sum = alternatives.reduce((total, { count }) => total + count, 0);
  return sum <= LARGE / 2 && !alternatives.some(({ isNegated }) => isNegated) ? alternatives : [];
};

const writeBeginning = (begin: readonly RecordSet[], kind: Kind): string => {
  const [first] = begin;
  if (!first) return `SELECT v.record_id FROM catalogue_record v WHERE ${scope(kind)}`;
  if (begin.length > 1) return begin.map((set) => `(${select(set, kind)})`).join('\nUNION ');
  const set = select(first, kind);
  return first.hasDuplicates ? `SELECT DISTINCT record_id FROM (${set}) found` : set;
};

const select = ({ table, predicate, parts = [predicate] }: RecordSet, kind: Kind): string =>
  parts
    .map((part) => `SELECT v.record_id FROM ${table} v WHERE ${scope(kind)} AND ${part}`)
    .join(' UNION ALL ');

/** True or NULL. A scalar subquery: the planner turns EXISTS into a join that may read the values of all records. */
const probe = (
  { table, predicate }: Pick<RecordSet, 'table' | 'predicate'>,
  kind: Kind,
  id: string,
) =>
  `(SELECT true FROM ${table} v WHERE ${scope(kind)} AND v.record_id = ${id} AND ${predicate} LIMIT 1)`;

const combine = (
  { and = [], or = [] }: RecordWhere,
  write: (condition: RecordCondition) => string,
): string => {
  const all = and.map(write);
  const some = or.map(write).join(' OR ');
  return [...all, ...(some === '' ? [] : [`(${some})`])].join(' AND ');
};

const compile = (condition: RecordCondition, add: Add): Compiled => {
  const { isNegated, positive } = splitNegation(condition);
  const column = compileColumn(positive, add);
  if (column !== undefined) return { isNegated, predicate: column, table: 'catalogue_record' };
  const key = `v.key = ${add(positive.field)}::text`;
  const comparisons = compileValue(positive, add);
  return {
    isNegated,
    predicate: `${key} AND (${comparisons.join(' OR ')})`,
    parts: comparisons.map((comparison) => `${key} AND ${comparison}`),
    table: 'catalogue_value',
  };
};

const SIGNS: Partial<Record<RecordCondition['op'], string>> = {
  eq: '=',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};

/** Undefined for a field that has no column of its own. */
const compileColumn = ({ field, op, value = '' }: RecordCondition, add: Add) => {
  switch (field) {
    case 'name':
      return compileName(op, foldName(value), add);
    case 'version':
      return compileInteger('catalogue_record.version', op, value, add);
    case 'legacy_item_id':
    case 'legacy_xp_id':
      return compileInteger('catalogue_record.legacy_id', op, value, add);
    case 'created':
    case 'updated':
      return `catalogue_record.${field}_at ${SIGNS[op]} ${add(new Date(value))}::timestamptz`;
    default:
      return undefined;
  }
};

const compileName = (op: RecordCondition['op'], folded: string, add: Add): string => {
  const column = 'catalogue_record.folded_name';
  switch (op) {
    case 'is_not_empty':
      return 'true';
    case 'contains':
      return `${column} LIKE ${add(toContainsPattern(folded))}::text`;
    case 'starts_with':
      return `${column} LIKE ${add(toContainsPattern(folded).slice(1))}::text`;
    default:
      return `${column} = ${add(folded)}::text`;
  }
};

/** Stored integers are safe. A fraction lies between two of them. */
const compileInteger = (column: string, op: RecordCondition['op'], value: string, add: Add) => {
  if (op === 'is_not_empty') return `${column} IS NOT NULL`;
  const number = readFilterNumber(value) ?? 0;
  if (op === 'eq' && !Number.isSafeInteger(number)) return 'false';
  const bound = op === 'gt' || op === 'lte' ? Math.floor(number) : Math.ceil(number);
  const clamped = Math.min(Math.max(bound, -(2 ** 53)), 2 ** 53);
  return `${column} ${SIGNS[op]} ${add(String(clamped))}::bigint`;
};

/** The alternatives of a comparison. */
const compileValue = ({ field, op, value = '' }: RecordCondition, add: Add): string[] => {
  const folded = foldValue(value);
  switch (op) {
    case 'is_not_empty':
      return ['true'];
    case 'is_true':
    case 'is_false':
      return [`v.text = '${op === 'is_true'}'`];
    case 'has':
      return [`v.text = ${add(folded)}::text`];
    case 'contains': {
      const pattern = `${add(toContainsPattern(folded))}::text`;
      return [`v.text LIKE ${pattern}`, `v.long_text LIKE ${pattern}`];
    }
    case 'starts_with':
      return [`v.text LIKE ${add(toContainsPattern(folded).slice(1))}::text`];
  }
  const number = isTextField(field) ? undefined : readFilterNumber(value);
  return number === undefined
    ? [`v.text ${SIGNS[op]} ${add(folded)}::text`]
    : [`v.number ${SIGNS[op]} ${add(number)}::float8`];
};
