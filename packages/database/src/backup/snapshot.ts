// One moment of the database: what is written afterwards is not in it, and nobody who writes waits for it.
import pg from 'pg';
import type { AppliedMigration, TableShape } from './archive-format.ts';
import { BackupError } from './backup-error.ts';

export type Snapshot = {
  client: pg.Client;
  takenAt: Date;
  postgresql: string;
  migrations: AppliedMigration[];
  /** In the order of their names; `_prisma_migrations` is not among them. */
  tables: TableShape[];
};

/** The caller ends `client`. */
export async function openSnapshot(url: string, signal?: AbortSignal): Promise<Snapshot> {
  const client = await connectAlone(url, 'muster-backup', signal);
  try {
    await beginLocked(client);
    const { rows } = await client.query<{ now: Date; version: string }>(
      `SELECT statement_timestamp() AS now, current_setting('server_version') AS version`,
    );
    const [{ now, version } = { now: new Date(), version: '' }] = rows;
    const migrations = await readMigrations(client);
    return {
      client,
      takenAt: now,
      postgresql: version,
      migrations,
      tables: await listTables(client),
    };
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** Without limits of time, since a table may be large. Ends with `signal`, in the middle of whatever it does. */
export async function connectAlone(
  url: string,
  name: string,
  signal?: AbortSignal,
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    options:
      '-c timezone=UTC -c datestyle=ISO -c statement_timeout=0 -c idle_in_transaction_session_timeout=0',
  });
  client.on('error', () => {});
  signal?.throwIfAborted();
  await client.connect();
  signal?.addEventListener('abort', () => void client.end().catch(() => {}), { once: true });
  return client;
}

/**
 * Nobody may change the shape of a table while it is read. LOCK takes no snapshot, so that the one of the first query
 * after it is later than every change that it waited for. The tables are named outside of the transaction.
 */
async function beginLocked(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT oid::regclass::text AS name ${TABLES}`,
  );
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  if (rows.length === 0) return;
  await client.query(`LOCK TABLE ${rows.map(({ name }) => name).join(', ')} IN ACCESS SHARE MODE`);
}

/** Those of the service: what belongs to an extension comes with the extension. */
const TABLES = `
  FROM pg_class c
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relnamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')`;

async function listTables(client: pg.Client): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(`
    SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.oid IN (SELECT oid ${TABLES}) AND c.relname <> '_prisma_migrations'
      AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    GROUP BY c.relname ORDER BY c.relname`);
  return rows;
}

async function readMigrations(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows: found } = await client.query<{ found: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found`,
  );
  if (!found[0]?.found)
    throw new BackupError('The database is empty: there is nothing to back up.');
  const { rows } = await client.query<AppliedMigration>(`
    SELECT migration_name AS name, checksum FROM _prisma_migrations
    WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`);
  return rows;
}
