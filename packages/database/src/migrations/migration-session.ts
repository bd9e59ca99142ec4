// The one database session that migrations run in. It holds the migration lock, so the lock lives exactly as long
// as the last statement that this process has sent, even where the process itself was killed.
import pg from 'pg';
import { hideCharColumns } from './char-columns.ts';

/** "migrate" in ASCII: processes that start at once queue here, and all but the first find nothing to do. */
export const MIGRATION_LOCK = '30796705340585061';

/** A pool of a single session without time limits, since a migration may rewrite a large table. */
export function openMigrationSession(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: 'muster-migrations',
    options: '-c timezone=UTC -c statement_timeout=0 -c lock_timeout=0',
  });
  // The statement in flight reports the broken connection; an unheard 'error' event would end the process.
  pool.on('error', () => {});
  return hideCharColumns(pool);
}

/** Waits until no other process migrates this database. The end of the session releases it. */
export async function lockMigrations(session: pg.Pool): Promise<void> {
  await session.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
}
