// The only way to write a catalogue: under the lock of its sandbox it reads the affected records, applies the rules,
// and appends.
import type { Pacer } from '../../flow/index.ts';
import { createPacer, forEachPaced } from '../../flow/index.ts';
import type { Actor, AuditEntry } from '../../platform/index.ts';
import { ServiceError } from '../../platform/index.ts';
import { createHold, listRestored } from '../change-sets/change-set-hold.ts';
import type { ItemSchemas } from '../item-schemas/item-schema-rules.ts';
import { NO_SCHEMAS } from '../item-schemas/item-schema-rules.ts';
import type { RecordKind } from '../records/record.ts';
import type { SandboxAuthority } from '../sandboxes/sandbox-rules.ts';
import { isDestructive, requireAuthority, requireWritable } from '../sandboxes/sandbox-rules.ts';
import type { CatalogueStore, CatalogueTransaction } from './catalogue-store.ts';
import type {
  NewVersion,
  OperationType,
  RecordOperation,
  WriteContext,
  WritePlan,
} from './edit-rules.ts';
import { createWritePlanner, givenLegacyId } from './edit-rules.ts';
import type { EditWarning } from './single-write.ts';
import { describeWrite, findWarnings } from './single-write.ts';
import { createWriteQueue } from './write-queue.ts';

export type Write = {
  actor: Actor;
  sandboxId: string;
  /** The call as it was sent: in a sandbox that requires a review, repeating it makes no second change set. */
  call: unknown;
  procedure: OperationType | 'bulk';
  operations: readonly RecordOperation[];
  reason: string | undefined;
  authority: SandboxAuthority;
  /** When it is aborted before the write starts, nothing is written and its reason is thrown. */
  signal?: AbortSignal | undefined;
};

/** A context without known records, at the position after the versions that are written. */
export type OpenContext = (kind: RecordKind) => WriteContext;

type WrittenParts = { recordIds: string[]; transactionId: string };

/** A write of any length: one transaction with one transaction id. Its caller has checked the review. */
type PartedWrite = Pick<Write, 'actor' | 'sandboxId'> & {
  /**
   * Plans the parts in order, each after the ones before it were written. Between two parts the process serves other
   * requests. Nothing is written when it throws.
   */
  plan(
    transaction: CatalogueTransaction,
    open: OpenContext,
  ): AsyncIterable<{ versions: readonly NewVersion[]; operations: number }>;
  /** The number of operations in all parts. */
  count: number;
  /** Runs before the commit, without `written` when nothing was. Returns the audit record. */
  finish(
    transaction: CatalogueTransaction,
    written: WrittenParts | undefined,
  ): Promise<AuditEntry | undefined>;
  /** When it is aborted before the transaction commits, everything is rolled back and its reason is thrown. */
  signal?: AbortSignal | undefined;
};

/** The result of a transaction, or the error to throw after its commit. */
type Outcome<T> = { result: T } | { error: ServiceError };

const unwrap = <T>(outcome: Outcome<T>): T => {
  if ('error' in outcome) throw outcome.error;
  return outcome.result;
};

/** Without `transactionId` when nothing was changed. */
export type PartsAnswer = { headSeq: number; transactionId?: string };

/** Bulk edits and deletions are not checked for warnings: their list is empty. */
export type WrittenEdit = WritePlan & { warnings: EditWarning[] };

export type WriteSources = { now: () => Date; newId: () => string };

export type CatalogueWriter = {
  /**
   * Runs `work` in one transaction that holds the lock of the sandbox; an error rolls it back. Without `timeoutMs` the
   * timeout is long enough for a bulk edit. When `signal` is aborted before the lock is held, `work` does not run and
   * its reason is thrown. Errors: sandbox_busy, sandbox_not_found, sandbox_archived.
   */
  inTransaction<T>(
    sandboxId: string,
    work: (transaction: CatalogueTransaction) => Promise<T>,
    options?: { timeoutMs?: number; signal?: AbortSignal | undefined },
  ): Promise<T>;
  /** A context without known records, for a write that no schema refuses. */
  openContext(
    kind: RecordKind,
    transaction: Pick<CatalogueTransaction, 'head'>,
    actor: Actor,
  ): WriteContext;
  /**
   * A write without changes writes nothing, not even an audit record. Errors: those of the rules; review_required (with
   * change_set_id), when the changes were stored as a change set in review instead.
   */
  write(kind: RecordKind, write: Write): Promise<WrittenEdit>;
  /** Errors: sandbox_busy, sandbox_not_found, sandbox_archived, and those of `plan`. */
  writeInParts(write: PartedWrite): Promise<PartsAnswer>;
};

/** With fewer records the statistics would describe the table as almost empty. */
const RECORDS_FOR_STATISTICS = 500;

/** Generous, since it only has to end a stuck transaction. */
const MS_PER_OPERATION = 5;
const MIN_TIMEOUT_MS = 20_000;

export const createCatalogueWriter = (
  store: Pick<CatalogueStore, 'write'>,
  { now, newId }: WriteSources,
): CatalogueWriter => {
  const serialize = createWriteQueue();

  const inTransaction: CatalogueWriter['inTransaction'] = (
    sandboxId,
    work,
    { timeoutMs, signal } = {},
  ) => {
    const write = async (waitMs: number) => {
      const written = await store.write(
        sandboxId,
        (transaction) => {
          signal?.throwIfAborted();
          requireWritable(transaction.sandbox);
          return work(transaction);
        },
        { waitMs, timeoutMs },
      );
      if (!written) throw new ServiceError('sandbox_not_found');
      return written.result;
    };
    return serialize(sandboxId, write, signal);
  };

  const openContext: CatalogueWriter['openContext'] = (kind, { head }, { accountId }) => ({
    kind,
    accountId,
    newId,
    stored: [],
    findVersion: () => undefined,
    schemas: NO_SCHEMAS,
    headSeq: head.seq,
    issuedAt: notBefore(head.issuedAt, now()),
    transactionId: newId(),
  });

  /** Everything needed to decide these operations, read under the sandbox's lock. */
  const readContext = async (
    kind: RecordKind,
    transaction: CatalogueTransaction,
    actor: Actor,
    operations: readonly RecordOperation[],
  ): Promise<WriteContext> => ({
    ...openContext(kind, transaction, actor),
    ...(await findStored(kind, transaction, operations)),
    schemas: await readSchemas(kind, transaction),
  });

  const writeParts = async (
    transaction: CatalogueTransaction,
    { actor, sandboxId, plan, count, finish, signal }: PartedWrite,
  ): Promise<PartsAnswer> => {
    const transactionId = newId();
    const open: OpenContext = (kind) => ({
      ...openContext(kind, transaction, actor),
      transactionId,
    });
    const recordIds = new Set<string>();
    const pacer = createPacer();
    let [written, hasStatistics] = [0, false];
    for await (const { versions, operations } of plan(transaction, open)) {
      signal?.throwIfAborted();
      written += operations;
      if (versions.length === 0) continue;
      for (const { state } of versions) recordIds.add(state.recordId);
      await appendAll(transaction, versions, pacer);
      if (hasStatistics || written === count || recordIds.size < RECORDS_FOR_STATISTICS) continue;
      hasStatistics = true;
      await transaction.refreshStatistics();
    }
    const isWritten = recordIds.size > 0;
    const result = isWritten ? { recordIds: [...recordIds], transactionId } : undefined;
    const entry = await finish(transaction, result);
    if (entry) await transaction.audit(actor, { ...entry, sandboxId }, now());
    signal?.throwIfAborted();
    return { headSeq: transaction.head.seq, ...(isWritten && { transactionId }) };
  };

  const writeInParts: CatalogueWriter['writeInParts'] = (write) => {
    const work = (transaction: CatalogueTransaction) => writeParts(transaction, write);
    const timeoutMs = MIN_TIMEOUT_MS + write.count * MS_PER_OPERATION;
    const { sandboxId, signal } = write;
    return inTransaction(sandboxId, work, { timeoutMs, signal });
  };

  return {
    inTransaction,
    openContext,

    async write(kind, { actor, sandboxId, call, procedure, operations, ...write }) {
      const { reason, authority, signal } = write;
      const work = async (transaction: CatalogueTransaction): Promise<Outcome<WrittenEdit>> => {
        if (operations.some(({ type }) => isDestructive(type))) {
          requireAuthority(transaction.sandbox, authority);
        }
        const pacer = createPacer();
        const context = await readContext(kind, transaction, actor, operations);
        const plan = await planPaced(context, operations, procedure === 'bulk', pacer);
        if (procedure === 'bulk') refuseLongAnswer(plan);
        const isChecked = procedure !== 'bulk' && procedure !== 'delete';
        const warnings = isChecked ? await findWarnings(transaction, context, plan) : [];
        const written = { ...plan, warnings };
        if (plan.versions.length === 0) return { result: written };
        if (transaction.sandbox.requiredApprovals > 0) {
          const held = {
            what: procedure === 'bulk' ? 'Bulk edit' : 'Edit',
            reason,
            restored: listRestored(operations),
            call: [kind.kind, procedure, call],
          };
          const hold = createHold(transaction, { actor, sandboxId, write: held, now, newId });
          await hold.add(plan.versions);
          const error = await hold.finish();
          if (error) return { error };
        }
        const entry = describeWrite(procedure, context, plan.versions);
        const audit = { ...entry, sandboxId, ...(reason && { reason }) };
        await appendAll(transaction, plan.versions, pacer);
        await transaction.audit(actor, audit, context.issuedAt);
        return { result: written };
      };
      return unwrap(await inTransaction(sandboxId, work, { signal }));
    },

    writeInParts,
  };
};

/** Joins and other requests are served in between. */
const planPaced = async (
  context: WriteContext,
  operations: readonly RecordOperation[],
  isBulk: boolean,
  pacer: Pacer,
): Promise<WritePlan> => {
  const { plan, add } = createWritePlanner(context, isBulk);
  await forEachPaced(operations, add, pacer);
  return plan;
};

/** The response contains the final state of all records. */
const refuseLongAnswer = ({ results }: WritePlan): void => {
  const bytes = results.reduce((sum, { snapshot }) => sum + Buffer.byteLength(snapshot), 0);
  if (bytes <= MAX_ANSWER_BYTES) return;
  throw new ServiceError('body_too_large', {
    desc: 'The records are larger than 6 MiB together; change fewer at once.',
  });
};
const MAX_ANSWER_BYTES = 6 * 1_048_576;

/** Length of the snapshots in one statement: serialising them must not take long. */
const MAX_STATEMENT_LENGTH = 262_144;

/** Hashing and writing one statement can take a whole time slice, so it starts a new one. */
export const appendAll = async (
  transaction: CatalogueTransaction,
  versions: readonly NewVersion[],
  pacer: Pacer = createPacer(),
): Promise<void> => {
  for (let at = 0; at < versions.length; ) {
    if (pacer.isDue()) await pacer.rest();
    let end = at;
    for (let length = 0; end < versions.length && length < MAX_STATEMENT_LENGTH; end += 1) {
      length += versions[end]?.state.snapshot.length ?? 0;
    }
    await transaction.append(versions.slice(at, end));
    at = end;
  }
};

/** When a clock was set back, or another process's clock is slower, times must still not decrease. */
const notBefore = (previous: Date | undefined, now: Date): Date =>
  previous !== undefined && previous > now ? previous : now;

const readSchemas = (
  { kind }: RecordKind,
  { itemSchemas }: CatalogueTransaction,
): Promise<ItemSchemas> | ItemSchemas => (kind === 'item' ? itemSchemas.readCurrent() : NO_SCHEMAS);

const findStored = async (
  kind: RecordKind,
  transaction: CatalogueTransaction,
  operations: readonly RecordOperation[],
): Promise<Pick<WriteContext, 'stored' | 'findVersion'>> => {
  const recordIds = operations.map(({ recordId }) => recordId);
  const legacyIds = operations.flatMap((operation) => givenLegacyId(kind, operation) ?? []);
  const versionIds = operations.flatMap((operation) =>
    operation.type === 'restore' ? (operation.versionId ?? []) : [],
  );
  const stored = await transaction.findRecords(kind.kind, recordIds, legacyIds);
  const older = await transaction.findVersions(kind.kind, versionIds);
  const snapshots = new Map(
    older.map(({ recordId, versionId, snapshot }) => [`${recordId} ${versionId}`, snapshot]),
  );
  const findVersion = (recordId: string, versionId: string) =>
    snapshots.get(`${recordId} ${versionId}`);
  return { stored, findVersion };
};
