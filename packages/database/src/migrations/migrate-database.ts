// Brings a database to the schema of this program: plain SQL scripts under a lock, recorded in the table that Prisma's
// command line keeps. Either program continues what the other one began.
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { createPool } from '../client.ts';
import { distribute } from '../distribution/distribute.ts';
import { findShards } from '../distribution/shards.ts';
import { findPooling, NEEDS_SESSION_POOLING } from '../pooling.ts';

type MigrateOptions = {
  url: string;
  /** Folder with `schema.prisma` and `migrations/`; the repository's own by default. */
  prismaDir?: string;
  onProgress?: (message: string) => void;
  /** How a migration waits for the locks of its tables; LOCK_WAITS by default. */
  lockWaits?: LockWaits;
};

/**
 * A statement that waits for a table lock blocks every later statement on that table. Joins would stop until the oldest
 * transaction ends. So a migration gives up after a short wait, lets the other statements run, and tries again.
 */
type LockWaits = { timeoutMs: number; attempts: number; pauseMs: number };

/**
 * Two minutes in all, of which joins may wait a fifth: half a second at a time for each lock of the script. Shorter than the second
 * after which PostgreSQL looks for deadlocks, and than what a start may take before it is ended from outside.
 */
const LOCK_WAITS: LockWaits = { timeoutMs: 500, attempts: 48, pauseMs: 2_000 };

/** The database cannot be migrated in its present state; the message is for the operator. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

/** The database does not match this program; the message describes the difference. */
export class MigrationHistoryError extends MigrationError {
  override name = 'MigrationHistoryError';
}

/** Other transactions kept the tables of a migration. Nothing of it is left behind. */
export class MigrationLockError extends MigrationError {
  override name = 'MigrationLockError';
}

/** The `prisma/` folder of the repository, or its copy beside a bundle. */
export const DEFAULT_PRISMA_DIR = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../../prisma' : './prisma', import.meta.url),
);

/**
 * Applies what is missing and returns the names of what it applied; on a distributed database it then distributes what is new. Safe to
 * call from several processes at once and after a crash. Throws `MigrationHistoryError` when the database was migrated by another program,
 * `MigrationLockError` when other transactions do not let go of a table, and `MigrationError` when its encoding is not UTF8 or a
 * pooler in transaction mode is in front of it, which cannot hold the lock.
 */
export async function migrateDatabase(options: MigrateOptions): Promise<string[]> {
  const { url, prismaDir = DEFAULT_PRISMA_DIR, onProgress, lockWaits = LOCK_WAITS } = options;
  const migrations = await readMigrations(prismaDir);
  const session = openMigrationSession(url);
  try {
    const before = await readHistory(session);
    // An unfinished migration is being applied by another process, or its process died: the lock tells which.
    if (before.unfinished.length === 0 && findMissing(migrations, before).length === 0) return [];
    if ((await findPooling(session, url)) === 'transaction') {
      throw new MigrationError(`${NEEDS_SESSION_POOLING}.`);
    }
    await lockMigrations(session);
    const history = await readHistory(session);
    const missing = findMissing(migrations, history);
    if (missing.length === 0) return [];
    const names = missing.map(({ name }) => name);
    onProgress?.(`Migrating the database (${names.join(', ')})`);
    await session.query(CREATE_HISTORY);
    // A migration is finished in the transaction that applies it, so an unfinished one left nothing behind, but for the index of a
    // concurrent one.
    await session.query(ROLL_BACK_UNFINISHED);
    for (const migration of missing) {
      await applyMigration(session, migration, lockWaits, onProgress);
    }
    if ((await findShards(url)).shards > 1) await distributeNew(options);
    return names;
  } finally {
    await session.end();
  }
}

const distributeNew = ({ url, onProgress }: MigrateOptions) =>
  distribute({ url, onStep: (step) => onProgress?.(`Distributing ${step}`) }).catch((error) => {
    const message = `what the migrations made is not distributed yet (${error.message}): see to that and run "muster distribute"`;
    throw new MigrationError(message, { cause: error });
  });

/** Names of the migrations that `migrateDatabase` would apply; throws as it does. Changes nothing. */
export async function listMissingMigrations(
  url: string,
  prismaDir = DEFAULT_PRISMA_DIR,
): Promise<string[]> {
  const session = openMigrationSession(url);
  try {
    const history = await readHistory(session);
    return findMissing(await readMigrations(prismaDir), history).map(({ name }) => name);
  } finally {
    await session.end();
  }
}

type Migration = { name: string; script: string };

const MIGRATION_NAME = /^\d{4}_[a-z0-9_]+$/;

/** Migrations in the order of their names, which is the order in which they are applied. */
export async function readMigrations(prismaDir: string): Promise<Migration[]> {
  const folder = join(prismaDir, 'migrations');
  const entries = await readdir(folder, { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  const names = entries
    .filter((entry) => entry.isDirectory() && MIGRATION_NAME.test(entry.name))
    .map(({ name }) => name)
    .sort();
  return Promise.all(
    names.map(async (name) => ({
      name,
      script: await readFile(join(folder, name, 'migration.sql'), 'utf8'),
    })),
  );
}

/** "migrate" in ASCII: processes that start at once queue here, and all but the first find nothing to do. */
export const MIGRATION_LOCK = '30796705340585061';

/**
 * Waits until no other process migrates this database. The end of the session releases the lock. Between two looks no statement is
 * under way: one that waited in the database would be older than a concurrent index, which waits for what is older than itself.
 */
export async function lockMigrations(session: pg.Pool): Promise<void> {
  const look = `SELECT pg_try_advisory_lock(${MIGRATION_LOCK}) AS locked`;
  while (!(await session.query<{ locked: boolean }>(look)).rows[0]?.locked) await delay(LOOK_MS);
}

const LOOK_MS = 100;

/**
 * A pool of a single session without time limits, since a migration may rewrite a large table. The lock lives exactly
 * as long as the last statement that this process sent, even where the process itself was killed.
 */
export function openMigrationSession(url: string): pg.Pool {
  return createPool({
    connectionString: url,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: 'muster-migrations',
    settings: { timezone: 'UTC', statement_timeout: 0, lock_timeout: 0 },
  });
}

/** As Prisma's schema engine makes it (`migrate deploy`, Prisma 7). */
export const CREATE_HISTORY = `
  CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id" VARCHAR(36) PRIMARY KEY NOT NULL,
    "checksum" VARCHAR(64) NOT NULL,
    "finished_at" TIMESTAMPTZ,
    "migration_name" VARCHAR(255) NOT NULL,
    "logs" TEXT,
    "rolled_back_at" TIMESTAMPTZ,
    "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
    "applied_steps_count" INTEGER NOT NULL DEFAULT 0
  )`;

const ROLL_BACK_UNFINISHED = `
  UPDATE "_prisma_migrations" SET "rolled_back_at" = now()
  WHERE "finished_at" IS NULL AND "rolled_back_at" IS NULL`;

type MigrationHistory = {
  /** The checksums of the migrations that took effect, by name and in the order of the names. */
  applied: ReadonlyMap<string, string>;
  /** Names of those that were begun and neither finished nor undone. */
  unfinished: string[];
  /** Of the database, such as UTF8. */
  encoding: string;
};

async function readHistory(session: pg.Pool): Promise<MigrationHistory> {
  const { rows: found } = await session.query<{ found: boolean; encoding: string }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found, current_setting('server_encoding') AS encoding`,
  );
  const [{ found: hasTable, encoding } = { found: false, encoding: '' }] = found;
  if (!hasTable) return { applied: new Map(), unfinished: [], encoding };
  const { rows } = await session.query<{ name: string; checksum: string; finished: boolean }>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  );
  const applied = rows.filter(({ finished }) => finished);
  return {
    applied: new Map(applied.map(({ name, checksum }) => [name, checksum])),
    unfinished: rows.filter(({ finished }) => !finished).map(({ name }) => name),
    encoding,
  };
}

/**
 * Throws where the database was migrated by a newer program, or by one whose migration of that name is another: running on it could
 * damage its data. And where the encoding of the database is another than that of the migrations, before the first is applied.
 */
function findMissing(
  migrations: readonly Migration[],
  { applied, encoding }: MigrationHistory,
): Migration[] {
  const known = new Map(migrations.map(({ name, script }) => [name, script]));
  const names = [...applied.keys()];
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new MigrationHistoryError(
      `The database has migrations that this program does not know (${unknown.join(', ')}): it was used by a newer version, so start that version or restore a backup.`,
    );
  }
  const changed = names.filter((name) => checksumOf(known.get(name) ?? '') !== applied.get(name));
  if (changed.length > 0) {
    throw new MigrationHistoryError(
      `The database was migrated by other scripts than this program has under the same names (${changed.join(', ')}): start the version that applied them, or restore a backup.`,
    );
  }
  const missing = migrations.filter(({ name }) => !applied.has(name));
  if (missing.length > 0 && encoding !== 'UTF8') {
    throw new MigrationError(
      `The encoding of the database is ${encoding}: make it anew with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`,
    );
  }
  return missing;
}

/** As Prisma's engine computes it: SHA-256 of the script, in hexadecimal. */
export const checksumOf = (script: string): string =>
  createHash('sha256').update(script).digest('hex');

/**
 * The script and its mark are one transaction: a process killed at any moment leaves the migration either finished or undone, and
 * the next start knows which. Statement by statement, since Citus sends on the text of the query that a statement came in.
 */
async function applyMigration(
  session: pg.Pool,
  { name, script }: Migration,
  lockWaits: LockWaits,
  onProgress: MigrateOptions['onProgress'],
): Promise<void> {
  const id = randomUUID();
  await session.query(
    'INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name") VALUES ($1, $2, $3)',
    [id, checksumOf(script), name],
  );
  const finish = `UPDATE "_prisma_migrations" SET "finished_at" = now(), "applied_steps_count" = 1 WHERE "id" = '${id}'`;
  const client = await session.connect();
  try {
    const index = findConcurrentIndex(script);
    if (index === undefined) {
      const statements = [
        `SET LOCAL lock_timeout = ${lockWaits.timeoutMs}`,
        ...splitStatements(script),
        finish,
      ];
      const onWait = () => onProgress?.(`Waiting for other transactions to end (${name})`);
      await retryWhileLocked(lockWaits, onWait, () => runTransaction(client, statements));
    } else {
      await dropInvalidIndex(client, index);
      await client.query(script);
      await client.query(finish);
    }
  } catch (error) {
    if (isLockConflict(error)) {
      throw new MigrationLockError(
        `Migration ${name} needs a table that another transaction has kept locked for minutes. Nothing of it was applied. Find the transaction in pg_stat_activity by its xact_start, end it, and start again.`,
        { cause: error },
      );
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Migration ${name} failed: ${reason}`, { cause: error });
  } finally {
    client.release();
  }
}

async function runTransaction(client: pg.PoolClient, statements: readonly string[]): Promise<void> {
  try {
    await client.query('BEGIN');
    for (const statement of statements) await client.query(statement);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** `lock_not_available`: the time that `lock_timeout` gives is over. Or `deadlock_detected`: joins lock tables in their own order. */
const isLockConflict = (error: unknown): boolean =>
  ['55P03', '40P01'].includes(String((error as { code?: unknown }).code));

const retryWhileLocked = async (
  { attempts, pauseMs }: LockWaits,
  onWait: () => void,
  work: () => Promise<unknown>,
): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isLockConflict(error) || attempt >= attempts) throw error;
      if (attempt === 1) onWait();
      await delay(pauseMs);
    }
  }
};

/**
 * The index of a script that consists of one CREATE INDEX CONCURRENTLY IF NOT EXISTS, which cannot run in a transaction. The
 * statement waits for all older transactions, and blocks none.
 */
const findConcurrentIndex = (script: string): string | undefined => {
  const statement = script.replaceAll(/--.*$/gm, '').trim();
  const [, quoted, plain] =
    /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS (?:"(\w+)"|(\w+)) [^;]*;?$/i.exec(
      statement,
    ) ?? [];
  return quoted ?? plain?.toLowerCase();
};

/** What an attempt that was interrupted has left: an index of that name, which serves no query. */
const dropInvalidIndex = async (client: pg.PoolClient, index: string): Promise<void> => {
  const { rows } = await client.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
    [`"${index}"`],
  );
  if (rows.length > 0) await client.query(`DROP INDEX CONCURRENTLY "${index}"`);
};

/** Comments, quoted texts and names, texts between dollars, the ends of statements, and single characters of all else. */
const PARTS = /--[^\n]*|\/\*.*?\*\/|'[^']*'|"[^"]*"|(\$\w*\$).*?\1|;|./gs;

/** The statements of a script, without those that are comments only. Scripts have no `BEGIN ATOMIC` and no `E'…'`. */
export function splitStatements(script: string): string[] {
  const statements = [{ text: '', isEmpty: true }];
  for (const [part] of script.matchAll(PARTS)) {
    if (part === ';') {
      statements.push({ text: '', isEmpty: true });
      continue;
    }
    const statement = statements.at(-1) as { text: string; isEmpty: boolean };
    statement.text += part;
    statement.isEmpty &&= /^(?:--|\/\*|\s)/.test(part);
  }
  return statements.filter(({ isEmpty }) => !isEmpty).map(({ text }) => text.trim());
}
