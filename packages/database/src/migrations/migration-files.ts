// Reads the data model and the migrations of the repository into the shapes that the schema engine takes.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';

export type SchemaFile = { path: string; content: string };

/** The `prisma/` folder of the repository. */
export const DEFAULT_PRISMA_DIR = fileURLToPath(new URL('../../../../prisma', import.meta.url));

/** What the engine's filters take: nothing is managed outside the migrations. */
export const NO_FILTER = { externalTables: [], externalEnums: [] };

const MIGRATION_NAME = /^\d{4}_[a-z0-9_]+$/;

export async function readSchemaFile(prismaDir: string): Promise<SchemaFile> {
  const path = join(prismaDir, 'schema.prisma');
  return { path, content: await readFile(path, 'utf8') };
}

/** Migrations in the order of their names, which is the order in which they are applied. */
export async function readMigrationList(prismaDir: string): Promise<MigrationList> {
  const baseDir = join(prismaDir, 'migrations');
  const names = await listMigrationNames(prismaDir);
  return {
    baseDir,
    lockfile: { path: './migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(names.map((name) => readMigration(baseDir, name))),
  };
}

export async function listMigrationNames(prismaDir: string): Promise<string[]> {
  const entries = await readdir(join(prismaDir, 'migrations'), { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  return entries
    .filter((entry) => entry.isDirectory() && MIGRATION_NAME.test(entry.name))
    .map((entry) => entry.name)
    .sort();
}

export function readMigrationScripts(list: MigrationList): Set<string> {
  const contents = list.migrationDirectories.map(({ migrationFile }) => migrationFile.content);
  return new Set(contents.flatMap((content) => (content.tag === 'ok' ? [content.value] : [])));
}

async function readMigration(
  baseDir: string,
  name: string,
): Promise<MigrationList['migrationDirectories'][number]> {
  const value = await readFile(join(baseDir, name, 'migration.sql'), 'utf8');
  return { path: name, migrationFile: { path: 'migration.sql', content: { tag: 'ok', value } } };
}
