// Brings a database to the schema of this program, with Prisma's own engine and without its command line.
import type pg from 'pg';
import {
  DEFAULT_PRISMA_DIR,
  listMigrationNames,
  NO_FILTER,
  readMigrationList,
  readMigrationScripts,
  readSchemaFile,
} from './migration-files.ts';
import {
  assertKnown,
  forgetUnfinishedMigrations,
  readAppliedMigrations,
} from './migration-history.ts';
import { lockMigrations, openMigrationSession } from './migration-session.ts';
import { openSchemaEngine } from './schema-engine.ts';

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
 */
export async function migrateDatabase(options: MigrateOptions): Promise<string[]> {
  const prismaDir = options.prismaDir ?? DEFAULT_PRISMA_DIR;
  const known = await listMigrationNames(prismaDir);
  const session = openMigrationSession(options.url);
  try {
    await lockMigrations(session);
    const applied = await readAppliedMigrations(session);
    assertKnown(applied, known);
    const missing = known.filter((name) => !applied.includes(name));
    if (missing.length === 0) return [];
    options.onProgress?.(`Migrating the database (${missing.join(', ')})`);
    await forgetUnfinishedMigrations(session);
    return await applyMigrations(session, prismaDir);
  } finally {
    await session.end();
  }
}

async function applyMigrations(session: pg.Pool, prismaDir: string): Promise<string[]> {
  const migrationsList = await readMigrationList(prismaDir);
  const migrationScripts = readMigrationScripts(migrationsList);
  const schema = await readSchemaFile(prismaDir);
  const engine = await openSchemaEngine({ session, migrationScripts }, schema);
  try {
    const output = await engine.applyMigrations({ migrationsList, filters: NO_FILTER });
    return output.appliedMigrationNames;
  } finally {
    engine.free();
  }
}
