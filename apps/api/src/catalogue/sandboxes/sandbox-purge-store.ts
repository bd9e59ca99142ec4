// The statements of the purge of deleted sandboxes.
import type { Database, Prisma } from '@muster/database';
import { runAlone, runPrepared } from '@muster/database';
import type { Actor } from '../../platform/index.ts';
import { appendAudit, SERVICE_ACCOUNT } from '../../platform/index.ts';
import { lockSandbox } from './sandbox-lock-store.ts';

/** An arbitrary number, the same in every process of the service. */
const PURGE_LOCK = '725346081267';

/**
 * Rows that refer to others are deleted first. By the primary key, so that a batch reads no more than it deletes: $1
 * the sandbox, $2 the number of rows.
 */
const DELETE_BATCH = {
  comments: `DELETE FROM change_set_comment WHERE sandbox_id = $1::uuid AND (change_set_id, comment_id) IN (
    SELECT change_set_id, comment_id FROM change_set_comment WHERE sandbox_id = $1::uuid
    ORDER BY change_set_id, comment_id LIMIT $2)
  RETURNING 1 AS deleted`,
  views: `DELETE FROM saved_view WHERE sandbox_id = $1::uuid AND view_id IN (
    SELECT view_id FROM saved_view WHERE sandbox_id = $1::uuid ORDER BY view_id LIMIT $2)
  RETURNING 1 AS deleted`,
  schemas: `DELETE FROM item_schema_version WHERE sandbox_id = $1::uuid AND (item_type, version) IN (
    SELECT item_type, version FROM item_schema_version WHERE sandbox_id = $1::uuid ORDER BY item_type, version LIMIT $2)
  RETURNING 1 AS deleted`,
  operations: `DELETE FROM change_set_operation WHERE sandbox_id = $1::uuid AND (change_set_id, position) IN (
    SELECT change_set_id, position FROM change_set_operation WHERE sandbox_id = $1::uuid
    ORDER BY change_set_id, position LIMIT $2)
  RETURNING 1 AS deleted`,
  changeSets: `DELETE FROM change_set WHERE sandbox_id = $1::uuid AND change_set_id IN (
    SELECT change_set_id FROM change_set WHERE sandbox_id = $1::uuid ORDER BY change_set_id LIMIT $2)
  RETURNING 1 AS deleted`,
  versions: `DELETE FROM catalogue_version WHERE sandbox_id = $1::uuid AND seq IN (
    SELECT seq FROM catalogue_version WHERE sandbox_id = $1::uuid ORDER BY seq LIMIT $2)
  RETURNING 1 AS deleted`,
  names: `DELETE FROM catalogue_name WHERE sandbox_id = $1::uuid AND (kind, record_id, folded_name) IN (
    SELECT kind, record_id, folded_name FROM catalogue_name WHERE sandbox_id = $1::uuid
    ORDER BY kind, record_id, folded_name LIMIT $2)
  RETURNING 1 AS deleted`,
  records: `DELETE FROM catalogue_record WHERE sandbox_id = $1::uuid AND (kind, record_id) IN (
    SELECT kind, record_id FROM catalogue_record WHERE sandbox_id = $1::uuid ORDER BY kind, record_id LIMIT $2)
  RETURNING 1 AS deleted`,
};
type Held = keyof typeof DELETE_BATCH;
const HELD: readonly Held[] = [
  'views',
  'schemas',
  'comments',
  'operations',
  'changeSets',
  'versions',
  'names',
  'records',
];

/** Histories show an empty sandbox at once, since their position and totals come from here. */
const EMPTY = { headSeq: 0n, headHash: null, itemVersions: 0n, xpVersions: 0n };

/** A started purge is always finished, even if the retention changes: its sandbox cannot be restored. */
const dueAt = (before: Date) => ({
  OR: [{ deletedAt: { lte: before } }, { purgeStartedAt: { not: null } }],
});

export type SandboxPurgeStore = ReturnType<typeof createSandboxPurgeStore>;

export const createSandboxPurgeStore = ({ pool, prisma }: Pick<Database, 'pool' | 'prisma'>) => ({
  /** The contents of a sandbox, in the order of deletion. */
  held: HELD,

  /** Those deleted at or before this time, and those whose purge was interrupted. */
  listDue: async (before: Date): Promise<string[]> => {
    const rows = await prisma.sandbox.findMany({
      where: dueAt(before),
      select: { sandboxId: true },
      orderBy: { deletedAt: 'asc' },
    });
    return rows.map(({ sandboxId }) => sandboxId);
  },

  /** From now on the sandbox cannot be restored; writes an audit record. Returns false when it was restored before. */
  begin: (sandboxId: string, before: Date, now: Date): Promise<boolean> =>
    prisma.$transaction(async (transaction) => {
      await lockSandbox(transaction, sandboxId);
      const found = await transaction.sandbox.findUnique({
        where: { sandboxId, ...dueAt(before) },
      });
      if (!found) return false;
      if (found.purgeStartedAt) return true;
      await startPurge(transaction, { accountId: SERVICE_ACCOUNT }, found, now);
      return true;
    }),

  /**
   * The same for a deleted sandbox before its retention has passed. `check` runs under the row lock. Returns false when there is
   * no deleted sandbox with this id.
   */
  beginNow: (
    actor: Actor,
    sandboxId: string,
    check: (found: { name: string }) => void,
    now: Date,
  ): Promise<boolean> =>
    prisma.$transaction(async (transaction) => {
      await lockSandbox(transaction, sandboxId);
      const where = { sandboxId, deletedAt: { not: null }, purgeStartedAt: null };
      const found = await transaction.sandbox.findUnique({ where });
      if (!found) return false;
      check(found);
      await startPurge(transaction, actor, found, now);
      return true;
    }),

  /** Deletes at most this many rows; returns the number. */
  deleteBatch: async (what: Held, sandboxId: string, limit: number): Promise<number> => {
    const statement = { name: `purge_${what}`, text: DELETE_BATCH[what] };
    return (await runPrepared(pool, statement, [sandboxId, limit])).length;
  },

  deleteSandbox: async (sandboxId: string): Promise<void> => {
    await prisma.sandbox.deleteMany({ where: { sandboxId } });
  },

  runAlone: (work: () => Promise<void>) => runAlone(pool, PURGE_LOCK, work),
});

type FoundSandbox = Prisma.SandboxGetPayload<object>;

/** Empties the histories of the sandbox and writes the audit record. */
const startPurge = async (
  transaction: Prisma.TransactionClient,
  actor: Actor,
  { sandboxId, name, headSeq, headHash }: FoundSandbox,
  now: Date,
): Promise<void> => {
  const data = { ...EMPTY, purgeStartedAt: now };
  await transaction.sandbox.update({ where: { sandboxId }, data });
  const hash = headHash && { head_hash: Buffer.from(headHash).toString('hex') };
  const entry = {
    action: 'sandboxes.purge',
    sandboxId,
    target: { sandbox_id: sandboxId },
    before: { name, head_seq: Number(headSeq), ...hash },
  };
  await appendAudit(transaction, actor, entry, now);
};
