// The words of filters by value, and the changes that the builder makes to one.
import type { FilterOperator, RecordCondition, RecordWhere } from '@muster/contract';
import { BARE_OPERATORS, CUSTOM_FIELD, FILTER_FIELDS, filterTypeOf } from '@muster/contract';
import { nameField } from '@muster/record-diff';
import type { RecordKind } from './record-kind.ts';

const OPERATOR_LABELS: Record<FilterOperator, string> = {
  eq: 'is',
  ne: 'is not',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  contains: 'contains',
  starts_with: 'starts with',
  is_empty: 'is empty',
  is_not_empty: 'is not empty',
  has: 'has',
  has_not: 'does not have',
  is_true: 'is true',
  is_false: 'is false',
};

const DATE_LABELS: Partial<Record<FilterOperator, string>> = {
  gt: 'is after',
  gte: 'is at or after',
  lt: 'is before',
  lte: 'is at or before',
};

export const labelOperator = (kind: RecordKind, field: string, op: FilterOperator): string =>
  (filterTypeOf(kind.kind, field) === 'date' && DATE_LABELS[op]) || OPERATOR_LABELS[op];

const FIELD_LABELS: Record<string, string> = { levels: 'Levels', top: 'Highest at' };

/** The same words as the columns of the list; a key of custom data as it is. */
export const labelField = (field: string): string =>
  field.startsWith(CUSTOM_FIELD)
    ? field.slice(CUSTOM_FIELD.length)
    : (FIELD_LABELS[field] ?? nameField(field));

export const fieldLabels = (kind: RecordKind): string[] =>
  Object.keys(FILTER_FIELDS[kind.kind]).map(labelField);

const isSameText = (left: string, right: string) => left.toLowerCase() === right.toLowerCase();

/** The text of a key in the form, which `readField` does not take for the label of a field. */
export const nameKey = (kind: RecordKind, key: string): string =>
  fieldLabels(kind).some((label) => isSameText(label, key)) ? CUSTOM_FIELD + key : key;

/** Any text that is no label is a key of custom data. */
export const readField = (kind: RecordKind, typed: string): string => {
  const text = typed.trim();
  const field = Object.keys(FILTER_FIELDS[kind.kind]).find((name) =>
    isSameText(labelField(name), text),
  );
  return field ?? (text.startsWith(CUSTOM_FIELD) ? text : CUSTOM_FIELD + text);
};

export const needsValue = (op: FilterOperator): boolean => !BARE_OPERATORS.has(op);

export type Join = 'and' | 'or';
export type Place = { list: Join; index: number; condition: RecordCondition };

export const listConditions = ({ and = [], or = [] }: RecordWhere): Place[] => [
  ...and.map((condition, index): Place => ({ list: 'and', index, condition })),
  ...or.map((condition, index): Place => ({ list: 'or', index, condition })),
];

/** A filter of one list gets the condition there. */
export const addCondition = (where: RecordWhere, condition: RecordCondition): RecordWhere => {
  const list: Join = where.or && !where.and ? 'or' : 'and';
  return { ...where, [list]: [...(where[list] ?? []), condition] };
};

/** Undefined when no condition is left. */
export const removeCondition = (where: RecordWhere, { list, index }: Place) => {
  const rest = (where[list] ?? []).filter((_, at) => at !== index);
  const { [list]: _, ...other } = where;
  const next: RecordWhere = rest.length > 0 ? { ...other, [list]: rest } : other;
  return listConditions(next).length > 0 ? next : undefined;
};

/** All conditions in one list. */
export const joinConditions = (where: RecordWhere, join: Join): RecordWhere => ({
  [join]: listConditions(where).map(({ condition }) => condition),
});
