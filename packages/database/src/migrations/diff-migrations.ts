// Compares the migrations with schema.prisma on a scratch database. As a program it writes the next migration
// (`npm run migration -w @muster/database -- --name add_x`), or with --check exits with 1 and the missing SQL when the two disagree.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';
import type pg from 'pg';
import { startScratchPostgres } from '../embedded/scratch-postgres.ts';
import {
  DEFAULT_PRISMA_DIR,
  migrateDatabase,
  openMigrationSession,
  readMigrations,
} from './migrate-database.ts';
import type { SchemaFile } from './schema-engine.ts';
import { openSchemaEngine } from './schema-engine.ts';

/** The SQL that leads from the migrations to schema.prisma; empty where they agree. */
async function diffMigrations(prismaDir: string): Promise<string> {
  const scratch = await startScratchPostgres();
  try {
    return await diffMigrationsOn(scratch.url, prismaDir);
  } finally {
    await scratch.stop();
  }
}

/** The same on an empty database of a server that may be used for it; the migrations stay applied there. */
export async function diffMigrationsOn(url: string, prismaDir: string): Promise<string> {
  const session = openMigrationSession(url);
  try {
    await migrateDatabase({ url, prismaDir });
    const script = await diffToSchema(session, prismaDir);
    return dropIgnoredSteps(script, await listHandWrittenIndexes(session));
  } finally {
    await session.end();
  }
}

async function diffToSchema(session: pg.Pool, prismaDir: string): Promise<string> {
  const schema = await readSchemaFile(prismaDir);
  const migrations = await readMigrationList(prismaDir);
  const isFirst = migrations.migrationDirectories.length === 0;
  const engine = await openSchemaEngine(session, schema);
  try {
    const { stdout } = await engine.diff({
      from: isFirst ? { tag: 'empty' } : { tag: 'migrations', ...migrations },
      to: { tag: 'schemaDatamodel', files: [schema] },
      script: true,
      exitCode: null,
      filters: NO_FILTER,
    });
    return stdout ?? '';
  } finally {
    engine.free();
  }
}

/**
 * Partial, expression and covering indexes cannot be said in schema.prisma, and one that needs an extension
 * (an access method or operator class of its own) is written by hand where the extension may be missing:
 * the engine proposes to drop them all.
 */
async function listHandWrittenIndexes(session: pg.Pool): Promise<Set<string>> {
  const { rows } = await session.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_index i
     JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
     WHERE i.indpred IS NOT NULL OR i.indexprs IS NOT NULL OR i.indnatts <> i.indnkeyatts
        OR a.amname <> 'btree'
        OR EXISTS (SELECT FROM pg_opclass o WHERE o.oid = ANY (i.indclass) AND NOT o.opcdefault)`,
  );
  return new Set(rows.map((row) => row.name));
}

/** The engine writes one commented step after the other, divided by empty lines. */
export function dropIgnoredSteps(script: string, handWritten: ReadonlySet<string>): string {
  const kept = script.split(/\n{2,}(?=--)/).filter((step) => {
    const statement = step.replaceAll(/^--.*$/gm, '').trim();
    if (statement === '') return false;
    const dropped = /^DROP INDEX "([^"]+)";$/.exec(statement)?.[1];
    return dropped === undefined || !handWritten.has(dropped);
  });
  return kept.map((step) => `${step.trim()}\n`).join('\n');
}

/** What the engine's filters take: nothing is managed outside the migrations. */
export const NO_FILTER = { externalTables: [], externalEnums: [] };

export async function readSchemaFile(prismaDir: string): Promise<SchemaFile> {
  const path = join(prismaDir, 'schema.prisma');
  return { path, content: await readFile(path, 'utf8') };
}

/** The migrations in the shape that the schema engine takes. */
export async function readMigrationList(prismaDir: string): Promise<MigrationList> {
  const migrations = await readMigrations(prismaDir);
  return {
    baseDir: join(prismaDir, 'migrations'),
    lockfile: { path: './migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, script }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: script } },
    })),
  };
}

async function runCommand(): Promise<number> {
  const options = {
    check: { type: 'boolean' },
    name: { type: 'string' },
    'prisma-dir': { type: 'string' },
  } as const;
  const { values } = parseArgs({ options });
  const prismaDir = values['prisma-dir'] ?? DEFAULT_PRISMA_DIR;
  if (values.check) return checkDrift(prismaDir);
  if (!values.name || !/^[a-z0-9_]+$/.test(values.name)) {
    process.stderr.write(
      'Name the migration in lower case: npm run migration -w @muster/database -- --name add_something\n',
    );
    return 2;
  }
  return createMigration(prismaDir, values.name);
}

async function checkDrift(prismaDir: string): Promise<number> {
  const script = await diffMigrations(prismaDir);
  if (script === '') return 0;
  process.stderr.write(
    `schema.prisma and the migrations disagree. Missing from the migrations:\n\n${script}\n` +
      'Write it with: npm run migration -w @muster/database -- --name describe_the_change\n',
  );
  return 1;
}

/** The file is a draft: CHECKs, partial indexes and their reasons are added by hand before it is committed. */
async function createMigration(prismaDir: string, name: string): Promise<number> {
  const script = await diffMigrations(prismaDir);
  if (script === '') {
    process.stdout.write('schema.prisma and the migrations agree: nothing to write.\n');
    return 0;
  }
  const number = String((await readMigrations(prismaDir)).length + 1).padStart(4, '0');
  const folder = join(prismaDir, 'migrations', `${number}_${name}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'migration.sql'), script, { flag: 'wx' });
  process.stdout.write(`Wrote ${join(folder, 'migration.sql')}\n`);
  return 0;
}

if (import.meta.main) process.exitCode = await runCommand();
