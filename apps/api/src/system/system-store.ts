import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';

export type DatabaseFacts = {
  /** As PostgreSQL names it, such as 18.4. */
  version: string;
  size_bytes: number;
  /** Of this database, from every process. */
  connections: number;
  /** The largest first; indexes count. Rows are PostgreSQL's estimate, absent before it made one. */
  tables: { name: string; bytes: number; rows_estimate?: number }[];
};

export type ChainHead = {
  sandbox_id: string;
  name: string;
  head_seq: number;
  /** Hexadecimal; absent before the first version. */
  head_hash?: string;
};

export type SystemStore = {
  readDatabase(): Promise<DatabaseFacts>;
  /** By name, the first `limit` sandboxes, of these where they are named. */
  listChains(limit: number, sandboxIds?: readonly string[]): Promise<ChainHead[]>;
};

export const createSystemStore = ({ pool }: Pick<Database, 'pool'>): SystemStore => ({
  async readDatabase() {
    const [facts] = await runPrepared<DatabaseRow>(pool, READ_DATABASE, []);
    const tables = await runPrepared<TableRow>(pool, LIST_TABLES, []);
    if (!facts) throw new Error('PostgreSQL told nothing about the database.');
    return { ...facts, tables: tables.map(toTable) };
  },

  async listChains(limit, sandboxIds) {
    const rows = await runPrepared<ChainRow>(pool, LIST_CHAINS, [limit, sandboxIds ?? null]);
    return rows.map(({ head_hash, ...chain }) => ({
      ...chain,
      ...(head_hash && { head_hash: head_hash.toString('hex') }),
    }));
  },
});

type DatabaseRow = Omit<DatabaseFacts, 'tables'>;
type TableRow = { name: string; bytes: number; rows: number };
type ChainRow = Omit<ChainHead, 'head_hash'> & { head_hash: Buffer | null };

/** PostgreSQL says -1 for a table that it has not looked at yet. */
const toTable = ({ name, bytes, rows }: TableRow) => ({
  name,
  bytes,
  ...(rows >= 0 && { rows_estimate: rows }),
});

const READ_DATABASE = {
  name: 'system_database',
  text: `SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
  pg_database_size(current_database()) AS size_bytes,
  (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()) AS connections`,
};

const LIST_TABLES = {
  name: 'system_tables',
  text: `SELECT c.relname AS name, pg_total_relation_size(c.oid) AS bytes, c.reltuples::bigint AS rows
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p') AND n.nspname = current_schema()
ORDER BY bytes DESC, name`,
};

const LIST_CHAINS = {
  name: 'system_chains',
  text: `SELECT sandbox_id, name, head_seq, head_hash FROM sandbox
WHERE $2::uuid[] IS NULL OR sandbox_id = ANY ($2::uuid[]) ORDER BY name, sandbox_id LIMIT $1::int`,
};
