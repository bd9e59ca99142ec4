// Brings a database to the schema of this program, with Prisma's own engine and without its command line.
import { DEFAULT_PRISMA_DIR, listMigrationNames } from './migration-files.ts';
import { assertKnown, isBeingMigrated, readAppliedMigrations } from './migration-history.ts';
import { openMigrationSession } from './migration-session.ts';
import { runMigrationProcess } from './run-migration-process.ts';

export type MigrateOptions = {
  url: string;
  /** Folder with `schema.prisma` and `migrations/`; the repository's own by default. */
  prismaDir?: string;
  onProgress?: (message: string) => void;
};

/**
 * Applies what is missing and returns the names of what it applied. Safe to call from several processes at once
 * and after a crash. Throws `MigrationHistoryError` when the database was migrated by a newer program.
 * Needs a connection of its own to the server: a pooler in transaction mode cannot hold the lock.
 *
 * The engine needs 50 MB, which WebAssembly never gives back: it runs in a process of its own, and only where something
 * is missing.
 */
export async function migrateDatabase(options: MigrateOptions): Promise<string[]> {
  const prismaDir = options.prismaDir ?? DEFAULT_PRISMA_DIR;
  if (await isUpToDate(options.url, prismaDir)) return [];
  return runMigrationProcess({ ...options, prismaDir });
}

/** Needs no lock: migrations are finished for good, and what is being applied shows as unfinished. */
async function isUpToDate(url: string, prismaDir: string): Promise<boolean> {
  const session = openMigrationSession(url);
  try {
    if (await isBeingMigrated(session)) return false;
    const applied = await readAppliedMigrations(session);
    const known = await listMigrationNames(prismaDir);
    assertKnown(applied, known);
    return known.every((name) => applied.includes(name));
  } finally {
    await session.end();
  }
}
