// Plans an import for the current records. The plan becomes a change set, which is applied as every other one.
import { createHash } from 'node:crypto';
import type { Pacer } from '../../flow/index.ts';
import { createPacer } from '../../flow/index.ts';
import { ServiceError } from '../../platform/index.ts';
import type { RecordKind } from '../records/record.ts';
import { foldName, kindOf } from '../records/record.ts';
import type { SandboxAuthority } from '../sandboxes/sandbox-rules.ts';
import type { ColumnMapping, FileColumn, FileColumns, MappedColumns } from './file-columns.ts';
import { createFileColumns } from './file-columns.ts';
import type { FileProblem, FileRow } from './file-rows.ts';
import { isProblem, readFile } from './file-rows.ts';
import type { CatalogueSnapshot, CurrentRecord, ImportLookups } from './import-lookup-store.ts';
import type { ProblemGroup } from './import-problems.ts';
import type { ImportPlan, PlanCounts, PlannedChange } from './import-rules.ts';
import { createImportPlan, planDelete, planRow, readId } from './import-rules.ts';
import type { ImportCaller, ImportSets } from './import-sets.ts';
import type { FileFormat } from './row-writer.ts';
import type { StoredFile } from './stored-file.ts';
import { storeFile } from './stored-file.ts';

export type ImportRequest = {
  sandboxId: string;
  kind: 'item' | 'xp';
  format: FileFormat;
  bytes: AsyncIterable<Uint8Array>;
  /** Deletes every record that is not in the file. */
  deleteMissing: boolean;
  expectedHeadSeq: number | undefined;
  reason: string | undefined;
  /** Without it only the names of fields are columns. */
  columns?: ColumnMapping | undefined;
  /** Of the change set. */
  title?: string | undefined;
  /** How many of the listed errors to skip. */
  errorsFrom?: number | undefined;
};

type ImportApproval = ImportCaller & { authority: SandboxAuthority; planDigest: string };

export type ImportAnswer = {
  head_seq: number;
  /** Identifies this plan; absent when the file has problems. */
  plan_digest?: string;
  counts: PlanCounts;
  /** The first thousand, or those from `errorsFrom` on. */
  errors: FileProblem[];
  error_count: number;
  /** All errors, grouped by column and kind; the counts add up to `error_count`. */
  error_groups: ProblemGroup[];
  /**
   * Warnings about new records with the name of another record, and about Xp tables that do not exist; the first 200.
   * The file can still be applied.
   */
  warnings: FileProblem[];
  warning_count: number;
  /** By column. */
  warning_counts: Record<string, number>;
  /** Columns of the file and what receives them. */
  columns: FileColumn[];
  /** Numbers and booleans in custom data that are imported as text. */
  converted_count: number;
  /** The change set with the changes; absent from a dry run, and when nothing would change. */
  change_set_id?: string;
  /** Set once applied; absent when nothing changed. */
  transaction_id?: string;
};

export const MAX_ROWS = 50_000;
/** Rows that are planned together, or fewer with the same length. */
const BATCH = 200;
const BATCH_BYTES = 1_048_576;

/** A request whose file has arrived completely. It is planned once. */
type ImportUpload = Omit<ImportRequest, 'bytes'> & { file: StoredFile };

export type ImportService = {
  /** Reads the whole upload first, so that no database connection waits for a slow client. Errors: body_too_large. */
  read(request: ImportRequest): Promise<ImportUpload>;
  /** Changes nothing. Errors: sandbox_not_found, import_outdated, body_too_large (too many rows), input_invalid (no UTF-8). */
  plan(upload: ImportUpload): Promise<ImportAnswer>;
  /**
   * Makes a change set with the changes, a draft. With problems in the file nothing is written, and the response contains
   * them. Errors: those of `plan` and `ImportSets.draft`.
   */
  draft(upload: ImportUpload, caller: ImportCaller): Promise<ImportAnswer>;
  /**
   * Makes the change set and applies it, in one transaction. With problems in the file nothing is written, and the response
   * contains them. Errors: those of `plan` and `ImportSets.apply`; import_outdated also when the plan is not the approved one.
   */
  apply(upload: ImportUpload, approval: ImportApproval): Promise<ImportAnswer>;
};

export const createImportService = (store: ImportLookups, sets: ImportSets): ImportService => {
  const prepare = (upload: ImportUpload, keepsOperations: boolean) =>
    store.inSnapshot(upload.sandboxId, upload.kind, (snapshot) =>
      planImport(upload, snapshot, keepsOperations),
    );
  return {
    read: async ({ bytes, ...request }) => ({ ...request, file: await storeFile(bytes) }),

    plan: async (upload) => toAnswer(await prepare(upload, false)),

    async draft(upload, caller) {
      const prepared = await prepare(upload, true);
      const answer = toAnswer(prepared);
      if (answer.error_count > 0 || prepared.plan.operations.count() === 0) return answer;
      return { ...answer, change_set_id: await sets.draft(toPlanned(upload, prepared), caller) };
    },

    async apply(upload, { planDigest, ...caller }) {
      const prepared = await prepare(upload, true);
      const answer = toAnswer(prepared);
      if (answer.error_count > 0) return answer;
      if (answer.plan_digest !== planDigest) throw new ServiceError('import_outdated');
      if (prepared.plan.operations.count() === 0) return answer;
      const planned = toPlanned(upload, prepared);
      const { headSeq, changeSetId, transactionId } = await sets.apply(planned, caller);
      return {
        ...answer,
        head_seq: headSeq,
        change_set_id: changeSetId,
        ...(transactionId && { transaction_id: transactionId }),
      };
    },
  };
};

const toPlanned = (
  { sandboxId, kind, title, reason, columns: mapping }: ImportUpload,
  { plan, headSeq, columns }: Prepared,
) => ({
  sandboxId,
  kind,
  title,
  reason,
  headSeq,
  operations: plan.operations,
  columns: mapping && nameColumns(columns),
});

type Prepared = { headSeq: number; plan: ImportPlan; columns: FileColumn[] };

const nameColumns = (columns: readonly FileColumn[]): MappedColumns =>
  Object.fromEntries(columns.map(({ name, field = null }) => [name, field]));

const planImport = async (
  upload: ImportUpload,
  snapshot: CatalogueSnapshot,
  keepsOperations: boolean,
): Promise<Prepared> => {
  const { sandboxId, kind, deleteMissing, expectedHeadSeq, reason } = upload;
  const headSeq = await snapshot.readHead();
  if (headSeq === null) throw new ServiceError('sandbox_not_found');
  if (expectedHeadSeq !== undefined && expectedHeadSeq !== headSeq) {
    throw new ServiceError('import_outdated', { facts: { head_seq: headSeq } });
  }
  const scope = { sandboxId, kind, headSeq, deleteMissing, reason };
  const plan = createImportPlan(scope, keepsOperations, upload.errorsFrom);
  const saved = upload.columns === 'auto' ? await snapshot.readColumns() : {};
  const columns = createFileColumns(kindOf(kind), upload.columns, saved);
  const named = await planRows(upload, columns, snapshot, plan);
  if (deleteMissing) await planDeletes(kindOf(kind), snapshot, plan, named);
  return { headSeq, plan, columns: columns.list() };
};

/** Returns the ids in the file. */
const planRows = async (
  { sandboxId, kind: kindName, format, file }: ImportUpload,
  columns: FileColumns,
  snapshot: CatalogueSnapshot,
  plan: ImportPlan,
): Promise<Set<string>> => {
  const kind = kindOf(kindName);
  const seed = `${sandboxId} ${kindName} ${file.digest}`;
  const deriveRowId = ({ row }: FileRow) => deriveId(`${seed} ${row}`);
  const rowOfName = new Map<string, number>();
  const rowOfId = new Map<string, number>();
  const holders = new Map<number, string>();
  /** Of the record with the row's legacy id when the row has no id. */
  const idOf = (row: FileRow): string | undefined => {
    const id = readId(kind, row);
    if (id !== null) return id;
    return holders.get(row.fields[kind.legacyIdField] as number) ?? deriveRowId(row);
  };
  const schemas = await snapshot.readSchemas();
  const pacer = createPacer();
  const { meaning, entries } = readFile(format, file.read(), columns);
  for await (const batch of inBatches(entries, file, pacer)) {
    const changed: PlannedChange[] = [];
    const rows = batch.flatMap((entry) => (isProblem(entry) ? [] : entry));
    const current = await readCurrent(
      snapshot,
      kind,
      rows,
      (row) => readId(kind, row) ?? deriveRowId(row),
    );
    for (const { legacyId, recordId } of current.values()) {
      if (legacyId !== null && !holders.has(legacyId)) holders.set(legacyId, recordId);
    }
    for (const row of batch) {
      if (pacer.isDue()) await pacer.rest();
      if (isProblem(row)) {
        plan.refuse(row);
        continue;
      }
      const id = idOf(row);
      const earlier = id === undefined ? undefined : rowOfId.get(id);
      if (earlier !== undefined) {
        plan.refuse(describeRepeat(row, earlier, kind));
        continue;
      }
      if (id !== undefined) rowOfId.set(id, row.row);
      const planned = planRow(row, {
        kind,
        meaning,
        current: id === undefined ? undefined : current.get(id),
        holderOf: (legacyId) => holders.get(legacyId),
        newId: () => id ?? '',
        schemas,
      });
      if (Array.isArray(planned)) {
        for (const problem of planned) plan.refuse(problem);
        continue;
      }
      const legacyId = planned?.operation.fields?.[kind.legacyIdField];
      if (planned && typeof legacyId === 'number') {
        holders.set(legacyId, planned.operation.recordId);
      }
      plan.add(planned);
      plan.convert(row.converted ?? 0);
      if (planned) changed.push(planned);
    }
    const created = changed.filter(({ operation }) => operation.operation === 'create');
    await warnOfNames(snapshot, plan, created, rowOfName);
    await warnOfTables(snapshot, plan, changed);
  }
  return new Set(rowOfId.keys());
};

/** A row without an id names its record by the legacy id. */
const describeRepeat = ({ row, fields }: FileRow, earlier: number, kind: RecordKind) =>
  (fields[kind.idField] ?? null) === null
    ? { row, column: kind.legacyIdField, msg: `Row ${earlier} has the same record` }
    : { row, column: kind.idField, msg: `Row ${earlier} has the same id` };

async function* inBatches(
  entries: AsyncIterable<FileRow | FileProblem>,
  file: StoredFile,
  pacer: Pacer,
): AsyncGenerator<(FileRow | FileProblem)[]> {
  let batch: (FileRow | FileProblem)[] = [];
  let [count, begin] = [0, 0];
  for await (const entry of entries) {
    if (pacer.isDue()) await pacer.rest();
    count += 1;
    if (count > MAX_ROWS) {
      throw new ServiceError('body_too_large', {
        desc: `The file has more than ${MAX_ROWS} rows.`,
      });
    }
    batch.push(entry);
    if (batch.length < BATCH && file.position() - begin < BATCH_BYTES) continue;
    yield batch;
    [batch, begin] = [[], file.position()];
  }
  yield batch;
}

/** Two records with one name are allowed, but rarely intended. */
const warnOfNames = async (
  snapshot: CatalogueSnapshot,
  plan: ImportPlan,
  created: readonly PlannedChange[],
  rowOfName: Map<string, number>,
): Promise<void> => {
  const stored = new Set(await snapshot.findNames(created.map(({ name }) => foldName(name))));
  for (const { name, row = 0 } of created) {
    const folded = foldName(name);
    const earlier = rowOfName.get(folded);
    if (earlier === undefined) rowOfName.set(folded, row);
    const holder = stored.has(folded) ? 'A record of this sandbox' : `Row ${earlier}`;
    if (!stored.has(folded) && earlier === undefined) continue;
    plan.warn({ row, column: 'name', msg: `${holder} already has the name ${name}` });
  }
};

/** An Item may name an Xp table before it exists, but rarely on purpose. */
const warnOfTables = async (
  snapshot: CatalogueSnapshot,
  plan: ImportPlan,
  changed: readonly PlannedChange[],
): Promise<void> => {
  const named = changed.flatMap(({ row = 0, operation: { fields } }) => {
    const id = fields?.[XP_TABLE];
    return typeof id === 'string' ? [{ row, id }] : [];
  });
  if (named.length === 0) return;
  const found = new Set(await snapshot.findTables(named.map(({ id }) => id)));
  for (const { row, id } of named) {
    if (!found.has(id)) plan.warn({ row, column: XP_TABLE, msg: NO_TABLE + id });
  }
};

const XP_TABLE = 'level_xp_table_id';
const NO_TABLE = 'This sandbox has no Xp table with the id ';

const readCurrent = async (
  snapshot: CatalogueSnapshot,
  kind: RecordKind,
  rows: readonly FileRow[],
  idOf: (row: FileRow) => string,
): Promise<Map<string, CurrentRecord>> => {
  const ids = rows.map(idOf);
  const legacyIds = rows.map(({ fields }) => fields[kind.legacyIdField]);
  const records = await snapshot.findRecords(
    ids,
    legacyIds.filter(Number.isSafeInteger) as number[],
  );
  return new Map(records.map((record) => [record.recordId, record]));
};

const planDeletes = async (
  kind: RecordKind,
  snapshot: CatalogueSnapshot,
  plan: ImportPlan,
  named: ReadonlySet<string>,
): Promise<void> => {
  let after: string | null = null;
  const pacer = createPacer();
  for (;;) {
    const records: CurrentRecord[] = await snapshot.listLive(after, BATCH);
    for (const record of records) {
      if (pacer.isDue()) await pacer.rest();
      if (!named.has(record.recordId)) plan.add(planDelete(kind, record));
    }
    const last = records.at(-1);
    if (!last || records.length < BATCH) return;
    after = last.recordId;
  }
};

/**
 * The same row of the same file always gets the same id. So the dry run and the applied plan are equal, and a file that
 * is applied again finds the records that it created. A UUID of version 8 (RFC 9562 section 5.8) from a digest.
 */
const deriveId = (seed: string): string => {
  const hex = createHash('sha256').update(seed).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return [...parts, variant + hex.slice(17, 20), hex.slice(20, 32)].join('-');
};

const toAnswer = ({ headSeq, plan, columns }: Prepared): ImportAnswer => {
  const { counts, problems, warnings } = plan;
  const hasProblems = plan.problemCount() > 0;
  return {
    head_seq: headSeq,
    ...(!hasProblems && { plan_digest: plan.digest() }),
    counts,
    errors: problems,
    error_count: plan.problemCount(),
    error_groups: plan.groups(),
    warnings,
    warning_count: plan.warningCount(),
    warning_counts: plan.warningCounts,
    columns,
    converted_count: plan.convertedCount(),
  };
};
