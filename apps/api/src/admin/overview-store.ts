// The statements of the overview.
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';
import type { VersionSummary } from '../catalogue/index.ts';

export type SandboxCounts = {
  items: number;
  xp: number;
  /** Of both kinds; `items` and `xp` leave them out. */
  deleted: number;
};

type SandboxFacts = { headSeq: number; headHash: Buffer | null };

export type OverviewStore = ReturnType<typeof createOverviewStore>;

export const createOverviewStore = ({ pool }: Pick<Database, 'pool'>) => {
  const run = <Row>(name: string, text: string, values: unknown[]) =>
    runPrepared<Row>(pool, { name: `overview_${name}`, text }, values);
  return {
    async findSandbox(sandboxId: string): Promise<SandboxFacts | null> {
      const [facts] = await run<SandboxFacts>('sandbox', FIND_SANDBOX, [sandboxId]);
      return facts ?? null;
    },
    async countRecords(sandboxId: string): Promise<SandboxCounts> {
      const rows = await run<{ kind: 'items' | 'xp' | 'deleted'; count: number }>(
        'records',
        COUNT_RECORDS,
        [sandboxId],
      );
      const counts = Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
      return { items: 0, xp: 0, deleted: 0, ...counts };
    },
    /** Newest first. */
    listChanges: (sandboxId: string, limit: number) =>
      run<VersionSummary>('changes', LIST_CHANGES, [sandboxId, limit]),
    async countLiveSessions(): Promise<number> {
      const [row] = await run<{ count: number }>('sessions', COUNT_SESSIONS, []);
      return row?.count ?? 0;
    },
  };
};

const FIND_SANDBOX = `SELECT head_seq AS "headSeq", head_hash AS "headHash"
FROM sandbox WHERE sandbox_id = $1::uuid AND deleted_at IS NULL`;

/** Two counts that are index-only scans: of all records, and of the deleted ones. */
const COUNT_RECORDS = `WITH counted AS (
  SELECT kind, count(*) AS count FROM catalogue_record WHERE sandbox_id = $1::uuid GROUP BY kind
), gone AS (
  SELECT kind, count(*) AS count FROM catalogue_record WHERE sandbox_id = $1::uuid AND deleted GROUP BY kind
)
SELECT CASE c.kind WHEN 'item' THEN 'items' ELSE c.kind END AS kind, c.count - COALESCE(g.count, 0) AS count
FROM counted c LEFT JOIN gone g USING (kind)
UNION ALL
SELECT 'deleted', COALESCE(sum(count), 0)::bigint FROM gone`;

const LIST_CHANGES = `SELECT v.seq, v.version_id, previous.version_id AS previous_version_id, v.transaction_id, v.kind,
  v.record_id, v.version, v.operation, v.account_id, v.reason, v.issued_at, v.version_name AS name, v.changed_fields
FROM (
  SELECT * FROM catalogue_version WHERE sandbox_id = $1::uuid ORDER BY seq DESC LIMIT $2::int
) v
LEFT JOIN LATERAL (
  SELECT p.version_id FROM catalogue_version p
  WHERE p.sandbox_id = $1::uuid AND p.kind = v.kind AND p.record_id = v.record_id AND p.seq < v.seq
  ORDER BY p.seq DESC LIMIT 1
) previous ON true
ORDER BY v.seq DESC`;

const COUNT_SESSIONS = 'SELECT count(*) FROM session WHERE ended_at IS NULL';
