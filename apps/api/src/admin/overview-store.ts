// The statements of the overview.
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';

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

const COUNT_SESSIONS = 'SELECT count(*) FROM session WHERE ended_at IS NULL';
