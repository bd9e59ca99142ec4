// What a support bundle says of the database: migrations, sizes, and the slowest statements with their plans. It changes nothing.
import type { Database } from '@muster/database';
import {
  findShards,
  listMissingMigrations,
  openDatabase,
  reachEmbeddedPostgres,
} from '@muster/database';
import { createSystemStore } from '../admin/index.ts';
import type { Config } from '../platform/index.ts';
import { noteFailure } from './note-failure.ts';

export const reportDatabase = async ({ databaseUrl, dataDir }: Config) => {
  const own = databaseUrl ? null : await reachEmbeddedPostgres({ dataDir });
  try {
    const url = databaseUrl ?? own?.url ?? '';
    const options = { url, maxConnections: 1, applicationName: 'muster-support-bundle' };
    const database = openDatabase({ ...options, ...(await findShards(url)) });
    try {
      return {
        server: await noteFailure(() => createSystemStore(database).readDatabase()),
        migrations: {
          applied: await noteFailure(() => listAppliedMigrations(database)),
          missing: await noteFailure(() => listMissingMigrations(url)),
        },
        statements: await noteFailure(() => listStatements(database)),
      };
    } finally {
      await database.close();
    }
  } finally {
    await own?.stop();
  }
};

type AppliedMigration = { name: string; finished_at: Date | null; rolled_back_at: Date | null };

const listAppliedMigrations = async ({ pool }: Database): Promise<AppliedMigration[]> => {
  const { rows } = await pool.query<AppliedMigration>(
    'SELECT migration_name AS name, finished_at, rolled_back_at FROM _prisma_migrations ORDER BY started_at',
  );
  return rows;
};

type Statement = {
  calls: number;
  total_ms: number;
  mean_ms: number;
  max_ms: number;
  rows: number;
  query: string;
};
type ExplainedStatement = Statement & { plan: string[] | { note: string } };

/** GENERIC_PLAN, which plans a statement without its parameters, is new in PostgreSQL 16. */
const OLDEST_WITH_PLANS = 160_000;

const listStatements = async (
  database: Database,
): Promise<ExplainedStatement[] | { note: string }> => {
  const { rows } = await database.pool.query<{ version: number; schema: string | null }>(
    `SELECT current_setting('server_version_num')::int AS version,
       (SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
        WHERE e.extname = 'pg_stat_statements') AS schema`,
  );
  const [{ version, schema } = { version: 0, schema: null }] = rows;
  if (schema === null) return { note: 'The database has no extension pg_stat_statements.' };
  const { rows: statements } = await database.pool.query<Statement>(slowest(schema));
  const explained: ExplainedStatement[] = [];
  for (const statement of statements) {
    const plan =
      version < OLDEST_WITH_PLANS
        ? { note: 'Plans need PostgreSQL 16 or newer.' }
        : await noteFailure(() => explain(database, statement.query));
    explained.push({ ...statement, plan });
  }
  return explained;
};

/**
 * Of this role and database. PostgreSQL replaces the constants of these kinds of statements; it keeps those of others, such as the
 * password in ALTER ROLE.
 */
const slowest = (schema: string): string => `
  SELECT calls::float8 AS calls, round(total_exec_time)::float8 AS total_ms, round(mean_exec_time::numeric, 3)::float8 AS mean_ms,
    round(max_exec_time)::float8 AS max_ms, rows::float8 AS rows, query
  FROM ${schema}.pg_stat_statements
  WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND userid = current_user::regrole AND query ~* '^\\s*(select|insert|update|delete|merge|with)\\M'
  ORDER BY total_exec_time DESC LIMIT 20`;

/** A statement that is only explained does not run. Without values, the driver sends it with its parameters unresolved. */
const explain = async ({ pool }: Database, query: string): Promise<string[]> => {
  const client = await pool.connect();
  try {
    await client.query('BEGIN READ ONLY');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (GENERIC_PLAN) ${query}`,
    );
    return rows.map((row) => row['QUERY PLAN']);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
};
