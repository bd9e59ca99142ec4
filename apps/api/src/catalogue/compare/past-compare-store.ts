// Compares a sandbox with itself at an earlier position. Only records with a later version can differ.
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';
import type { AsOf } from '../history/history-store.ts';
import { FIND_POSITION } from '../history/version-sql.ts';
import { afterId, hasRoom } from '../pagination.ts';
import type { ComparedRow, Difference, StatusCounts } from './compare-store.ts';
import { COMPARED_BYTES, NO_COUNTS } from './compare-store.ts';

/** The source is the sandbox at that position, the target the sandbox now. */
export type PastPair = { sandboxId: string; kind: 'item' | 'xp'; moment: AsOf };

export type PastCompareStore = {
  /** The newest position at or before the time; null without a sandbox. */
  findMoment(sandboxId: string, at: Date): Promise<AsOf | null>;
  countStatuses(pair: PastPair): Promise<StatusCounts>;
  /** Records that differ, sorted by id. */
  readPage(
    pair: PastPair,
    status: Difference | undefined,
    after: string | null,
    limit: number,
  ): Promise<ComparedRow[]>;
};

export const createPastCompareStore = ({ pool }: Pick<Database, 'pool'>): PastCompareStore => {
  /** Unnamed, so that it is planned for its values. */
  const run = <Row>(text: string, values: unknown[]) =>
    runPrepared<Row>(pool, { name: '', text }, values);
  const toValues = ({ sandboxId, kind, moment }: PastPair) => [
    sandboxId,
    kind,
    moment.seq,
    moment.issuedAt,
  ];
  return {
    async findMoment(sandboxId, at) {
      const [found] = await run<AsOf>(FIND_POSITION, [sandboxId, at, null]);
      return found ?? null;
    },

    async countStatuses(pair) {
      type Row = { status: keyof StatusCounts; count: number };
      const rows = await run<Row>(COUNT_STATUSES, toValues(pair));
      const counts = { ...NO_COUNTS };
      for (const { status, count } of rows) counts[status] += count;
      return counts;
    },

    readPage: (pair, status, after, limit) =>
      run<ComparedRow>(pageStatement(status, after), [
        ...toValues(pair),
        limit,
        ...(after === null ? [] : [after]),
      ]),
  };
};

// In all statements: $1 sandbox, $2 kind, $3 position, $4 its time.

/** Null for records that existed neither then nor now. */
const STATUS = `CASE WHEN source_snapshot IS NULL AND target_snapshot IS NULL THEN NULL
  WHEN source_snapshot IS NULL THEN 'only_target' WHEN target_snapshot IS NULL THEN 'only_source'
  WHEN target_snapshot = source_snapshot OR target_snapshot::jsonb = source_snapshot::jsonb THEN 'same'
  ELSE 'different' END`;

const changedSince = (after: string | null): string => `SELECT *, ${STATUS} AS status FROM (
  SELECT t.record_id, t.head_seq, CASE WHEN NOT t.deleted THEN t.snapshot END AS target_snapshot,
    CASE WHEN NOT t.deleted THEN t.version END AS target_version,
    s.snapshot AS source_snapshot, s.version AS source_version, s.version_id AS source_version_id
  FROM catalogue_record t LEFT JOIN LATERAL (
    SELECT o.snapshot, o.version, o.version_id, o.operation FROM catalogue_version o
    WHERE o.sandbox_id = $1::uuid AND o.kind = $2 AND o.record_id = t.record_id AND o.seq <= $3::bigint
    ORDER BY o.seq DESC LIMIT 1
  ) s ON s.operation <> 'delete' AND t.created_at <= $4::timestamptz
  WHERE t.sandbox_id = $1::uuid AND t.kind = $2 AND t.head_seq > $3::bigint ${afterId('t.record_id', '$6', after)}
) changed`;

const COUNT_STATUSES = `SELECT status, count(*) AS count FROM (${changedSince(null)}) compared
WHERE status IS NOT NULL GROUP BY status
UNION ALL
SELECT 'same', count(*) FROM catalogue_record r
WHERE r.sandbox_id = $1::uuid AND r.kind = $2 AND NOT r.deleted AND r.head_seq <= $3::bigint`;

/** $5 limit; then the last id. */
const pageStatement = (status: Difference | undefined, after: string | null): string => {
  const wanted = status === undefined ? `status <> 'same'` : `status = '${status}'`;
  const bytes =
    'COALESCE(octet_length(source_snapshot), 0) + COALESCE(octet_length(target_snapshot), 0)';
  return `SELECT record_id, status, fits, source_version, source_version_id, target_version,
  CASE WHEN target_version IS NOT NULL THEN v.version_id END AS target_version_id,
  CASE WHEN fits THEN source_snapshot END AS source_snapshot,
  CASE WHEN fits THEN target_snapshot END AS target_snapshot
FROM (SELECT *, ${hasRoom(bytes, 'record_id', COMPARED_BYTES)} AS fits FROM (
  SELECT * FROM (${changedSince(after)}) compared WHERE ${wanted} ORDER BY record_id LIMIT $5::int) page) sized
JOIN LATERAL (SELECT n.version_id FROM catalogue_version n
  WHERE n.sandbox_id = $1::uuid AND n.seq = sized.head_seq) v ON true
ORDER BY record_id`;
};
