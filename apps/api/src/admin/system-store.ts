// Facts about the database, for operators.
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';

export type DatabaseFacts = {
  /** As PostgreSQL names it, such as 18.4. */
  version: string;
  size_bytes: number;
  /** From all processes to this database. */
  connections: number;
  /** Largest first, including indexes. The number of rows is PostgreSQL's estimate, absent before the first one. */
  tables: { name: string; bytes: number; rows_estimate?: number }[];
};

export type ChainHead = {
  sandbox_id: string;
  name: string;
  head_seq: number;
  /** Hexadecimal; absent before the first version. */
  head_hash?: string;
};

export type SystemStore = ReturnType<typeof createSystemStore>;

export const createSystemStore = ({
  pool,
  prisma,
  shards,
}: Pick<Database, 'pool' | 'prisma' | 'shards'>) => ({
  async readDatabase(): Promise<DatabaseFacts> {
    const [read, list] = shards > 1 ? [READ_CLUSTER, LIST_PLACED] : [READ_DATABASE, LIST_TABLES];
    const [facts] = await runPrepared<DatabaseRow>(pool, read, []);
    const tables = await runPrepared<TableRow>(pool, list, []);
    if (!facts) throw new Error('PostgreSQL returned no facts about the database.');
    return { ...facts, tables: tables.map(toTable) };
  },

  /** The first `limit` sandboxes by name, restricted to `sandboxIds` when given. */
  async listChains(limit: number, sandboxIds?: readonly string[]): Promise<ChainHead[]> {
    const rows = await prisma.sandbox.findMany({
      where: { deletedAt: null, ...(sandboxIds && { sandboxId: { in: [...sandboxIds] } }) },
      orderBy: [{ name: 'asc' }, { sandboxId: 'asc' }],
      take: limit,
    });
    return rows.map(({ sandboxId, name, headSeq, headHash }) => ({
      sandbox_id: sandboxId,
      name,
      head_seq: Number(headSeq),
      ...(headHash && { head_hash: Buffer.from(headHash).toString('hex') }),
    }));
  },
});

type DatabaseRow = Omit<DatabaseFacts, 'tables'>;
type TableRow = { name: string; bytes: number; rows: number };

/** PostgreSQL estimates -1 rows for a table that it has not analysed yet. */
const toTable = ({ name, bytes, rows }: TableRow) => ({
  name,
  bytes,
  ...(rows >= 0 && { rows_estimate: rows }),
});

const readDatabase = (size: string): string => `
  SELECT split_part(current_setting('server_version'), ' ', 1) AS version, ${size} AS size_bytes,
    (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()) AS connections`;

const SIZE = 'pg_database_size(current_database())';
const READ_DATABASE = { name: 'system_database', text: readDatabase(SIZE) };

const listTables = (bytes: string, rows: string): string => `
  SELECT c.relname AS name, ${bytes} AS bytes, ${rows} AS rows
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND n.nspname = current_schema()
  ORDER BY bytes DESC, name`;

const LIST_TABLES = {
  name: 'system_tables',
  text: listTables('pg_total_relation_size(c.oid)', 'c.reltuples::bigint'),
};

// On Citus sizes are those of all nodes, and there is no row estimate for distributed tables.

const READ_CLUSTER = {
  name: 'system_cluster',
  text: readDatabase(`(SELECT sum(result::bigint)::bigint
    FROM run_command_on_all_nodes('SELECT ${SIZE}') WHERE success)`),
};

const LIST_PLACED = {
  name: 'system_placed_tables',
  text: listTables(
    `CASE WHEN EXISTS (SELECT FROM pg_dist_partition d WHERE d.logicalrelid = c.oid)
      THEN citus_total_relation_size(c.oid, false) ELSE pg_total_relation_size(c.oid) END`,
    `CASE WHEN EXISTS (SELECT FROM pg_dist_partition d WHERE d.logicalrelid = c.oid)
      THEN -1 ELSE c.reltuples::bigint END`,
  ),
};
