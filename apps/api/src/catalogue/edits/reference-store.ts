// Reads which Items refer to which Xp table, within a transaction that reads or writes a sandbox.
import type { Prisma } from '@muster/database';

export type ReferenceStore = {
  /** Those of these Xp tables that the sandbox has or had. */
  findTables(xpIds: string[]): Promise<{ xpId: string; name: string; deleted: boolean }[]>;
  /** Those of these Xp tables that a change set creates or restores. */
  findAdded(changeSetId: string, xpIds: string[]): Promise<{ xpId: string }[]>;
  /** Those of these Xp tables that Items would still use: undeleted Items that the set neither deletes nor moves to another table. */
  findReferring(changeSetId: string, xpIds: string[]): Promise<{ xpId: string; name: string }[]>;
};

export const createReferenceStore = (
  transaction: Pick<Prisma.TransactionClient, '$queryRawUnsafe'>,
  sandboxId: string,
): ReferenceStore => ({
  findTables: (xpIds) => transaction.$queryRawUnsafe(FIND_TABLES, sandboxId, xpIds),
  findAdded: (changeSetId, xpIds) =>
    transaction.$queryRawUnsafe(FIND_ADDED, sandboxId, changeSetId, xpIds),
  findReferring: (changeSetId, xpIds) =>
    transaction.$queryRawUnsafe(FIND_REFERRING, sandboxId, changeSetId, xpIds),
});

/** $1 sandbox, $2 ids. */
const FIND_TABLES = `SELECT r.record_id AS "xpId", r.name, r.deleted FROM catalogue_record r
WHERE r.sandbox_id = $1::uuid AND r.kind = 'xp' AND r.record_id = ANY ($2::uuid[])`;

/** $1 sandbox, $2 change set, $3 ids. */
const FIND_ADDED = `SELECT o.record_id AS "xpId" FROM change_set_operation o
WHERE o.sandbox_id = $1::uuid AND o.change_set_id = $2::uuid AND o.kind = 'xp'
  AND o.operation IN ('create', 'restore') AND o.record_id = ANY ($3::uuid[])`;

/** $1 sandbox, $2 change set, $3 ids. Walks the index of Items by their Xp table up to the first one. */
export const FIND_REFERRING = `SELECT x.xp_id AS "xpId", i.name FROM unnest($3::uuid[]) AS x(xp_id)
CROSS JOIN LATERAL (SELECT r.name FROM catalogue_record r
  WHERE r.sandbox_id = $1::uuid AND r.kind = 'item' AND NOT r.deleted
    AND r.snapshot::jsonb ->> 'level_xp_table_id' = x.xp_id::text
    AND NOT EXISTS (SELECT FROM change_set_operation o WHERE o.sandbox_id = $1::uuid AND o.change_set_id = $2::uuid
      AND o.kind = 'item' AND o.record_id = r.record_id
      AND (o.operation = 'delete' OR o.fields -> 'level_xp_table_id' IS NOT NULL))
  ORDER BY r.record_id LIMIT 1) i`;
