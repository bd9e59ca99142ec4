// Compares the migrations with schema.prisma on a scratch database.
import type pg from 'pg';
import { startScratchPostgres } from '../embedded/start-scratch-postgres.ts';
import { applyMissing } from './apply-missing.ts';
import { NO_FILTER, readMigrationList, readSchemaFile } from './migration-files.ts';
import { openMigrationSession } from './migration-session.ts';
import { openSchemaEngine } from './schema-engine.ts';

/** The SQL that leads from the migrations to schema.prisma; empty where they agree. */
export async function diffMigrations(prismaDir: string): Promise<string> {
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
    await applyMissing({ url, prismaDir });
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
  const engine = await openSchemaEngine({ session, migrationScripts: new Set() }, schema);
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
