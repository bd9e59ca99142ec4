// Reads the records of an edit that is to be undone, within the transaction of a change set.
import type { Prisma } from '@muster/database';
import type { EditedRecord, SetOperation } from './change-set-rules.ts';

/** The versions of an edit, and the records that it wrote. */
type EditRange = { firstSeq: number; lastSeq: number };

export type EditedReads = {
  /** Null when the sandbox has no such edit. */
  findEdit(transactionId: string): Promise<EditRange | null>;
  /** By the last version of each record, the last one first, before this position. */
  readEdited(
    edit: EditRange,
    beforeSeq: number,
    limit: number,
  ): Promise<(EditedRecord & { seq: number; name: string })[]>;
};

export const createEditedReads = (
  transaction: Prisma.TransactionClient,
  sandboxId: string,
): EditedReads => ({
  async findEdit(transactionId) {
    const { _min, _max } = await transaction.catalogueVersion.aggregate({
      where: { sandboxId, transactionId },
      _min: { seq: true },
      _max: { seq: true },
    });
    if (_min.seq === null || _max.seq === null) return null;
    return { firstSeq: Number(_min.seq), lastSeq: Number(_max.seq) };
  },

  async readEdited({ firstSeq, lastSeq }, beforeSeq, limit) {
    const rows = await transaction.$queryRawUnsafe<EditedRow[]>(
      READ_EDITED,
      sandboxId,
      firstSeq,
      lastSeq,
      beforeSeq,
      limit,
    );
    return rows.map(({ kind, recordId, seq, name, ...row }) => ({
      kind,
      recordId,
      seq: Number(seq),
      name,
      before:
        row.beforeVersionId === null || row.beforeSnapshot === null
          ? null
          : {
              versionId: row.beforeVersionId,
              deleted: row.beforeOperation === 'delete',
              snapshot: row.beforeSnapshot,
            },
      after: {
        version: Number(row.version),
        deleted: row.operation === 'delete',
        snapshot: row.snapshot,
      },
    }));
  },
});

type EditedRow = {
  kind: SetOperation['kind'];
  recordId: string;
  seq: bigint;
  name: string;
  version: bigint;
  operation: string;
  snapshot: string;
  beforeVersionId: string | null;
  beforeOperation: string | null;
  beforeSnapshot: string | null;
};

/**
 * $1 sandbox, $2 first and $3 last position, $4 position, $5 limit. The last version of each record in the edit, with
 * the version before the edit.
 */
const READ_EDITED = `SELECT v.kind, v.record_id AS "recordId", v.seq, v.version_name AS name, v.version, v.operation,
  v.snapshot, p.version_id AS "beforeVersionId", p.operation AS "beforeOperation", p.snapshot AS "beforeSnapshot"
FROM catalogue_version v
LEFT JOIN LATERAL (SELECT b.version_id, b.operation, b.snapshot FROM catalogue_version b
  WHERE b.sandbox_id = $1::uuid AND b.kind = v.kind AND b.record_id = v.record_id AND b.seq < $2::bigint
  ORDER BY b.seq DESC LIMIT 1) p ON true
WHERE v.sandbox_id = $1::uuid AND v.seq BETWEEN $2::bigint AND $3::bigint AND v.seq < $4::bigint
  AND NOT EXISTS (SELECT FROM catalogue_version n WHERE n.sandbox_id = $1::uuid AND n.kind = v.kind
    AND n.record_id = v.record_id AND n.seq > v.seq AND n.seq <= $3::bigint)
ORDER BY v.seq DESC LIMIT $5::int`;
