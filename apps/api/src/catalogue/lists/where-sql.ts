// The filter by value as SQL, with the rules of where-rules.ts. A condition is written in two ways: as a predicate on one
// record, and as the set of all records that it is true for.
import type { RecordCondition, RecordWhere } from '@muster/contract';
import { isTextField, readFilterNumber } from '@muster/contract';
import { foldName, toContainsPattern } from '../records/record.ts';
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

/** Conditions on `catalogue_record` beside the filter: `filter` must hold, and records with `excluded` are left out. */
type Others = { filter?: string | undefined; excluded?: string | undefined };

/**
 * The ids of all matching records, each once, as set algebra: each condition is the set of its records. The planner cannot
 * estimate how many records have a value; it hashes the operands of INTERSECT and EXCEPT without an estimate.
 */
export const whereSet = (
  { and = [], or = [] }: RecordWhere,
  kind: Kind,
  add: Add,
  { filter, excluded }: Others,
): string => {
  const all = `SELECT v.record_id FROM catalogue_record v WHERE ${scope(kind)}`;
  const conditions = and.map((condition) => compile(condition, add));
  const alternatives = or.map((condition) => {
    const compiled = compile(condition, add);
    const set = select(compiled, kind);
    return compiled.isNegated ? `(${all} EXCEPT (${set}))` : set;
  });
  const included = [
    ...conditions.filter(({ isNegated }) => !isNegated).map((compiled) => select(compiled, kind)),
    ...(alternatives.length > 0 ? [alternatives.join(' UNION ALL ')] : []),
    ...(filter === undefined ? [] : [`${all} AND ${filter}`]),
  ];
  const left = [
    ...conditions.filter(({ isNegated }) => isNegated).map((compiled) => select(compiled, kind)),
    ...(excluded === undefined ? [] : [`${all} AND ${excluded}`]),
  ];
  // Each id once, also where one set has it twice and there is no other set.
  const [first = all, ...others] = included;
  return [
    `(SELECT DISTINCT record_id FROM (${first}) first)`,
    ...others.map((set) => `INTERSECT (${set})`),
    ...left.map((set) => `EXCEPT (${set})`),
  ].join('\n');
};

const select = ({ table, predicate, parts = [predicate] }: Compiled, kind: Kind): string =>
  parts
    .map((part) => `SELECT v.record_id FROM ${table} v WHERE ${scope(kind)} AND ${part}`)
    .join(' UNION ALL ')
    .replaceAll('catalogue_record.', 'v.');

/** True or NULL. A scalar subquery: the planner turns EXISTS into a join that may read the values of all records. */
const probe = (
  { table, predicate }: Pick<Compiled, 'table' | 'predicate'>,
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
