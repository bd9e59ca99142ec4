// A record in a form. Numbers are kept as text, so that incomplete input is not lost.

import type { ValidationProblem } from '@muster/contract';
import { describeIssues } from '@muster/contract';
import type { CustomRow } from '../../ui/custom-data-editor.tsx';
import type { RecordFields, RecordKind } from './record-kind.ts';

export type ThresholdRow = { level: string; xp: string };

export const EMPTY_THRESHOLD: ThresholdRow = { level: '', xp: '' };

export const NEW_DRAFT: Draft = {
  name: '',
  description: undefined,
  legacyId: '',
  itemType: 'unit',
  tags: [],
  levelTableId: undefined,
  customRows: [],
  thresholds: [
    { level: '1', xp: '0' },
    { level: '2', xp: '' },
  ],
};

type Threshold = { level?: unknown; xp?: unknown };

export const toDraft = (kind: RecordKind, fields: RecordFields) => ({
  name: toText(fields.name),
  /** Absent and empty differ: a stored empty text remains empty until the user changes it. */
  description: fields.description === undefined ? undefined : toText(fields.description),
  legacyId: toText(fields[kind.legacyIdField]),
  itemType: toText(fields.item_type),
  tags: (fields.tags as string[] | undefined) ?? [],
  levelTableId: fields.level_xp_table_id as string | undefined,
  customRows: Object.entries(fields.custom_data ?? {}).map(([key, value]) => {
    return { key, value: toText(value) };
  }),
  thresholds: ((fields.xp_thresholds as Threshold[] | undefined) ?? []).map(({ level, xp }) => {
    return { level: toText(level), xp: toText(xp) };
  }),
});

export type Draft = ReturnType<typeof toDraft>;

const toText = (value: unknown): string => (value === undefined ? '' : String(value));

/** Converts a draft to the fields of a request. Text that is not an integer remains text, and the schema reports it. */
export const toFields = (kind: RecordKind, draft: Draft): RecordFields => {
  const all: Record<string, unknown> = {
    name: draft.name,
    item_type: draft.itemType,
    description: draft.description,
    tags: draft.tags,
    level_xp_table_id: draft.levelTableId,
    custom_data: Object.fromEntries(
      draft.customRows.filter(isUsed).map(({ key, value }) => [key, value]),
    ),
    xp_thresholds: draft.thresholds.filter(isUsed).map(({ level, xp }) => {
      return { level: toNumber(level), xp: toNumber(xp) };
    }),
    [kind.legacyIdField]: draft.legacyId.trim() === '' ? undefined : toNumber(draft.legacyId),
  };
  const present = kind.fields.filter((field) => all[field] !== undefined);
  return Object.fromEntries(present.map((field) => [field, all[field]]));
};

const toNumber = (typed: string): number | string =>
  /^\s*-?\d+\s*$/.test(typed) ? Number(typed) : typed;

/** Empty rows are not sent. */
const isUsed = (row: ThresholdRow | CustomRow): boolean =>
  Object.values(row).some((part) => typeof part === 'string' && part.trim() !== '');

/** The changed fields for an update; null clears a field. */
export const toPatch = (
  kind: RecordKind,
  before: RecordFields,
  after: RecordFields,
): RecordFields => {
  const changed = kind.fields.filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  return Object.fromEntries(changed.map((field) => [field, after[field] ?? null]));
};

/** Error messages by path: a field, or a row of the form such as `xp_thresholds.3.xp` or `custom_data.0.key`. */
export type Problems = Readonly<Record<string, string>>;

/** `storedName` is absent for a new record. */
export const checkDraft = (kind: RecordKind, draft: Draft, storedName?: unknown): Problems => {
  const schema = draft.name === storedName ? kind.schema : kind.newSchema;
  const problems = placeProblems(draft, checkFields(schema, toFields(kind, draft)));
  return { ...problems, ...findRepeatedKeys(draft) };
};

/** Validates fields with the schema that the service uses. */
export const checkFields = (
  schema: RecordKind['schema'],
  fields: RecordFields,
): ValidationProblem[] => {
  const result = schema.safeParse(fields);
  return result.success ? [] : describeIssues('body', result.error.issues, fields);
};

/** The same for problems that the service reported. */
export const placeProblems = (draft: Draft, found: readonly ValidationProblem[]): Problems => {
  const placed: Record<string, string> = {};
  for (const problem of found) {
    const place = findPlace(draft, problem);
    placed[place] = placed[place] ? `${placed[place]} ${problem.msg}.` : `${problem.msg}.`;
  }
  return placed;
};

/** Maps row numbers of the request to rows of the form, because empty rows are not sent. */
const findPlace = (draft: Draft, { loc, type }: ValidationProblem): string => {
  const [field, element, part] = loc.slice(1);
  if (field === 'xp_thresholds' && typeof element === 'number') {
    const rows = usedIndexes(draft.thresholds);
    return `${field}.${rows[element] ?? element}.${part ?? 'level'}`;
  }
  if (field === 'custom_data' && element !== undefined) {
    const row = draft.customRows.findIndex(({ key }) => key === element);
    if (row < 0) return `${field}.${element}`;
    return `${field}.${row}.${type === 'value_error.key' ? 'key' : 'value'}`;
  }
  return String(field ?? '');
};

const usedIndexes = (rows: Draft['thresholds']): number[] =>
  rows.flatMap((row, index) => (isUsed(row) ? [index] : []));

const findRepeatedKeys = ({ customRows }: Draft): Problems => {
  const seen = new Set<string>();
  const repeated: Record<string, string> = {};
  for (const [index, row] of customRows.entries()) {
    if (!isUsed(row)) continue;
    if (seen.has(row.key)) repeated[`custom_data.${index}.key`] = 'This key already exists.';
    seen.add(row.key);
  }
  return repeated;
};
