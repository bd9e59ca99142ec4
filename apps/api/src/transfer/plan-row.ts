// Decides what one row of a file does. Pure.
import { isDeepStrictEqual } from 'node:util';
import { describeIssues, itemFields, Uuid, xpFields } from '@muster/contract';
import { z } from 'zod';
import type { RecordFields, RecordKind, RecordOperation } from '../catalogue/index.ts';
import { readSnapshot, writeSnapshot } from '../catalogue/index.ts';
import type { FileProblem, FileRow, FileRows } from './file-row.ts';
import type { CurrentRecord } from './import-store.ts';

export type ChangeName = 'create' | 'update' | 'restore' | 'delete';

/** What is going to happen to one record. */
export type PlannedChange = {
  /** Absent for a record that the file lacks. */
  row?: number;
  recordId: string;
  name: string;
  operation: ChangeName;
  before: RecordFields | null;
  after: RecordFields | null;
  /** In their order: bringing a record back with other fields takes two. */
  steps: RecordOperation[];
};

export type RowContext = {
  kind: RecordKind;
  meaning: FileRows['meaning'];
  /** The record with the row's id, if there is one. */
  current: CurrentRecord | undefined;
  /** Who holds the row's legacy id, stored or by an earlier row. */
  holderOf: (legacyId: number) => string | undefined;
  /** The id for a row without one. */
  newId: (row: number) => string;
  reason: string | undefined;
};

const SCHEMAS = { item: z.object(itemFields), xp: z.object(xpFields) };

/** The id that a row names: lower case; null for none, undefined for what is no id. */
export const readId = (kind: RecordKind, { fields }: FileRow): string | null | undefined => {
  const given = fields[kind.idField] ?? null;
  return given === null ? null : Uuid.safeParse(given).data;
};

/** Null for a row that changes nothing. */
export const planRow = (
  file: FileRow,
  context: RowContext,
): PlannedChange | null | FileProblem[] => {
  const { kind, current, holderOf } = context;
  const { row } = file;
  const id = readId(kind, file);
  const merged = mergeFields(file, context);
  const wished = SCHEMAS[kind.kind].safeParse(merged);
  const problems = [
    ...(id === undefined ? [{ row, column: kind.idField, msg: 'Must be a UUID' }] : []),
    ...findUnknown(file, kind),
    ...(wished.success ? [] : describe(row, wished.error.issues, merged)),
  ];
  if (problems.length > 0 || !wished.success) return problems;
  const recordId = id ?? context.newId(row);
  const fields: RecordFields = wished.data;
  const legacy = checkLegacyId(row, kind, recordId, fields, current, holderOf);
  if (legacy) return [legacy];
  return decide(row, recordId, fields, context);
};

/** A legacy id is never taken away, so that a row may leave it out. */
const mergeFields = ({ fields }: FileRow, { kind, meaning, current }: RowContext) => {
  const stored = current ? readSnapshot(current.snapshot) : {};
  const kept =
    meaning === 'columns' ? stored : { [kind.legacyIdField]: stored[kind.legacyIdField] };
  const given = kind.fields.filter((name) => Object.hasOwn(fields, name));
  const merged = new Map(kind.fields.map((name) => [name, kept[name]]));
  for (const name of given) merged.set(name, fields[name] ?? undefined);
  if (merged.get(kind.legacyIdField) === undefined) {
    merged.set(kind.legacyIdField, stored[kind.legacyIdField]);
  }
  return Object.fromEntries([...merged].filter(([, value]) => value !== undefined));
};

const findUnknown = ({ row, fields }: FileRow, kind: RecordKind): FileProblem[] =>
  Object.keys(fields)
    .filter((name) => name !== kind.idField && !kind.fields.includes(name))
    .map((column) => ({ row, column, msg: 'There is no such field' }));

const describe = (row: number, issues: readonly z.core.$ZodIssue[], input: unknown) =>
  describeIssues('body', issues, input).map(
    ({ loc: [, column, ...inside], msg }): FileProblem => ({
      row,
      ...(column !== undefined && { column: String(column) }),
      msg: inside.length > 0 ? `${inside.join('.')}: ${msg}` : msg,
    }),
  );

const checkLegacyId = (
  row: number,
  { legacyIdField: column }: RecordKind,
  recordId: string,
  fields: RecordFields,
  current: CurrentRecord | undefined,
  holderOf: RowContext['holderOf'],
): FileProblem | null => {
  const legacyId = fields[column] as number | undefined;
  if (legacyId === undefined) return null;
  if (typeof current?.legacyId === 'number' && current.legacyId !== legacyId) {
    return { row, column, msg: `Cannot be changed; the record has ${current.legacyId}` };
  }
  const holder = holderOf(legacyId);
  if (holder === undefined || holder === recordId) return null;
  return { row, column, msg: `Belongs, or once belonged, to the record ${holder}` };
};

const decide = (
  row: number,
  recordId: string,
  fields: RecordFields,
  { kind, current, reason }: RowContext,
): PlannedChange | null => {
  const after = readSnapshot(writeSnapshot(kind, recordId, fields));
  const change = { row, recordId, name: String(after.name), after };
  const step = { recordId, reason };
  if (!current) {
    const create: RecordOperation = { type: 'create', ...step, fields };
    return { ...change, operation: 'create', before: null, steps: [create] };
  }
  const stored = readSnapshot(current.snapshot);
  const isSame = isDeepStrictEqual(stored, after);
  if (!current.deleted && isSame) return null;
  const { version } = current;
  const update = (expectedVersion: number): RecordOperation => ({
    ...{ type: 'update', ...step, fields: toPatch(kind, fields), expectedVersion },
  });
  if (!current.deleted) {
    return { ...change, operation: 'update', before: stored, steps: [update(version)] };
  }
  const back: RecordOperation = {
    ...{ type: 'restore', ...step, versionId: undefined, expectedVersion: version },
  };
  const steps = isSame ? [back] : [back, update(version + 1)];
  return { ...change, operation: 'restore', before: null, steps };
};

/** Null clears what the record is not to have any more. */
const toPatch = (kind: RecordKind, fields: RecordFields): RecordFields =>
  Object.fromEntries(
    kind.fields
      .filter((name) => name !== kind.legacyIdField || fields[name] !== undefined)
      .map((name) => [name, fields[name] ?? null]),
  );

export const planDelete = (current: CurrentRecord, reason: string | undefined): PlannedChange => ({
  recordId: current.recordId,
  name: current.name,
  operation: 'delete',
  before: readSnapshot(current.snapshot),
  after: null,
  steps: [{ type: 'delete', recordId: current.recordId, reason, expectedVersion: current.version }],
});
