// A change of many records in a form, and the edits that it sends. Pure.
import type { ItemType, SchemaField } from '@muster/contract';
import { CUSTOM_FIELD, findValueProblem, readFilterNumber } from '@muster/contract';
import { nameField } from '@muster/record-diff';
import type { ApiInputs } from '../../api/client.ts';
import type { RecordKind, StoredRecord } from './record-kind.ts';
import { nameItemType } from './record-kind.ts';

type Matching = ApiInputs['changeSets']['addMatching']['matching'];
export type RecordEdit = Extract<Matching, { operation: 'update' }>['edits'][number];
type Arithmetic = Extract<RecordEdit, { rounding?: unknown }>;
export type EditOperation = RecordEdit['op'];

export const OPERATION_LABELS: Record<EditOperation, string> = {
  set: 'Set to',
  clear: 'Clear',
  add_percent: 'Change by percent',
  add: 'Add',
  multiply: 'Multiply by',
  replace_text: 'Replace text',
  append_tags: 'Add tags',
  remove_tags: 'Remove tags',
};

/** The operations of each field, the usual one first. */
const FIELDS: Record<RecordKind['kind'], Record<string, readonly EditOperation[]>> = {
  item: {
    name: ['replace_text', 'set'],
    item_type: ['set'],
    description: ['set', 'clear', 'replace_text'],
    tags: ['append_tags', 'remove_tags', 'clear'],
    level_xp_table_id: ['set', 'clear'],
  },
  xp: {
    name: ['replace_text', 'set'],
    description: ['set', 'clear', 'replace_text'],
  },
};

const OF_TEXTS = ['set', 'clear', 'replace_text'] as const;
const OF_NUMBERS = ['add_percent', 'add', 'multiply'] as const;

/** Of a result: the mode and the digits after the point. */
export const ROUNDINGS = [
  { value: 'nearest 0', label: 'To whole numbers' },
  { value: 'up 0', label: 'Up to whole numbers' },
  { value: 'down 0', label: 'Down to whole numbers' },
  { value: 'nearest 2', label: 'To 2 decimals' },
  { value: 'none', label: 'Not rounded' },
] as const;

/** One change in the form. */
export type EditDraft = {
  id: number;
  /** The label of a field, or a key of custom data. */
  field: string;
  /** Null: the usual one of the field. */
  op: EditOperation | null;
  value: string;
  find: string;
  tags: string[];
  /** A tag that is typed but not confirmed with Enter yet. */
  typedTag: string;
  /** Null: whole numbers if all known values are. */
  rounding: string | null;
};

export const NEW_EDIT: EditDraft = {
  id: 0,
  field: '',
  op: null,
  value: '',
  find: '',
  tags: [],
  typedTag: '',
  rounding: null,
};

export const fieldChoices = (kind: RecordKind): string[] =>
  Object.keys(FIELDS[kind.kind]).map((field) => nameField(field));

/** A text that is no label of a field is a key of custom data. */
export const readEditField = (kind: RecordKind, typed: string): string => {
  const text = typed.trim();
  const field = Object.keys(FIELDS[kind.kind]).find(
    (name) => nameField(name).toLowerCase() === text.toLowerCase(),
  );
  return field ?? (text.startsWith(CUSTOM_FIELD) ? text : CUSTOM_FIELD + text);
};

/** Undefined for a field. */
export const readCustomKey = (kind: RecordKind, typed: string): string | undefined => {
  const field = readEditField(kind, typed);
  return field.startsWith(CUSTOM_FIELD) ? field.slice(CUSTOM_FIELD.length) : undefined;
};

/** What the form shows for a draft: its operations, and the chosen one or the usual one of the field. */
export const describeDraft = (
  kind: RecordKind,
  draft: EditDraft,
  known: readonly StoredRecord[],
  schemaField: SchemaField | undefined,
) => {
  const field = readEditField(kind, draft.field);
  const values = knownValues(field, known);
  const isEveryNumeric = schemaField
    ? schemaField.type === 'number' || schemaField.type === 'integer'
    : values.every((value) => readNumber(value) !== undefined);
  const isNumeric = values.length > 0 && isEveryNumeric;
  const custom = isNumeric ? [...OF_NUMBERS, ...OF_TEXTS] : [...OF_TEXTS, ...OF_NUMBERS];
  const operations = FIELDS[kind.kind][field] ?? custom;
  const op = draft.op !== null && operations.includes(draft.op) ? draft.op : operations[0];
  const hasFractions = values.some((value) => value.includes('.'));
  return {
    field,
    operations,
    op: op ?? 'set',
    rounding: draft.rounding ?? (hasFractions ? 'nearest 2' : 'nearest 0'),
  };
};

export const isArithmetic = (op: EditOperation): boolean =>
  (OF_NUMBERS as readonly string[]).includes(op);

const knownValues = (field: string, known: readonly StoredRecord[]): string[] => {
  const key = field.slice(CUSTOM_FIELD.length);
  return field.startsWith(CUSTOM_FIELD)
    ? known.flatMap(({ custom_data }) => custom_data[key] ?? [])
    : [];
};

const readNumber = readFilterNumber;

/** "− 20 %" is -20. */
const normaliseNumber = (typed: string): string =>
  typed.replaceAll('−', '-').replace(/[\s%]/g, '').replace(/^\+/, '');

/** The edit of a draft, or the problem at one of its inputs. */
export const readEdit = (
  kind: RecordKind,
  draft: EditDraft,
  known: readonly StoredRecord[],
  schemaField: SchemaField | undefined,
): { edit: RecordEdit } | { problem: { input: 'field' | 'value' | 'find'; text: string } } => {
  const { field, op, rounding } = describeDraft(kind, draft, known, schemaField);
  if (draft.field.trim() === '') return problemAt('field', 'Choose a field, or type a key');
  switch (op) {
    case 'append_tags':
    case 'remove_tags': {
      const tags = withTyped(draft.tags, draft.typedTag);
      return tags.length > 0 ? { edit: { op, tags } } : problemAt('value', 'Type a tag');
    }
    case 'clear':
      return { edit: { op, field } };
    case 'set': {
      if (field === 'item_type' && draft.value === '') return problemAt('value', 'Choose a type');
      const unfit = schemaField && findValueProblem(schemaField, draft.value);
      return unfit ? problemAt('value', unfit) : { edit: { op, field, value: draft.value } };
    }
    case 'replace_text':
      return draft.find === ''
        ? problemAt('find', 'Type the text to replace')
        : { edit: { op, field, find: draft.find, value: draft.value } };
    default: {
      const value = normaliseNumber(draft.value);
      if (readNumber(value) === undefined) return problemAt('value', 'Type a number');
      return { edit: { op, field, value, ...readRounding(rounding) } };
    }
  }
};

const problemAt = (input: 'field' | 'value' | 'find', text: string) => ({
  problem: { input, text },
});

const readRounding = (choice: string): Pick<Arithmetic, 'rounding'> => {
  const [mode, digits] = choice.split(' ');
  if (mode !== 'nearest' && mode !== 'up' && mode !== 'down') return {};
  return { rounding: { mode, digits: Number(digits) } };
};

const withTyped = (tags: readonly string[], typed: string): string[] => {
  const tag = typed.trim();
  return tag === '' || tags.includes(tag) ? [...tags] : [...tags, tag];
};

/** The title of the change set: "Change price by -20 % and 1 more". */
export const titleOf = (edits: readonly RecordEdit[]): string => {
  const [first] = edits;
  if (!first) return 'Edit';
  const more = edits.length > 1 ? ` and ${edits.length - 1} more` : '';
  const title = describeEdit(first);
  return (title.length > 200 ? `${title.slice(0, 200).toWellFormed()}…` : title) + more;
};

const describeEdit = (edit: RecordEdit): string => {
  if ('tags' in edit) return `${OPERATION_LABELS[edit.op]}: ${edit.tags.join(', ')}`;
  const name = edit.field.startsWith(CUSTOM_FIELD)
    ? edit.field.slice(CUSTOM_FIELD.length)
    : nameField(edit.field);
  switch (edit.op) {
    case 'clear':
      return `Clear ${name}`;
    case 'set':
      return `Set ${name} to ${edit.field === 'item_type' ? nameItemType(edit.value as ItemType) : edit.value}`;
    case 'add_percent':
      return `Change ${name} by ${edit.value} %`;
    case 'add':
      return `Add ${edit.value} to ${name}`;
    case 'multiply':
      return `Multiply ${name} by ${edit.value}`;
    case 'replace_text':
      return `Replace "${edit.find}" in ${name}`;
  }
};
