// The only way to write a catalogue: under the lock of its sandbox it reads the affected records, applies the rules,
// and appends.
import type { Pacer } from '../flow/index.ts';
import { createPacer, forEachPaced } from '../flow/index.ts';
import type { Actor, AuditEntry } from '../platform/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { CatalogueStore, CatalogueTransaction } from './catalogue-store.ts';
import type {
  NewVersion,
  OperationType,
  RecordOperation,
  WriteContext,
  WritePlan,
} from './edit-rules.ts';
import { createWritePlanner, givenLegacyId } from './edit-rules.ts';
import type { RecordKind } from './record.ts';
import type { SandboxAuthority } from './sandbox-rules.ts';
import { isDestructive, requireAuthority, requireWritable } from './sandbox-rules.ts';
import { createWriteQueue } from './write-queue.ts';

export type Write = {
  actor: Actor;
  sandboxId: string;
  procedure: OperationType | 'bulk';
  operations: readonly RecordOperation[];
  reason: string | undefined;
  authority: SandboxAuthority;
  /** When it is aborted before the write starts, nothing is written and its reason is thrown. */
  signal?: AbortSignal | undefined;
};

/** A plan of any length that a person has seen: exactly that is written, or nothing. */
type PlannedWrite = Omit<Write, 'procedure' | 'operations'> & {
  kind: RecordKind;
  /** In order. Between two batches the process serves other requests. */
  batches: Iterable<readonly RecordOperation[]>;
  /** The number of operations in all batches. */
  count: number;
  /** The name in the audit record, such as `import`. */
  procedure: string;
  /** The head on which the plan was made: any later write makes it outdated. */
  expectedHeadSeq: number;
  /** True when a protected sandbox requires the authority. */
  destructive: boolean;
  /** When it is aborted before the transaction commits, everything is rolled back and its reason is thrown. */
  signal?: AbortSignal | undefined;
};

/** Without `transactionId` when nothing was changed. */
type PlannedAnswer = { headSeq: number; transactionId?: string };

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
  /** A context without known records. */
  openContext(kind: RecordKind, transaction: CatalogueTransaction, actor: Actor): WriteContext;
  /** A write without changes writes nothing, not even an audit record. Errors: those of the rules. */
  write(kind: RecordKind, write: Write): Promise<WritePlan>;
  /** Errors: sandbox_busy, sandbox_not_found, import_outdated, sandbox_protected, sandbox_confirmation_required. */
  writePlanned(planned: PlannedWrite): Promise<PlannedAnswer>;
};

/** With fewer records the statistics would describe the table as almost empty. */
const RECORDS_FOR_STATISTICS = 500;

/** Generous, since it only has to end a stuck transaction. */
const MS_PER_OPERATION = 5;
const MIN_TIMEOUT_MS = 20_000;

/** The audit record of a larger write only counts the records; its transaction id finds them. */
const MAX_AUDITED_IDS = 1_000;

export const createCatalogueWriter = (
  store: CatalogueStore,
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
  });

  const writePlan = async (
    transaction: CatalogueTransaction,
    planned: PlannedWrite,
  ): Promise<PlannedAnswer> => {
    const { kind, actor, batches, count, signal } = planned;
    if (transaction.head.seq !== planned.expectedHeadSeq) throw new ServiceError('import_outdated');
    if (planned.destructive) requireAuthority(transaction.sandbox, planned.authority);
    const transactionId = newId();
    const recordIds = new Set<string>();
    const pacer = createPacer();
    let [written, hasStatistics] = [0, false];
    for (const batch of batches) {
      signal?.throwIfAborted();
      const context = await readContext(kind, transaction, actor, batch);
      const { versions } = await planPaced({ ...context, transactionId }, batch, false, pacer);
      written += batch.length;
      if (versions.length === 0) continue;
      for (const { state } of versions) recordIds.add(state.recordId);
      await appendAll(transaction, versions, pacer);
      if (hasStatistics || written === count || recordIds.size < RECORDS_FOR_STATISTICS) continue;
      hasStatistics = true;
      await transaction.refreshStatistics();
    }
    const headSeq = transaction.head.seq;
    if (recordIds.size === 0) return { headSeq };
    const entry = describePlanned(planned, [...recordIds], transactionId);
    await transaction.audit(actor, entry, now());
    signal?.throwIfAborted();
    return { headSeq, transactionId };
  };

  return {
    inTransaction,
    openContext,

    write: (kind, { actor, sandboxId, procedure, operations, reason, authority, signal }) => {
      const work = async (transaction: CatalogueTransaction) => {
        if (operations.some(({ type }) => isDestructive(type))) {
          requireAuthority(transaction.sandbox, authority);
        }
        const pacer = createPacer();
        const context = await readContext(kind, transaction, actor, operations);
        const plan = await planPaced(context, operations, procedure === 'bulk', pacer);
        if (procedure === 'bulk') refuseLongAnswer(plan);
        if (plan.versions.length === 0) return plan;
        const entry = describeWrite(procedure, context, plan.versions);
        const audit = { ...entry, sandboxId, ...(reason && { reason }) };
        await appendAll(transaction, plan.versions, pacer);
        await transaction.audit(actor, audit, context.issuedAt);
        return plan;
      };
      return inTransaction(sandboxId, work, { signal });
    },

    writePlanned: (planned) =>
      inTransaction(planned.sandboxId, (transaction) => writePlan(transaction, planned), {
        timeoutMs: MIN_TIMEOUT_MS + planned.count * MS_PER_OPERATION,
        signal: planned.signal,
      }),
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

const describeWrite = (
  procedure: Write['procedure'],
  { kind, stored, transactionId }: WriteContext,
  versions: readonly NewVersion[],
): AuditEntry => {
  const action = `${kind.plural}.${procedure}`;
  const after = { transaction_id: transactionId };
  const recordIds = [...new Set(versions.map(({ state }) => state.recordId))];
  const [first] = versions;
  if (procedure === 'bulk' || !first) {
    return { action, target: { [`${kind.idField}s`]: recordIds }, after };
  }
  const { recordId, version, versionId } = first.state;
  const before = stored.find((state) => state.recordId === recordId);
  return {
    action,
    target: { [kind.idField]: recordId },
    ...(before && { before: { version: before.version, version_id: before.versionId } }),
    after: { ...after, version, version_id: versionId },
  };
};

const describePlanned = (
  { kind, sandboxId, procedure, reason }: PlannedWrite,
  recordIds: string[],
  transactionId: string,
): AuditEntry => {
  const isListed = recordIds.length <= MAX_AUDITED_IDS;
  return {
    action: `${kind.plural}.${procedure}`,
    sandboxId,
    target: isListed ? { [`${kind.idField}s`]: recordIds } : { records: recordIds.length },
    after: { transaction_id: transactionId },
    ...(reason && { reason }),
  };
};
