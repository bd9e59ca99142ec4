// Reads which Items refer to which Xp table, inside the transaction that holds the lock of a sandbox, so that nothing
// changes.
import type { Prisma } from '@muster/database';
import { hasRoom, PAGE_BYTES } from './pagination.ts';

export type ReferenceStore = {
  /** Those of these Xp tables that the sandbox has or had. */
  findTables(xpIds: string[]): Promise<{ xpId: string; name: string; deleted: boolean }[]>;
  /**
   * Xp tables of another sandbox as of a position of its history, which later writes do not change. The snapshot is
   * null when it does not fit.
   */
  findTablesAt(
    sandboxId: string,
    xpIds: string[],
    seq: number,
  ): Promise<{ recordId: string; name: string; deleted: boolean; snapshot: string | null }[]>;
  /** Undeleted Items that refer to one of these Xp tables: the first ones by id for each table. */
  findReferring(
    xpIds: string[],
    limitPerTable: number,
  ): Promise<{ xpId: string; itemId: string; name: string }[]>;
};

export const createReferenceStore = (
  transaction: Pick<Prisma.TransactionClient, '$queryRawUnsafe'>,
  sandboxId: string,
): ReferenceStore => ({
  findTables: (xpIds) => transaction.$queryRawUnsafe(FIND_TABLES, sandboxId, xpIds),
  findTablesAt: (otherId, xpIds, seq) =>
    transaction.$queryRawUnsafe(FIND_TABLES_AT, otherId, xpIds, seq),
  findReferring: (xpIds, limit) =>
    transaction.$queryRawUnsafe(FIND_REFERRING, sandboxId, xpIds, limit),
});

/** $1 sandbox, $2 ids. */
const FIND_TABLES = `SELECT r.record_id AS "xpId", r.name, r.deleted FROM catalogue_record r
WHERE r.sandbox_id = $1::uuid AND r.kind = 'xp' AND r.record_id = ANY ($2::uuid[])`;

/** A response also contains the records that refer to them. */
const TABLE_BYTES = PAGE_BYTES / 2;

/** $1 sandbox, $2 ids, $3 position. */
const FIND_TABLES_AT = `SELECT v.record_id AS "recordId", v.version_name AS name, v.operation = 'delete' AS deleted,
  CASE WHEN ${hasRoom('octet_length(v.snapshot)', 'v.record_id', TABLE_BYTES)} THEN v.snapshot END AS snapshot
FROM unnest($2::uuid[]) AS x(xp_id)
CROSS JOIN LATERAL (SELECT * FROM catalogue_version n
  WHERE n.sandbox_id = $1::uuid AND n.kind = 'xp' AND n.record_id = x.xp_id AND n.seq <= $3::bigint
  ORDER BY n.seq DESC LIMIT 1) v`;

/** $1 sandbox, $2 ids, $3 limit per table. Walks the index of Items by their Xp table up to the limit. */
export const FIND_REFERRING = `SELECT x.xp_id AS "xpId", i.record_id AS "itemId", i.name
FROM unnest($2::uuid[]) AS x(xp_id)
CROSS JOIN LATERAL (SELECT r.record_id, r.name FROM catalogue_record r
  WHERE r.sandbox_id = $1::uuid AND r.kind = 'item' AND NOT r.deleted
    AND r.snapshot::jsonb ->> 'level_xp_table_id' = x.xp_id::text
  ORDER BY r.record_id LIMIT $3::int) i
ORDER BY x.xp_id, i.record_id`;
