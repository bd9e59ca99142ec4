// What the conditions of a filter by value mean. An export applies these rules to records as they were at a position;
// where-sql.ts has the same rules as SQL, for lists.
import type { RecordCondition, RecordWhere } from '@muster/contract';
import { CUSTOM_FIELD, isTextField, readFilterNumber } from '@muster/contract';
import type { RecordFields } from '../records/record.ts';
import { foldName } from '../records/record.ts';

/** A record as a filter sees it. */
export type FilteredRecord = {
  fields: RecordFields;
  version: number;
  created: Date;
  updated: Date;
};

export const matchesWhere = ({ and = [], or = [] }: RecordWhere, record: FilteredRecord): boolean =>
  and.every((condition) => matches(condition, record)) &&
  (or.length === 0 || or.some((condition) => matches(condition, record)));

/** The operators that are true exactly when another one is false. */
const OPPOSITES: Partial<Record<RecordCondition['op'], RecordCondition['op']>> = {
  ne: 'eq',
  has_not: 'has',
  is_empty: 'is_not_empty',
};

/** The condition without a negation. */
export const splitNegation = (condition: RecordCondition) => {
  const opposite = OPPOSITES[condition.op];
  return {
    isNegated: opposite !== undefined,
    positive: opposite === undefined ? condition : { ...condition, op: opposite },
  };
};

/**
 * The letters A to Z as lower case, as in the derived table: PostgreSQL folds other letters by the locale of the
 * database.
 */
export const foldValue = (value: string): string =>
  value.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const matches = (condition: RecordCondition, record: FilteredRecord): boolean => {
  const { isNegated, positive } = splitNegation(condition);
  const isMatch = valuesOf(positive.field, record).some((value) => compare(positive, value));
  return isMatch !== isNegated;
};

/** The values of the field: none when it is empty, several for a list. */
const valuesOf = (field: string, record: FilteredRecord): (string | Date)[] => {
  const { fields, version, created, updated } = record;
  const thresholds = fields.xp_thresholds as { xp: number }[] | undefined;
  switch (field) {
    case 'version':
      return [String(version)];
    case 'created':
      return [created];
    case 'updated':
      return [updated];
    case 'levels':
      return [String(thresholds?.length ?? 0)];
    case 'top':
      return [String(thresholds?.at(-1)?.xp ?? 0)];
  }
  const value = field.startsWith(CUSTOM_FIELD)
    ? readOwn(fields.custom_data as object | undefined, field.slice(CUSTOM_FIELD.length))
    : fields[field];
  return [value ?? []].flat().map(String).filter(Boolean);
};

const readOwn = (map: object | undefined, key: string): unknown =>
  map && Object.hasOwn(map, key) ? (map as Record<string, unknown>)[key] : undefined;

const compare = ({ field, op, value = '' }: RecordCondition, stored: string | Date): boolean => {
  if (op === 'is_not_empty') return true;
  if (stored instanceof Date) return isOrdered(op, stored.getTime() - Date.parse(value));
  const fold = field === 'name' ? foldName : foldValue;
  const [left, right] = [fold(stored), fold(value)];
  switch (op) {
    case 'contains':
      return left.includes(right);
    case 'starts_with':
      return left.startsWith(right);
    case 'has':
      return left === right;
    case 'is_true':
      return left === 'true';
    case 'is_false':
      return left === 'false';
  }
  const [number, other] = [readFilterNumber(left), readFilterNumber(right)];
  if (other === undefined || isTextField(field)) return isOrdered(op, compareBytes(left, right));
  return number !== undefined && isOrdered(op, number - other);
};

/** By code points, as PostgreSQL compares in the collation "C". */
const compareBytes = (left: string, right: string): number =>
  Buffer.compare(Buffer.from(left), Buffer.from(right));

const isOrdered = (op: RecordCondition['op'], difference: number): boolean => {
  switch (op) {
    case 'eq':
      return difference === 0;
    case 'gt':
      return difference > 0;
    case 'gte':
      return difference >= 0;
    case 'lt':
      return difference < 0;
    case 'lte':
      return difference <= 0;
    default:
      throw new Error(`${op} orders nothing.`);
  }
};
