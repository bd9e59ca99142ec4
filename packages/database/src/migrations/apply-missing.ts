// Applies what is missing, with Prisma's engine, in this process: it keeps the engine's 50 MB until it ends.
import type pg from 'pg';
import {
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

export type ApplyOptions = {
  url: string;
  /** Folder with `schema.prisma` and `migrations/`. */
  prismaDir: string;
  onProgress?: (message: string) => void;
};

/** Waits for whoever is migrating, then answers the names of what it applied. */
export async function applyMissing(options: ApplyOptions): Promise<string[]> {
  const known = await listMigrationNames(options.prismaDir);
  const session = openMigrationSession(options.url);
  try {
    await lockMigrations(session);
    const applied = await readAppliedMigrations(session);
    assertKnown(applied, known);
    const missing = known.filter((name) => !applied.includes(name));
    if (missing.length === 0) return [];
    options.onProgress?.(`Migrating the database (${missing.join(', ')})`);
    await forgetUnfinishedMigrations(session);
    return await applyMigrations(session, options.prismaDir);
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
