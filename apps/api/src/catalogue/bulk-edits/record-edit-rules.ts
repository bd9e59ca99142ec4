// Computes what a change of many records does to one of them. Pure.
import { isDeepStrictEqual } from 'node:util';
import {
  CUSTOM_FIELD,
  describeIssues,
  itemFields,
  itemInputs,
  xpFields,
  xpInputs,
} from '@muster/contract';
import { z } from 'zod';
import type { SetOperation } from '../change-sets/change-set-rules.ts';
import type { RecordState } from '../edits/edit-rules.ts';
import type { RecordFields, RecordKind } from '../records/record.ts';
import { readSnapshot } from '../records/record.ts';
import type { Rounding } from './decimal.ts';
import {
  addDecimals,
  addPercent,
  formatDecimal,
  multiplyDecimals,
  parseDecimal,
  roundDecimal,
} from './decimal.ts';
import type { RecordEdit } from './record-edit-inputs.ts';

/** Why a value cannot be computed. */
class NotComputable extends Error {}

const SCHEMAS = {
  item: { stored: z.object(itemFields), renamed: z.object(itemInputs) },
  xp: { stored: z.object(xpFields), renamed: z.object(xpInputs) },
};

/** Null when the record would not change. An operation that cannot be computed has a problem instead of fields. */
export const planUpdate = (
  kind: RecordKind,
  state: Pick<RecordState, 'recordId' | 'version' | 'snapshot'>,
  edits: readonly RecordEdit[],
): SetOperation | null => {
  const before = readSnapshot(state.snapshot);
  const operation = {
    kind: kind.kind,
    recordId: state.recordId,
    operation: 'update' as const,
    baseVersion: state.version,
    versionId: null,
  };
  try {
    const after = edits.reduce(applyEdit, before);
    requireValid(kind, before, after);
    const changed = kind.fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
    if (changed.length === 0) return null;
    const fields = Object.fromEntries(changed.map((field) => [field, after[field] ?? null]));
    return { ...operation, fields };
  } catch (error) {
    if (!(error instanceof NotComputable)) throw error;
    // No version has this number, so that an older process, which does not know problems, refuses the operation.
    return { ...operation, baseVersion: 0, fields: {}, problem: error.message };
  }
};

const applyEdit = (fields: RecordFields, edit: RecordEdit): RecordFields => {
  switch (edit.op) {
    case 'append_tags': {
      const tags = readTags(fields);
      return { ...fields, tags: [...new Set([...tags, ...edit.tags])] };
    }
    case 'remove_tags':
      return { ...fields, tags: readTags(fields).filter((tag) => !edit.tags.includes(tag)) };
    case 'set':
      return write(fields, edit.field, edit.value);
    case 'clear':
      return write(fields, edit.field, undefined);
    case 'replace_text': {
      const value = read(fields, edit.field);
      return value === undefined
        ? fields
        : write(
            fields,
            edit.field,
            value.replaceAll(edit.find, () => edit.value),
          );
    }
    default:
      return write(fields, edit.field, compute(read(fields, edit.field), edit));
  }
};

const readTags = (fields: RecordFields): string[] => (fields.tags as string[] | undefined) ?? [];

type Arithmetic = Extract<RecordEdit, { op: 'add' | 'multiply' | 'add_percent' }>;

const COMPUTE = { add: addDecimals, multiply: multiplyDecimals, add_percent: addPercent };

const compute = (old: string | undefined, { op, field, value, rounding }: Arithmetic): string => {
  if (old === undefined) throw new NotComputable(`${field} has no value.`);
  const [left, right] = [parseDecimal(old), parseDecimal(value)];
  if (!left || !right) {
    throw new NotComputable(`${field} is not a number: ${JSON.stringify(shorten(old))}.`);
  }
  const exact = COMPUTE[op](left, right);
  const result = rounding ? roundDecimal(exact, rounding) : exact;
  const text = formatDecimal(result, countDigits(left.digits, rounding));
  if (parseDecimal(text)) return text;
  throw new NotComputable(`The result for ${field} has more than 30 digits.`);
};

/** 5.00 becomes 4.00, and 4 when it is rounded to whole numbers. */
const countDigits = (old: number, rounding: Rounding | undefined): number =>
  rounding ? Math.min(old, rounding.digits) : old;

const MAX_SHOWN = 40;

const shorten = (value: string): string =>
  value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN).toWellFormed()}…` : value;

const readCustomData = ({ custom_data }: RecordFields) =>
  new Map(Object.entries((custom_data ?? {}) as Record<string, string>));

const read = (fields: RecordFields, field: string): string | undefined =>
  field.startsWith(CUSTOM_FIELD)
    ? readCustomData(fields).get(field.slice(CUSTOM_FIELD.length))
    : (fields[field] as string | undefined);

const write = (fields: RecordFields, field: string, value: string | undefined): RecordFields => {
  if (!field.startsWith(CUSTOM_FIELD)) {
    return { ...fields, [field]: field === 'tags' ? [] : value };
  }
  const data = readCustomData(fields);
  const key = field.slice(CUSTOM_FIELD.length);
  if (value === undefined) data.delete(key);
  else data.set(key, value);
  return { ...fields, custom_data: Object.fromEntries(data) };
};

/** A stored name may be older than the rules for new ones. */
const requireValid = (kind: RecordKind, before: RecordFields, after: RecordFields): void => {
  const { stored, renamed } = SCHEMAS[kind.kind];
  const parsed = (before.name === after.name ? stored : renamed).safeParse(after);
  if (parsed.success) return;
  const [problem] = describeIssues('body', parsed.error.issues, after);
  throw new NotComputable(`${problem?.loc.slice(1).join('.')}: ${problem?.msg}.`);
};
