// Reads and repairs the `_prisma_migrations` table, the record of what a database has applied (shared with Prisma's CLI).
import type pg from 'pg';

/** The database and this program do not fit together; the message says how. */
export class MigrationHistoryError extends Error {
  override name = 'MigrationHistoryError';
  readonly migrations: readonly string[];

  constructor(message: string, migrations: readonly string[]) {
    super(message);
    this.migrations = migrations;
  }
}

/** Names of the migrations that took effect, in order. */
export async function readAppliedMigrations(session: pg.Pool): Promise<string[]> {
  if (!(await hasHistory(session))) return [];
  const { rows } = await session.query<{ migration_name: string }>(
    `SELECT migration_name FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  );
  return rows.map((row) => row.migration_name);
}

/**
 * Migrations apply and are marked as finished in one transaction, so an unfinished one left nothing behind:
 * it is recorded as rolled back and can be tried again. Call it under the migration lock only.
 */
export async function forgetUnfinishedMigrations(session: pg.Pool): Promise<void> {
  if (!(await hasHistory(session))) return;
  await session.query(
    `UPDATE _prisma_migrations SET rolled_back_at = now()
     WHERE finished_at IS NULL AND rolled_back_at IS NULL`,
  );
}

/** Whether a migration is being applied, or was when its process died. */
export async function isBeingMigrated(session: pg.Pool): Promise<boolean> {
  if (!(await hasHistory(session))) return false;
  const { rowCount } = await session.query(
    'SELECT FROM _prisma_migrations WHERE finished_at IS NULL AND rolled_back_at IS NULL LIMIT 1',
  );
  return rowCount !== 0;
}

async function hasHistory(session: pg.Pool): Promise<boolean> {
  const { rows } = await session.query<{ found: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found`,
  );
  return rows[0]?.found === true;
}

/** Throws where the database was migrated by a newer program: running on it could damage its data. */
export function assertKnown(applied: readonly string[], known: readonly string[]): void {
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new MigrationHistoryError(
    `The database has migrations that this program does not know (${unknown.join(', ')}): it was used by a newer version, so start that version or restore a backup.`,
    unknown,
  );
}
