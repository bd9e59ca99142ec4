// Decides the change of each row of a file and collects the plan, which becomes a change set. Pure.
import { createHash } from 'node:crypto';
import { describeIssues, itemFields, itemInputs, Uuid, xpFields, xpInputs } from '@muster/contract';
import { z } from 'zod';
import { ServiceError } from '../../platform/index.ts';
import type { SetOperation } from '../change-sets/change-set-rules.ts';
import { listPatch, MAX_OPERATIONS } from '../change-sets/change-set-rules.ts';
import type { ItemSchemas } from '../item-schemas/item-schema-rules.ts';
import { describeProblem, findSchemaProblems } from '../item-schemas/item-schema-rules.ts';
import type { RecordFields, RecordKind } from '../records/record.ts';
import { pickGiven, readSnapshot, writeSnapshot } from '../records/record.ts';
import type { FileProblem, FileRow, FileRows } from './file-rows.ts';
import type { CurrentRecord } from './import-lookup-store.ts';
import { createProblemGroups } from './import-problems.ts';

/** The change of one record. */
export type PlannedChange = {
  /** Absent for a record that is not in the file. */
  row?: number;
  name: string;
  operation: SetOperation;
};

type RowContext = {
  kind: RecordKind;
  meaning: FileRows['meaning'];
  /** The record with the row's id, if there is one. */
  current: CurrentRecord | undefined;
  /** The record with the row's legacy id, stored or from an earlier row. */
  holderOf: (legacyId: number) => string | undefined;
  /** The id of a row without one: of the record with its legacy id, or of a new record. */
  newId: () => string;
  schemas: ItemSchemas;
};

const SCHEMAS = { item: z.object(itemInputs), xp: z.object(xpInputs) };
/** For a row that keeps the name of its record, which may be older than the rules for new names. */
const KEPT_NAME_SCHEMAS = { item: z.object(itemFields), xp: z.object(xpFields) };

/** The id in a row: lower case; null without one, undefined for an invalid id. */
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
  const schemas = merged.name === current?.name ? KEPT_NAME_SCHEMAS : SCHEMAS;
  const parsed = schemas[kind.kind].safeParse(merged);
  const problems = [
    ...(id === undefined ? [{ row, column: kind.idField, msg: 'Must be a UUID' }] : []),
    ...findUnknown(file, kind),
    ...(parsed.success ? [] : describe(row, parsed.error.issues, merged)),
  ];
  if (problems.length > 0 || !parsed.success) return problems;
  const recordId = id ?? context.newId();
  const fields: RecordFields = parsed.data;
  const legacy = checkLegacyId(row, kind, recordId, fields, current, holderOf);
  if (legacy) return [legacy];
  return decide(row, recordId, fields, context);
};

/** A legacy id is never removed, so a row may leave it out. */
const mergeFields = ({ fields, keys }: FileRow, { kind, meaning, current }: RowContext) => {
  const stored = current ? readSnapshot(current.snapshot) : {};
  const kept =
    meaning === 'columns' ? stored : { [kind.legacyIdField]: stored[kind.legacyIdField] };
  const given = kind.fields.filter((name) => Object.hasOwn(fields, name));
  const merged = new Map(kind.fields.map((name) => [name, kept[name]]));
  for (const name of given) merged.set(name, fields[name] ?? undefined);
  if (merged.get(kind.legacyIdField) === undefined) {
    merged.set(kind.legacyIdField, stored[kind.legacyIdField]);
  }
  if (keys) merged.set('custom_data', mergeKeys(merged.get('custom_data'), keys));
  return Object.fromEntries([...merged].filter(([, value]) => value !== undefined));
};

/** Other keys are unchanged. */
const mergeKeys = (customData: unknown, keys: NonNullable<FileRow['keys']>): unknown => {
  if (customData !== undefined && (typeof customData !== 'object' || customData === null)) {
    return customData;
  }
  const merged = new Map<string, unknown>(Object.entries(customData ?? {}));
  for (const [key, value] of Object.entries(keys)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
};

const findUnknown = ({ row, fields }: FileRow, kind: RecordKind): FileProblem[] =>
  Object.keys(fields)
    .filter((name) => name !== kind.idField && !kind.fields.includes(name))
    .map((column) => ({ row, column, msg: 'There is no such field' }));

/** Describing a problem takes time, and a row may have very many. */
const MAX_DESCRIBED = 32;

const describe = (
  row: number,
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
): FileProblem[] => {
  const described = describeIssues('body', issues.slice(0, MAX_DESCRIBED), input);
  const problems = described.map(({ loc: [, column, ...inside], msg }) => ({
    row,
    ...(column !== undefined && { column: String(column) }),
    msg: inside.length > 0 ? `${inside.join('.')}: ${msg}` : msg,
  }));
  const others = issues.slice(MAX_DESCRIBED).map(({ path: [column], message }) => ({
    row,
    column: String(column),
    msg: message,
  }));
  return [...problems, ...others];
};

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
  { kind, current, schemas }: RowContext,
): PlannedChange | null | FileProblem[] => {
  const snapshot = writeSnapshot(kind, recordId, fields);
  const unfit = findSchemaProblems(schemas, current?.snapshot, snapshot);
  if (unfit.length > 0) {
    return unfit.map((problem) => ({ row, column: 'custom_data', msg: describeProblem(problem) }));
  }
  const after = readSnapshot(snapshot);
  const change = (made: Pick<SetOperation, 'operation' | 'fields'>): PlannedChange => ({
    row,
    name: String(after.name),
    operation: toOperation(kind, recordId, current, made),
  });
  if (!current) return change({ operation: 'create', fields: pickGiven(kind, fields) });
  const patch = listPatch(kind, readSnapshot(current.snapshot), after);
  const isSame = Object.keys(patch).length === 0;
  if (current.deleted) return change({ operation: 'restore', fields: isSame ? null : patch });
  return isSame ? null : change({ operation: 'update', fields: patch });
};

const toOperation = (
  { kind }: RecordKind,
  recordId: string,
  current: Pick<CurrentRecord, 'version'> | undefined,
  made: Pick<SetOperation, 'operation' | 'fields'>,
): SetOperation => ({
  kind,
  recordId,
  ...made,
  baseVersion: current?.version ?? null,
  versionId: null,
});

export const planDelete = (kind: RecordKind, current: CurrentRecord): PlannedChange => ({
  name: current.name,
  operation: toOperation(kind, current.recordId, current, { operation: 'delete', fields: null }),
});

export type PlanCounts = Record<SetOperation['operation'] | 'unchanged', number>;

/** The number of listed problems; their count includes all. */
const MAX_SHOWN = 1_000;
/** Characters of all listed problems; column names come from the file and may be as long as it is. */
const MAX_PROBLEMS_LENGTH = 262_144;
const MAX_COLUMN_LENGTH = 128;
const MAX_MESSAGE_LENGTH = 512;

/** They contain names, which are bounded. */
const MAX_WARNINGS = 200;

export type ImportPlan = ReturnType<typeof createImportPlan>;

const shorten = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`;

const shortenProblem = ({ row, column, msg }: FileProblem): FileProblem => ({
  row,
  ...(column !== undefined && { column: shorten(column, MAX_COLUMN_LENGTH) }),
  msg: shorten(msg, MAX_MESSAGE_LENGTH),
});

/**
 * Builds a plan row by row, with a digest that identifies the plan when it is applied. `scope` has its other inputs:
 * the sandbox, the kind, the head, the options. `problemsFrom` is how many problems the list skips; it is not part of the
 * plan. `keepsOperations`: the plan may become a change set.
 */
export const createImportPlan = (scope: unknown, keepsOperations: boolean, problemsFrom = 0) => {
  const counts: PlanCounts = { create: 0, update: 0, restore: 0, delete: 0, unchanged: 0 };
  const problems: FileProblem[] = [];
  const operations = createOperations();
  const digest = createHash('sha256').update(JSON.stringify(scope));
  const warnings: FileProblem[] = [];
  const warningCounts: Record<string, number> = {};
  const groups = createProblemGroups();
  let [warningCount, convertedCount, problemCount, problemsLength] = [0, 0, 0, 0];
  return {
    counts,
    problems,
    warnings,
    warningCounts,
    operations,
    /** Errors: body_too_large. */
    add(change: PlannedChange | null): void {
      counts[change?.operation.operation ?? 'unchanged'] += 1;
      if (!change) return;
      const text = JSON.stringify(change.operation);
      operations.add(change, text, keepsOperations && problemCount === 0);
      digest.update(`\n${text}`);
    },
    refuse(problem: FileProblem): void {
      problemCount += 1;
      // With a problem nothing of the file is written.
      operations.drop();
      const shown = shortenProblem(problem);
      groups.add(shown);
      if (problemCount <= problemsFrom || problems.length >= MAX_SHOWN) return;
      if (problemsLength >= MAX_PROBLEMS_LENGTH) return;
      problemsLength += JSON.stringify(shown).length;
      problems.push(shown);
    },
    warn(warning: FileProblem & { column: string }): void {
      warningCount += 1;
      warningCounts[warning.column] = (warningCounts[warning.column] ?? 0) + 1;
      if (warnings.length < MAX_WARNINGS) warnings.push(shortenProblem(warning));
    },
    /** Counts values of custom data that became text. */
    convert(count: number): void {
      convertedCount += count;
    },
    groups: groups.list,
    convertedCount: () => convertedCount,
    warningCount: () => warningCount,
    problemCount: () => problemCount,
    /** Hexadecimal. Ends the plan. */
    digest: () => digest.digest('hex'),
  };
};

/**
 * Of all operations. Those of a file of whole records are hardly longer than the file. A file with some columns may change
 * custom data that is a thousand times as long as its rows.
 */
const MAX_OPERATIONS_BYTES = 128 * 1_048_576;
/** Characters of a batch, which is parsed in one step. */
const MAX_BATCH_LENGTH = 262_144;
const MAX_BATCH_OPERATIONS = 500;

/**
 * The operations of a plan as JSON outside of the heap: for a large file they would be hundreds of megabytes of
 * objects, which the garbage collector would repeatedly traverse until they are written.
 */
const createOperations = () => {
  const sealed: Buffer[] = [];
  let texts: string[] = [];
  let [length, bytes, count, changesValues] = [0, 0, 0, false];
  let first: PlannedChange | undefined;
  const clear = () => {
    [texts, length] = [[], 0];
  };
  const seal = () => {
    if (texts.length > 0) sealed.push(Buffer.from(`[${texts.join(',')}]`));
    clear();
  };
  return {
    /** `text` is the JSON of the operation. Without `keeps` it is only counted. Errors: body_too_large. */
    add(change: PlannedChange, text: string, keeps: boolean): void {
      const { operation, fields } = change.operation;
      first ??= change;
      count += 1;
      changesValues ||= operation !== 'create' && (operation !== 'restore' || fields !== null);
      if (count > MAX_OPERATIONS) throw tooLarge(`are more than ${MAX_OPERATIONS}`);
      bytes += Buffer.byteLength(text);
      if (bytes > MAX_OPERATIONS_BYTES) throw tooLarge('are larger than 128 MiB together');
      if (!keeps) return;
      texts.push(text);
      length += text.length;
      if (length > MAX_BATCH_LENGTH || texts.length >= MAX_BATCH_OPERATIONS) seal();
    },
    /** Call when there is one. */
    first(): { operation: SetOperation['operation']; name: string } {
      if (!first) throw new Error('The plan has no operations.');
      return { operation: first.operation.operation, name: first.name };
    },
    count: () => count,
    /** True when a record has other values afterwards, or is deleted; also when it is restored with other values. */
    changesValues: () => changesValues,
    /** Call once. */
    *batches(): Generator<SetOperation[]> {
      seal();
      for (let batch = sealed.shift(); batch; batch = sealed.shift()) {
        yield JSON.parse(batch.toString());
      }
    },
    /** Call when they will not be written. */
    drop(): void {
      sealed.length = 0;
      clear();
    },
  };
};

const tooLarge = (why: string): ServiceError =>
  new ServiceError('body_too_large', {
    desc: `The changed records ${why}; import fewer rows at once.`,
  });
