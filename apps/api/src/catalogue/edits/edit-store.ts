// Reads edits: the versions that one transaction wrote. Their positions are consecutive, since the sandbox is locked
// while it writes, so an edit is a range of positions.
import type { HistoryOperation } from '@muster/contract';
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';

/** The versions of an edit with this kind and operation, as the number of their records. */
type EditCount = { kind: 'item' | 'xp'; operation: HistoryOperation; records: number };

export type EditRow = {
  transactionId: string;
  firstSeq: number;
  lastSeq: number;
  /** Of the last version, like the members up to the record. */
  issuedAt: Date;
  accountId: string;
  reason: string | null;
  name: string;
  recordId: string;
  isOfOneRecord: boolean;
  counts: EditCount[];
  /** The changed fields of all its versions, sorted. */
  changedFields: string[];
  /** The change set that wrote it. */
  changeSetId: string | null;
  title: string | null;
  revertedBy: string | null;
};

/** A page ends early once its edits have this many versions together, since each version is counted. */
export const MAX_PAGE_VERSIONS = 10_000;

export type EditStore = {
  /** Null when there is no such sandbox, or it is deleted. */
  findHead(sandboxId: string): Promise<number | null>;
  /** Newest first, beginning with the edit whose last version has this position. */
  list(sandboxId: string, lastSeq: number, limit: number): Promise<EditRow[]>;
};

export const createEditStore = ({
  pool,
  prisma,
}: Pick<Database, 'pool' | 'prisma'>): EditStore => ({
  async findHead(sandboxId) {
    const where = { sandboxId, deletedAt: null };
    const found = await prisma.sandbox.findUnique({ where, select: { headSeq: true } });
    return found && Number(found.headSeq);
  },

  list: (sandboxId, lastSeq, limit) =>
    runPrepared<EditRow>(pool, { name: 'list_edits', text: LIST_EDITS }, [
      sandboxId,
      lastSeq,
      limit,
      MAX_PAGE_VERSIONS,
    ]),
});

/**
 * The first position of the edit of `v`. Compared and sorted as a row, which only the index of transactions supports:
 * by position alone, the planner may walk the history from its beginning.
 */
const FIRST_SEQ = `CROSS JOIN LATERAL (SELECT f.seq AS first_seq FROM catalogue_version f
  WHERE f.sandbox_id = $1::uuid AND (f.transaction_id, f.seq) >= (v.transaction_id, 0)
  ORDER BY f.transaction_id, f.seq LIMIT 1) f`;

const IN_EDIT = 'v.sandbox_id = $1::uuid AND v.seq BETWEEN e.first_seq AND e.last_seq';

/**
 * $1 sandbox, $2 position, $3 limit, $4 versions. Two index entries lead from an edit to the one before it; only the
 * versions of the returned edits are read, and never their snapshots.
 */
export const LIST_EDITS = `WITH RECURSIVE edit AS (
  SELECT v.seq AS last_seq, f.first_seq, 1 AS position, v.seq - f.first_seq + 1 AS versions
  FROM catalogue_version v ${FIRST_SEQ} WHERE v.sandbox_id = $1::uuid AND v.seq = $2::bigint
  UNION ALL
  SELECT v.seq, f.first_seq, e.position + 1, e.versions + v.seq - f.first_seq + 1
  FROM edit e JOIN catalogue_version v ON v.sandbox_id = $1::uuid AND v.seq = e.first_seq - 1 ${FIRST_SEQ}
  WHERE e.position < $3::int AND e.versions < $4::bigint
)
SELECT e.first_seq AS "firstSeq", e.last_seq AS "lastSeq", l.transaction_id AS "transactionId",
  l.issued_at AS "issuedAt", l.account_id AS "accountId", l.reason, l.version_name AS name, l.record_id AS "recordId",
  NOT EXISTS (SELECT FROM catalogue_version v WHERE ${IN_EDIT}
    AND (v.kind, v.record_id) <> (l.kind, l.record_id)) AS "isOfOneRecord",
  c.counts, COALESCE(d.fields, '{}') AS "changedFields", s.change_set_id AS "changeSetId", s.title,
  (SELECT r.applied_transaction_id FROM change_set r WHERE r.sandbox_id = $1::uuid
    AND r.reverts_transaction_id = l.transaction_id AND r.state = 'applied' AND r.applied_transaction_id IS NOT NULL
    ORDER BY r.applied_at DESC LIMIT 1) AS "revertedBy"
FROM edit e
JOIN catalogue_version l ON l.sandbox_id = $1::uuid AND l.seq = e.last_seq
LEFT JOIN change_set s ON s.sandbox_id = $1::uuid AND s.applied_transaction_id = l.transaction_id
CROSS JOIN LATERAL (SELECT json_agg(g ORDER BY g.kind, g.operation) AS counts FROM (
  SELECT v.kind, v.operation, count(DISTINCT v.record_id) AS records FROM catalogue_version v
  WHERE ${IN_EDIT} GROUP BY v.kind, v.operation) g) c
CROSS JOIN LATERAL (SELECT array_agg(DISTINCT field ORDER BY field) AS fields FROM (
  SELECT DISTINCT v.changed_fields FROM catalogue_version v WHERE ${IN_EDIT}) g, unnest(g.changed_fields) field) d
ORDER BY e.last_seq DESC`;
