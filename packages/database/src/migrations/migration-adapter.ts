// What Prisma's schema engine works through: one session, and scripts that succeed or fail as a whole.
import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import type {
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import { DriverAdapterError } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { restoreCharColumns } from './char-columns.ts';
import { openMigrationSession } from './migration-session.ts';

export type MigrationTarget = {
  session: pg.Pool;
  /** Scripts that are migrations, as opposed to the engine's own housekeeping. */
  migrationScripts: ReadonlySet<string>;
};

/**
 * Replaces three habits of `PrismaPg` that do harm here: it cuts scripts at every semicolon (also inside strings
 * and function bodies), runs the pieces on whatever connection is free, and opens the main database in place of
 * the shadow one when the connection string names a database.
 */
export function createMigrationAdapterFactory(
  target: MigrationTarget,
): SqlMigrationAwareDriverAdapterFactory {
  return {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => connectAdapter(target, async () => {}),
    connectToShadowDb: () => connectShadowAdapter(target.session),
  };
}

async function connectAdapter(
  target: MigrationTarget,
  dispose: () => Promise<void>,
): Promise<SqlDriverAdapter> {
  const adapter = restoreCharColumns(await new PrismaPg(target.session).connect());
  return Object.assign(adapter, {
    executeScript: (script: string) => executeWholeScript(target, script),
    dispose,
  });
}

/**
 * A migration is marked as finished by the same transaction that applies it. A process killed at any moment leaves
 * it either finished or undone, and the next start knows which.
 */
const MARK_AS_FINISHED = `
;UPDATE "_prisma_migrations" SET "finished_at" = now()
WHERE "finished_at" IS NULL AND "rolled_back_at" IS NULL`;

/** The script goes to the server as one query, which PostgreSQL runs as one transaction: all of it or nothing. */
async function executeWholeScript(target: MigrationTarget, script: string): Promise<void> {
  const isMigration = target.migrationScripts.has(script);
  try {
    await target.session.query(isMigration ? script + MARK_AS_FINISHED : script);
  } catch (error) {
    throw error instanceof pg.DatabaseError ? toAdapterError(error) : error;
  }
}

function toAdapterError(error: pg.DatabaseError): DriverAdapterError {
  const code = error.code ?? 'N/A';
  return new DriverAdapterError({
    kind: 'postgres',
    code,
    severity: error.severity ?? 'ERROR',
    message: error.message,
    detail: error.detail,
    column: error.column,
    hint: error.hint,
    originalCode: code,
    originalMessage: error.message,
  });
}

/** A fresh database on the same server, gone again when the engine is done with it. */
async function connectShadowAdapter(session: pg.Pool): Promise<SqlDriverAdapter> {
  const name = `muster_shadow_${randomUUID().replaceAll('-', '')}`;
  await session.query(`CREATE DATABASE "${name}" TEMPLATE template0`);
  const url = new URL(session.options.connectionString ?? '');
  url.pathname = `/${name}`;
  const shadow = openMigrationSession(url.href);
  return connectAdapter({ session: shadow, migrationScripts: new Set() }, async () => {
    await shadow.end();
    await session.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  });
}
