// Decides the change of each row of a file and collects the plan that is shown and later applied. Pure.
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { describeIssues, itemFields, itemInputs, Uuid, xpFields, xpInputs } from '@muster/contract';
import type { FieldChange } from '@muster/record-diff';
import { diffRecords } from '@muster/record-diff';
import { z } from 'zod';
import { ServiceError } from '../platform/index.ts';
import type { RecordOperation } from './edit-rules.ts';
import { listOperationsTo } from './edit-rules.ts';
import type { FileProblem, FileRow, FileRows } from './file-rows.ts';
import type { CurrentRecord } from './import-lookup-store.ts';
import { createProblemGroups } from './import-problems.ts';
import type { ItemSchemas } from './item-schema-rules.ts';
import { describeProblem, findSchemaProblems } from './item-schema-rules.ts';
import type { RecordFields, RecordKind } from './record.ts';
import { ITEM, readSnapshot, writeSnapshot, XP } from './record.ts';

type ChangeName = 'create' | 'update' | 'restore' | 'delete';

/** The change of one record. */
export type PlannedChange = {
  /** Absent for a record that is not in the file. */
  row?: number;
  recordId: string;
  name: string;
  operation: ChangeName;
  before: RecordFields | null;
  after: RecordFields | null;
  /** In order, without a reason: restoring a record with other fields takes two. */
  steps: RecordOperation[];
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
  const change = { row, recordId, name: String(after.name), after };
  const steps = listOperationsTo(kind, { recordId, fields, reason: undefined }, current);
  if (!current) return { ...change, operation: 'create', before: null, steps };
  const stored = readSnapshot(current.snapshot);
  const isSame = isDeepStrictEqual(stored, after);
  if (current.deleted) {
    const [restore] = steps;
    const needed = isSame && restore ? [restore] : steps;
    return { ...change, operation: 'restore', before: null, steps: needed };
  }
  return isSame ? null : { ...change, operation: 'update', before: stored, steps };
};

export const planDelete = (current: CurrentRecord): PlannedChange => ({
  recordId: current.recordId,
  name: current.name,
  operation: 'delete',
  before: readSnapshot(current.snapshot),
  after: null,
  steps: [
    {
      type: 'delete',
      recordId: current.recordId,
      reason: undefined,
      expectedVersion: current.version,
    },
  ],
});

export type ShownOperation = {
  /** Absent for a record that is deleted because it is not in the file. */
  row?: number;
  record_id: string;
  name: string;
  operation: ChangeName;
  /** A restored record has other values than before its deletion. */
  also_changed?: true;
  changes: FieldChange[];
};

export type PlanCounts = Record<ChangeName | 'unchanged', number>;

/** The number of listed operations and problems; the counts include all. */
const MAX_SHOWN = 1_000;
/** Characters of all listed problems; column names come from the file and may be as long as it is. */
const MAX_PROBLEMS_LENGTH = 262_144;
const MAX_COLUMN_LENGTH = 128;
const MAX_MESSAGE_LENGTH = 512;

/** They contain names, which are bounded. */
const MAX_WARNINGS = 200;

/** Characters of all listed operations. */
const MAX_SHOWN_LENGTH = 4 * 1_048_576;

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
 * the sandbox, the kind, the head, the options. `shownFrom` and `problemsFrom` are how many operations and problems the
 * lists skip; they are not part of the plan. `keepsSteps`: the plan may be applied.
 */
export const createImportPlan = (
  scope: unknown,
  keepsSteps: boolean,
  shownFrom = 0,
  problemsFrom = 0,
) => {
  const counts: PlanCounts = { create: 0, update: 0, restore: 0, delete: 0, unchanged: 0 };
  const operations: ShownOperation[] = [];
  const problems: FileProblem[] = [];
  const steps = createSteps();
  const digest = createHash('sha256').update(JSON.stringify(scope));
  const warnings: FileProblem[] = [];
  const warningCounts: Record<string, number> = {};
  const groups = createProblemGroups();
  let [warningCount, convertedCount] = [0, 0];
  let [problemCount, problemsLength, changeCount, shownLength] = [0, 0, 0, 0];
  return {
    counts,
    operations,
    problems,
    warnings,
    warningCounts,
    steps,
    add(change: PlannedChange | null): void {
      counts[change?.operation ?? 'unchanged'] += 1;
      if (!change) return;
      const text = JSON.stringify(change.steps);
      steps.add(change.steps, text, keepsSteps && problemCount === 0);
      digest.update(`\n["${change.operation}",${JSON.stringify(change.recordId)},${text}]`);
      changeCount += 1;
      if (changeCount <= shownFrom || operations.length >= MAX_SHOWN) return;
      if (shownLength >= MAX_SHOWN_LENGTH) return;
      const shown = show(change);
      shownLength += JSON.stringify(shown).length;
      operations.push(shown);
    },
    refuse(problem: FileProblem): void {
      problemCount += 1;
      // With a problem nothing of the file is written.
      steps.drop();
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
 * Of all operations, without their common reason. Operations of a file of whole records are hardly longer than the
 * file. A file with some columns may change records that are a thousand times as long as its rows.
 */
const MAX_STEPS_BYTES = 128 * 1_048_576;
/** Characters of a batch, which is parsed in one step. */
const MAX_BATCH_LENGTH = 262_144;
const MAX_BATCH_STEPS = 500;

/**
 * The operations of a plan as JSON outside of the heap: for a large file they would be hundreds of megabytes of
 * objects, which the garbage collector would repeatedly traverse until they are written.
 */
const createSteps = () => {
  const sealed: Buffer[] = [];
  let texts: string[] = [];
  let [length, total, count, inBatch, changesValues] = [0, 0, 0, 0, false];
  const clear = () => {
    [texts, length, inBatch] = [[], 0, 0];
  };
  const seal = () => {
    if (texts.length > 0) sealed.push(Buffer.from(`[${texts.join(',')}]`));
    clear();
  };
  return {
    /** `text` is their JSON. Without `keeps` they are only counted. Errors: body_too_large. */
    add(operations: readonly RecordOperation[], text: string, keeps: boolean): void {
      total += Buffer.byteLength(text);
      if (total > MAX_STEPS_BYTES) {
        throw new ServiceError('body_too_large', {
          desc: 'The changed records are larger than 128 MiB together; import fewer rows at once.',
        });
      }
      if (!keeps) return;
      texts.push(text.slice(1, -1));
      length += text.length;
      count += operations.length;
      inBatch += operations.length;
      changesValues ||= operations.some(({ type }) => type === 'update' || type === 'delete');
      if (length > MAX_BATCH_LENGTH || inBatch >= MAX_BATCH_STEPS) seal();
    },
    count: () => count,
    /** True when the record has other values afterwards, or is deleted; also when it is restored with other values. */
    changesValues: () => changesValues,
    /** Call once; the reason applies to all. */
    *batches(reason: string | undefined): Generator<RecordOperation[]> {
      seal();
      for (let batch = sealed.shift(); batch; batch = sealed.shift()) {
        const operations: RecordOperation[] = JSON.parse(batch.toString());
        yield operations.map((operation) => ({ ...operation, reason }));
      }
    },
    /** Call when they will not be written. */
    drop(): void {
      sealed.length = 0;
      clear();
    },
  };
};

/** The operation already names the record. */
const ID_FIELDS: ReadonlySet<string> = new Set([ITEM.idField, XP.idField]);

const show = ({
  row,
  recordId,
  name,
  operation,
  before,
  after,
  steps,
}: PlannedChange): ShownOperation => ({
  ...(row !== undefined && { row }),
  record_id: recordId,
  name,
  operation,
  ...(operation === 'restore' && steps.length > 1 && { also_changed: true as const }),
  changes: diffRecords(before, after).filter(({ path: [field] }) => !ID_FIELDS.has(String(field))),
});
