// Makes an empty schema as the program of the archive had it, inside the transaction that fills it.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { listMigrationNames } from '../migrations/migration-files.ts';
import type { AppliedMigration } from './archive-format.ts';
import { BackupError } from './backup-error.ts';

/** As Prisma's engine makes it, column by column. */
const HISTORY = `
  CREATE TABLE "_prisma_migrations" (
    "id" VARCHAR(36) PRIMARY KEY NOT NULL,
    "checksum" VARCHAR(64) NOT NULL,
    "finished_at" TIMESTAMPTZ,
    "migration_name" VARCHAR(255) NOT NULL,
    "logs" TEXT,
    "rolled_back_at" TIMESTAMPTZ,
    "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
    "applied_steps_count" INTEGER NOT NULL DEFAULT 0
  )`;

const RECORD = `
  INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at", "applied_steps_count")
  VALUES (gen_random_uuid()::text, $1, $2, now(), 1)`;

export type Script = AppliedMigration & { text: string };

/**
 * The scripts that made the schema of the archive. Throws BackupError where this program does not have them: the archive is of a
 * newer version, or of another program.
 */
export async function findScripts(
  migrations: readonly AppliedMigration[],
  prismaDir: string,
): Promise<Script[]> {
  const known = await listMigrationNames(prismaDir);
  const unknown = migrations.filter(({ name }) => !known.includes(name)).map(({ name }) => name);
  if (unknown.length > 0) {
    throw new BackupError(
      `The backup has migrations that this program does not know (${unknown.join(', ')}): it was made by a newer version, so restore it with that version.`,
    );
  }
  const scripts = await Promise.all(
    migrations.map(async (migration) => {
      const path = join(prismaDir, 'migrations', migration.name, 'migration.sql');
      return { ...migration, text: await readFile(path, 'utf8') };
    }),
  );
  for (const { name, checksum, text } of scripts) {
    if (createHash('sha256').update(text).digest('hex') === checksum) continue;
    throw new BackupError(
      `The migration ${name} of the backup is another one than this program's.`,
    );
  }
  return scripts;
}

export async function makeSchema(client: pg.ClientBase, scripts: readonly Script[]): Promise<void> {
  await client.query(HISTORY);
  for (const { name, checksum, text } of scripts) {
    await client.query(text);
    await client.query(RECORD, [checksum, name]);
  }
}
