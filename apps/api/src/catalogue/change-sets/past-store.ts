// Reads the records of a sandbox that differ from how they were at a position, within the transaction of a change set.

import { FIND_POSITION } from '../history/version-sql.ts';
import { afterId } from '../pagination.ts';
import type { RecordKind } from '../records/record.ts';

/** A record that existed at a position, and as it is now. */
export type PastRecord = {
  recordId: string;
  name: string;
  old: { versionId: string; snapshot: string };
  now: { version: number; deleted: boolean; snapshot: string };
};

export type PastQuery = {
  kind: RecordKind['kind'];
  moment: Moment;
  /** A pattern for a name that the record had at that position or earlier. */
  pattern: string;
  recordIds: readonly string[] | undefined;
  /** The last id that was read; null at the start. */
  after: string | null;
  limit: number;
};

type Moment = { seq: number; issuedAt: Date };

export type PastReads = {
  /** The newest position at or before the time; null before the first one. */
  findMoment(at: Date): Promise<Moment | null>;
  /** Sorted by id: only records that existed then and have a version since. */
  readPast(query: PastQuery): Promise<PastRecord[]>;
};

/** Runs a statement whose first value is the sandbox. */
type Read = <Row>(statement: string, ...values: unknown[]) => Promise<Row[]>;

export const createPastReads = (read: Read): PastReads => ({
  async findMoment(at) {
    type Row = { seq: bigint; issuedAt: Date | null };
    const [found] = await read<Row>(FIND_POSITION, at, null);
    return found?.issuedAt ? { seq: Number(found.seq), issuedAt: found.issuedAt } : null;
  },

  async readPast({ kind, moment, pattern, recordIds = null, after, limit }) {
    const { seq, issuedAt } = moment;
    const values = [kind, seq, issuedAt, pattern, recordIds, limit];
    const rows = await read<PastRow>(
      readPast(after),
      ...values,
      ...(after === null ? [] : [after]),
    );
    return rows.map(({ recordId, name, versionId, snapshot, version, deleted, current }) => ({
      recordId,
      name,
      old: { versionId, snapshot },
      now: { version: Number(version), deleted, snapshot: current },
    }));
  },
});

type PastRow = {
  recordId: string;
  name: string;
  versionId: string;
  snapshot: string;
  version: bigint;
  deleted: boolean;
  current: string;
};

/**
 * $1 sandbox, $2 kind, $3 position, $4 its time, $5 pattern, $6 ids or null, $7 limit; then the last id. Versions
 * are read only for records that changed after the position.
 */
const readPast = (
  after: string | null,
): string => `SELECT r.record_id AS "recordId", v.version_name AS name, v.version_id AS "versionId", v.snapshot,
  r.version, r.deleted, r.snapshot AS current
FROM catalogue_record r CROSS JOIN LATERAL (
  SELECT o.version_id, o.version_name, o.snapshot, o.operation FROM catalogue_version o
  WHERE o.sandbox_id = $1::uuid AND o.kind = $2 AND o.record_id = r.record_id AND o.seq <= $3::bigint
  ORDER BY o.seq DESC LIMIT 1
) v
WHERE r.sandbox_id = $1::uuid AND r.kind = $2 AND r.head_seq > $3::bigint AND r.created_at <= $4::timestamptz
  AND v.operation <> 'delete'
  AND ($5 = '%%' OR r.record_id IN (SELECT n.record_id FROM catalogue_name n WHERE n.sandbox_id = $1::uuid
    AND n.kind = $2 AND n.folded_name LIKE $5 AND n.first_seq <= $3::bigint))
  AND ($6::uuid[] IS NULL OR r.record_id = ANY ($6::uuid[]))
  ${afterId('r.record_id', '$8', after)}
ORDER BY r.record_id LIMIT $7::int`;
