// Reads and writes change sets and their operations.
import type { Database, Prisma } from '@muster/database';
import { isStatementCancelled } from '@muster/database';
import type { FailedStep } from '../../events/index.ts';
import { announceChangeSet } from '../../events/index.ts';
import type { Actor, AuditEntry } from '../../platform/index.ts';
import { appendAudit, ServiceError } from '../../platform/index.ts';
import type { RecordState } from '../edits/edit-rules.ts';
import type { MappedColumns } from '../import-export/file-columns.ts';
import type { RecordFilter } from '../lists/record-list-query.ts';
import { findMatchingIds, findRecords } from '../records/record-store.ts';
import type { OpenSandbox } from '../sandboxes/sandbox-rules.ts';
import type { ReviewAccess } from './change-set-review-store.ts';
import { createReviewAccess } from './change-set-review-store.ts';
import type { ChangeSetState, SetOperation } from './change-set-rules.ts';
import type { EditedReads } from './edited-store.ts';
import { createEditedReads } from './edited-store.ts';
import type { PastReads } from './past-store.ts';
import { createPastReads } from './past-store.ts';

export type ChangeSetRow = Omit<Prisma.ChangeSetGetPayload<object>, 'state'> & {
  state: ChangeSetState;
};
export type NewChangeSet = Pick<
  ChangeSetRow,
  'changeSetId' | 'title' | 'reason' | 'authorId' | 'createdAt' | 'revertsTransactionId'
> &
  Partial<Pick<ChangeSetRow, 'checksSchemas' | 'isGuarded'>>;
type ChangedMembers = Partial<
  Omit<ChangeSetRow, 'sandboxId' | 'changeSetId' | 'revision' | 'updatedAt'>
>;

export type PlacedOperation = SetOperation & { position: number };
type NamedRecord = { kind: SetOperation['kind']; recordId: string };

/** The change sets of one sandbox within one transaction. */
export type ChangeSetAccess = PastReads &
  EditedReads & {
    /** Null when the id is taken. */
    create(set: NewChangeSet): Promise<ChangeSetRow | null>;
    find(changeSetId: string): Promise<ChangeSetRow | null>;
    /** Locks it until the transaction ends. Errors: sandbox_busy, when another transaction holds the lock for too long. */
    lock(changeSetId: string): Promise<ChangeSetRow | null>;
    /** Increases the revision. */
    change(changeSetId: string, members: ChangedMembers, now: Date): Promise<ChangeSetRow>;
    /** After the others; an operation for the same record is replaced. Each record once. */
    putOperations(changeSetId: string, operations: readonly SetOperation[]): Promise<void>;
    removeOperations(changeSetId: string, records: readonly NamedRecord[]): Promise<void>;
    /** Those that could not be computed. */
    removeProblems(changeSetId: string): Promise<void>;
    countOperations(changeSetId: string): Promise<number>;
    clearOperations(changeSetId: string): Promise<void>;
    /** A set without operations and comments. */
    remove(changeSetId: string): Promise<void>;
    /** The ids of the records that a list shows, in the order of their names; one more than a set can have for too many. */
    findMatching(filter: RecordFilter): Promise<string[]>;
    /** Including deleted ones; of this sandbox, or of another one. */
    findRecords(
      kind: SetOperation['kind'],
      recordIds: string[],
      otherSandboxId?: string,
    ): Promise<RecordState[]>;
    /** In a protected sandbox: true for a set that is guarded, and for one that deletes records. */
    needsAuthority(set: Pick<ChangeSetRow, 'changeSetId' | 'isGuarded'>): Promise<boolean>;
    /** Restores included. */
    hasCreates(changeSetId: string): Promise<boolean>;
    /** The columns of a file, for the next import of the kind. The transaction holds the lock of the sandbox. */
    saveImportColumns(kind: SetOperation['kind'], columns: MappedColumns): Promise<void>;
    /** In order, after this position. */
    readOperations(changeSetId: string, after: number, limit: number): Promise<PlacedOperation[]>;
    /** The snapshots of versions by their number within the record. */
    findNumbered(
      kind: SetOperation['kind'],
      versions: readonly { recordId: string; version: number }[],
    ): Promise<{ recordId: string; snapshot: string }[]>;
    /** The sets that these changes make reverted, or applied again. */
    markReverted(
      set: Pick<ChangeSetRow, 'changeSetId' | 'revertsTransactionId'>,
      now: Date,
    ): Promise<void>;
    /** Adds the event of an applied set, or of a failed step, to the feed. */
    announce(actor: Actor, set: ChangeSetRow, now: Date, failure?: FailedStep): Promise<void>;
    audit(actor: Actor, entry: AuditEntry, now: Date): Promise<void>;
    review: ReviewAccess;
  };

export type ChangeSetStore = {
  /** Errors: sandbox_not_found, also for a deleted one. */
  inTransaction<T>(
    sandboxId: string,
    work: (
      access: ChangeSetAccess,
      sandbox: OpenSandbox,
      transaction: Prisma.TransactionClient,
    ) => Promise<T>,
    options?: { timeout?: number; isolationLevel?: 'RepeatableRead' },
  ): Promise<T>;
  /** The last updated first. `after` is the last one of the page before. */
  list(query: {
    sandboxId: string;
    state: ChangeSetState | undefined;
    needsAttention: boolean | undefined;
    after: { updatedAt: Date; changeSetId: string } | null;
    limit: number;
  }): Promise<ChangeSetRow[]>;
};

export const createChangeSetStore = ({ prisma }: Pick<Database, 'prisma'>): ChangeSetStore => ({
  inTransaction: (sandboxId, work, options) =>
    prisma.$transaction(async (transaction) => {
      const where = { sandboxId, deletedAt: null };
      const sandbox = await transaction.sandbox.findUnique({
        where,
        select: { name: true, protected: true, archivedAt: true, requiredApprovals: true },
      });
      if (!sandbox) throw new ServiceError('sandbox_not_found');
      const access = createChangeSetAccess(transaction, sandboxId);
      const { archivedAt, ...state } = sandbox;
      return work(access, { ...state, archived: archivedAt !== null }, transaction);
    }, options),

  list: async ({ sandboxId, state, needsAttention, after, limit }) =>
    (await prisma.changeSet.findMany({
      where: {
        sandboxId,
        ...(state !== undefined && { state }),
        ...(needsAttention !== undefined && { needsAttention }),
        ...(after && {
          OR: [
            { updatedAt: { lt: after.updatedAt } },
            { updatedAt: after.updatedAt, changeSetId: { lt: after.changeSetId } },
          ],
        }),
      },
      orderBy: [{ updatedAt: 'desc' }, { changeSetId: 'desc' }],
      take: limit,
    })) as ChangeSetRow[],
});

export const createChangeSetAccess = (
  transaction: Prisma.TransactionClient,
  sandboxId: string,
): ChangeSetAccess => {
  const run = (statement: string, ...values: unknown[]) =>
    transaction.$executeRawUnsafe(statement, sandboxId, ...values);
  const read = <Row>(statement: string, ...values: unknown[]) =>
    transaction.$queryRawUnsafe<Row[]>(statement, sandboxId, ...values);
  const find = async (changeSetId: string) => {
    const where = { sandboxId_changeSetId: { sandboxId, changeSetId } };
    return (await transaction.changeSet.findUnique({ where })) as ChangeSetRow | null;
  };
  const markReverted: ChangeSetAccess['markReverted'] = async (set, now) => {
    const { changeSetId, revertsTransactionId } = set;
    if (revertsTransactionId === null) return;
    const where = { sandboxId, appliedTransactionId: revertsTransactionId };
    const undone = await transaction.changeSet.findFirst({ where });
    if (!undone) return;
    const ofThis = { revision: { increment: 1 }, updatedAt: now };
    const again = { sandboxId, revertedBySetId: undone.changeSetId };
    const reinstated = await transaction.changeSet.findMany({ where: again });
    await transaction.changeSet.updateMany({
      where: again,
      data: { ...ofThis, state: 'applied', revertedBySetId: null },
    });
    await transaction.changeSet.updateMany({
      where: { sandboxId, changeSetId: undone.changeSetId },
      data: {
        ...ofThis,
        state: 'reverted',
        revertedBySetId: changeSetId,
        nextStepAt: null,
        needsAttention: false,
      },
    });
    // A set that is in effect again may be a revert itself.
    for (const each of reinstated) await markReverted(each, now);
  };
  return {
    ...createPastReads(read),
    ...createEditedReads(transaction, sandboxId),
    find,

    async create(set) {
      const data = { ...set, sandboxId, state: 'draft', updatedAt: set.createdAt };
      const { count } = await transaction.changeSet.createMany({ data, skipDuplicates: true });
      return count === 0 ? null : find(set.changeSetId);
    },

    async lock(changeSetId) {
      try {
        await read(LOCK, changeSetId);
      } catch (error) {
        // Another transaction holds the lock for too long.
        throw isStatementCancelled(error)
          ? new ServiceError('sandbox_busy', { cause: error })
          : error;
      }
      return find(changeSetId);
    },

    change: async (changeSetId, members, now) =>
      (await transaction.changeSet.update({
        where: { sandboxId_changeSetId: { sandboxId, changeSetId } },
        data: { ...members, revision: { increment: 1 }, updatedAt: now },
      })) as ChangeSetRow,

    async putOperations(changeSetId, operations) {
      const where = { sandboxId, changeSetId };
      const { _max } = await transaction.changeSetOperation.aggregate({
        where,
        _max: { position: true },
      });
      const first = (_max.position ?? -1) + 1;
      const rows = operations.map((operation, index) => ({
        position: first + index,
        kind: operation.kind,
        record_id: operation.recordId,
        operation: operation.operation,
        base_version: operation.baseVersion,
        // As text, so that the database keeps the order of keys.
        fields: operation.fields && JSON.stringify(operation.fields),
        version_id: operation.versionId,
        problem: operation.problem ?? null,
      }));
      await run(PUT_OPERATIONS, changeSetId, JSON.stringify(rows));
    },

    async removeOperations(changeSetId, records) {
      const kinds = records.map(({ kind }) => kind);
      const ids = records.map(({ recordId }) => recordId);
      await run(REMOVE_OPERATIONS, changeSetId, kinds, ids);
    },

    countOperations: (changeSetId) =>
      transaction.changeSetOperation.count({ where: { sandboxId, changeSetId } }),

    async clearOperations(changeSetId) {
      await transaction.changeSetOperation.deleteMany({ where: { sandboxId, changeSetId } });
    },

    async removeProblems(changeSetId) {
      const where = { sandboxId, changeSetId, problem: { not: null } };
      await transaction.changeSetOperation.deleteMany({ where });
    },

    async remove(changeSetId) {
      await transaction.changeSet.deleteMany({ where: { sandboxId, changeSetId } });
    },

    findMatching: (filter) => findMatchingIds(transaction, filter),

    findRecords: (kind, recordIds, ofSandbox = sandboxId) =>
      findRecords(transaction, [ofSandbox, kind, recordIds, []]),

    async needsAuthority({ changeSetId, isGuarded }) {
      if (isGuarded) return true;
      const where = { sandboxId, changeSetId, operation: 'delete' };
      return (await transaction.changeSetOperation.findFirst({ where })) !== null;
    },

    async hasCreates(changeSetId) {
      const where = { sandboxId, changeSetId, operation: { in: ['create', 'restore'] } };
      return (await transaction.changeSetOperation.findFirst({ where })) !== null;
    },

    async saveImportColumns(kind, columns) {
      await run(SAVE_IMPORT_COLUMNS, kind, JSON.stringify(columns));
    },

    async readOperations(changeSetId, after, limit) {
      const rows = await transaction.changeSetOperation.findMany({
        where: { sandboxId, changeSetId, position: { gt: after } },
        orderBy: { position: 'asc' },
        take: limit,
      });
      return rows.map(
        (row) =>
          ({
            ...row,
            baseVersion: row.baseVersion === null ? null : Number(row.baseVersion),
          }) as PlacedOperation,
      );
    },

    async findNumbered(kind, versions) {
      if (versions.length === 0) return [];
      const ids = versions.map(({ recordId }) => recordId);
      const numbers = versions.map(({ version }) => version);
      return read(FIND_NUMBERED, kind, ids, numbers);
    },

    markReverted,

    announce: ({ accountId }, { changeSetId, appliedTransactionId: transactionId }, at, failure) =>
      announceChangeSet(transaction, {
        sandboxId,
        changeSetId,
        accountId,
        at,
        ...(failure ? { failure } : { transactionId }),
      }),

    audit: (actor, entry, now) => appendAudit(transaction, actor, { ...entry, sandboxId }, now),
    review: createReviewAccess(transaction, sandboxId),
  };
};

/** $1 sandbox, $2 change set. NO KEY, so that operations that refer to it can be added. */
const LOCK = `SELECT 1 AS locked FROM change_set WHERE sandbox_id = $1::uuid AND change_set_id = $2::uuid FOR NO KEY UPDATE`;

/** $1 sandbox, $2 change set, $3 rows. */
const PUT_OPERATIONS = `INSERT INTO change_set_operation (sandbox_id, change_set_id, position, kind, record_id, operation,
  base_version, fields, version_id, problem)
SELECT $1::uuid, $2::uuid, o.position, o.kind, o.record_id, o.operation, o.base_version, o.fields::json, o.version_id,
  o.problem
FROM json_to_recordset($3::json) AS o (position int, kind text, record_id uuid, operation text, base_version bigint,
  fields text, version_id uuid, problem text)
ON CONFLICT (sandbox_id, change_set_id, kind, record_id) DO UPDATE SET operation = excluded.operation,
  base_version = excluded.base_version, fields = excluded.fields, version_id = excluded.version_id,
  problem = excluded.problem`;

/** $1 sandbox, $2 change set, $3 kinds, $4 ids. */
const REMOVE_OPERATIONS = `DELETE FROM change_set_operation WHERE sandbox_id = $1::uuid AND change_set_id = $2::uuid
  AND (kind, record_id) IN (SELECT * FROM unnest($3::text[], $4::uuid[]))`;

/** $1 sandbox, $2 kind, $3 columns. */
const SAVE_IMPORT_COLUMNS = `UPDATE sandbox SET import_columns = jsonb_set(import_columns, ARRAY[$2::text], $3::jsonb)
WHERE sandbox_id = $1::uuid AND import_columns -> $2::text IS DISTINCT FROM $3::jsonb`;

/** $1 sandbox, $2 kind, $3 ids, $4 numbers. From the newest on, so that it reads the versions since the number. */
const FIND_NUMBERED = `SELECT n.record_id AS "recordId", v.snapshot
FROM unnest($3::uuid[], $4::bigint[]) AS n(record_id, version)
CROSS JOIN LATERAL (SELECT b.snapshot FROM catalogue_version b WHERE b.sandbox_id = $1::uuid AND b.kind = $2
  AND b.record_id = n.record_id AND b.version = n.version ORDER BY b.seq DESC LIMIT 1) v`;
