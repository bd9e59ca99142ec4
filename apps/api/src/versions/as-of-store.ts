import type { HistoryOperation } from '@muster/contract';
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';
import { afterId } from '../catalogue/index.ts';

export type AsOf = { seq: number; issuedAt: Date | null };

export type AsOfRow = {
  record_id: string;
  version: number;
  version_id: string;
  operation: HistoryOperation;
  name: string;
  snapshot: string;
};

export type AsOfQuery = {
  sandboxId: string;
  kind: 'item' | 'xp';
  asOf: AsOf;
  /** The last id that was looked at; null at the start. */
  after: string | null;
  /** Pattern for a name that the record had by then, at that position or earlier. */
  pattern: string;
  limit: number;
};

export type AsOfStore = {
  /** The newest position at or before the moment or position, the head without either; null without a sandbox. */
  findPosition(
    sandboxId: string,
    moment: { at?: Date | undefined; seq?: number | undefined },
  ): Promise<AsOf | null>;
  /** Records as they were then, in the order of their ids; those that were deleted then are left out. */
  read(query: AsOfQuery): Promise<AsOfRow[]>;
};

export const createAsOfStore = ({ pool }: Pick<Database, 'pool'>): AsOfStore => ({
  async findPosition(sandboxId, { at, seq }) {
    const statement = { name: 'as_of_position', text: FIND_POSITION };
    const [row] = await runPrepared<AsOf>(pool, statement, [sandboxId, at ?? null, seq ?? null]);
    return row ?? null;
  },

  read: ({ sandboxId, kind, asOf, after, pattern, limit }) => {
    const name = after === null ? 'as_of_first_records' : 'as_of_records';
    const position = [asOf.seq, asOf.issuedAt];
    const start = after === null ? [] : [after];
    const values = [sandboxId, kind, ...position, pattern, limit, ...start];
    return runPrepared<AsOfRow>(pool, { name, text: recordStatement(after) }, values);
  },
});

/** $1 sandbox, $2 moment, $3 position. Times never run against positions: the newest by time is the newest. */
const FIND_POSITION = `SELECT COALESCE(v.seq, 0)::bigint AS seq, v.issued_at AS "issuedAt"
FROM sandbox s LEFT JOIN LATERAL (
  (SELECT t.seq, t.issued_at FROM catalogue_version t WHERE $2::timestamptz IS NOT NULL
    AND t.sandbox_id = s.sandbox_id AND t.issued_at <= $2 ORDER BY t.issued_at DESC, t.seq DESC LIMIT 1)
  UNION ALL
  (SELECT p.seq, p.issued_at FROM catalogue_version p WHERE $2::timestamptz IS NULL
    AND p.sandbox_id = s.sandbox_id AND p.seq = LEAST(s.head_seq, COALESCE($3::bigint, s.head_seq)))
) v ON true
WHERE s.sandbox_id = $1::uuid`;

/**
 * $1 sandbox, $2 kind, $3 position, $4 its time, $5 pattern, $6 limit; then the last id. Of each record one index entry is
 * read; records that came later are passed by their time, without looking for versions that they do not have.
 */
export const recordStatement = (
  after: string | null,
): string => `SELECT r.record_id, v.version, v.version_id, v.operation, v.version_name AS name, v.snapshot
FROM catalogue_record r CROSS JOIN LATERAL (
  SELECT * FROM catalogue_version v WHERE v.sandbox_id = $1::uuid AND v.kind = $2 AND v.record_id = r.record_id
    AND v.seq <= $3::bigint ORDER BY v.seq DESC LIMIT 1
) v
WHERE r.sandbox_id = $1::uuid AND r.kind = $2 ${afterId('r.record_id', '$7', after)} AND r.created_at <= $4::timestamptz
  AND v.operation <> 'delete'
  AND ($5 = '%%' OR r.record_id IN (SELECT n.record_id FROM catalogue_name n WHERE n.sandbox_id = $1::uuid
    AND n.kind = $2 AND n.folded_name LIKE $5 AND n.first_seq <= $3))
ORDER BY r.record_id LIMIT $6::int`;
