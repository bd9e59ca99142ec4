import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  flushFolder,
  isInitialised,
  locateDataFolder,
  makeDataDir,
} from '../embedded/data-folder.ts';
import { startEmbeddedPostgres } from '../embedded/embedded-postgres.ts';
import {
  CREATE_HISTORY,
  checksumOf,
  DEFAULT_PRISMA_DIR,
  listMissingMigrations,
  MIGRATION_LOCK,
  migrateDatabase,
  readMigrations,
} from '../migrations/migrate-database.ts';
import type { VerifiedArchive } from './archive-reader.ts';
import { readVerified } from './archive-reader.ts';
import type { AppliedMigration } from './archive-writer.ts';
import { BackupError, tableOfPiece } from './archive-writer.ts';
import { connectAlone } from './back-up.ts';

type RestoreIntoFolderOptions = Omit<RestoreOptions, 'url'> & {
  dataDir: string;
};

const DRAFT = 'restoring';

/** Throws BackupError where the folder has data already, and as restoreIntoDatabase does. */
export async function restoreIntoFolder({
  beforeEnd,
  ...options
}: RestoreIntoFolderOptions): Promise<RestoreResult> {
  const folder = locateDataFolder(options.dataDir);
  await assertFree();
  await makeDataDir(folder.dataDir);
  const draft = join(folder.dataDir, DRAFT);
  if (await stat(draft).catch(() => null)) await removeDraft(draft);
  const postgres = await startEmbeddedPostgres({ ...options, dataDir: draft });
  try {
    const result = await restoreIntoDatabase({ ...options, url: postgres.url });
    await postgres.stop();
    options.signal?.throwIfAborted();
    await assertFree();
    await beforeEnd?.();
    await rename(join(draft, 'postgres'), folder.root);
    await flushFolder(folder.dataDir);
    return result;
  } finally {
    await postgres.stop();
    await rm(draft, { recursive: true, force: true });
  }

  async function assertFree(): Promise<void> {
    if (!(await isInitialised(folder))) return;
    throw new BackupError(
      `${folder.root} holds a database already: choose an empty DATA_DIR, or move the folder away.`,
    );
  }
}

/** Removes the draft of a restore that was killed. Throws when that restore is still running. */
async function removeDraft(draft: string): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir: draft });
  await postgres.stop();
  await rm(draft, { recursive: true, force: true });
}

// Fills an empty database from an archive, in one transaction: it holds everything afterwards, or nothing.

type RestoreOptions = {
  archive: VerifiedArchive;
  url: string;
  /** Folder with the migrations of this program; the repository's own by default. */
  prismaDir?: string;
  onProgress?: (message: string) => void;
  /** Called when all data is there, just before it is kept: what it throws undoes all. */
  beforeEnd?: () => Promise<void>;
  /** Ends it early: nothing is left then, or all data and `unfinished`. */
  signal?: AbortSignal;
};

type RestoreResult = {
  /** Why what follows the data was not finished. The data is all there: the next start and PostgreSQL do the rest. */
  unfinished?: string;
};

const decompress = promisify(gunzip);

/**
 * The schema is the archive's own; what this program has beyond it is migrated afterwards, as at the start of a service.
 * Throws BackupError with one sentence where the database is not empty, or does not hold in the end what the archive holds.
 */
export async function restoreIntoDatabase(options: RestoreOptions): Promise<RestoreResult> {
  const { archive, url, prismaDir = DEFAULT_PRISMA_DIR, beforeEnd, signal } = options;
  const scripts = await findScripts(archive.manifest.migrations, prismaDir);
  const client = await connectAlone(url, 'muster-restore');
  const cut = () => void client.end().catch(() => {});
  try {
    signal?.addEventListener('abort', cut);
    // Aborted by now, it would tell no listener.
    signal?.throwIfAborted();
    await client.query('BEGIN');
    await fill(client, scripts, options);
    await beforeEnd?.();
    signal?.throwIfAborted();
    // An abort at this point would leave unknown whether the data was committed.
    signal?.removeEventListener('abort', cut);
    await client.query('COMMIT');
    signal?.addEventListener('abort', cut);
    return await finish(client, options);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', cut);
    await client.end().catch(() => {});
  }
}

/** Throws nothing: whatever fails here, the data is restored. */
async function finish(
  client: pg.Client,
  { url, prismaDir = DEFAULT_PRISMA_DIR, onProgress = () => {}, signal }: RestoreOptions,
): Promise<RestoreResult> {
  try {
    await migrateDatabase({ url, prismaDir, onProgress });
    onProgress('Counting for the planner of PostgreSQL');
    signal?.throwIfAborted();
    await client.query('VACUUM (ANALYZE)');
    return {};
  } catch (error) {
    if (signal?.aborted) return { unfinished: 'it was ended early' };
    return { unfinished: error instanceof Error ? error.message : String(error) };
  }
}

async function fill(
  client: pg.Client,
  scripts: readonly Script[],
  { archive, url, prismaDir, onProgress = () => {}, signal }: RestoreOptions,
): Promise<void> {
  // A service that starts now waits for the end of this transaction before it looks at the schema.
  await client.query(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  await assertEmpty(client);
  // Refuses an encoding that no script can be applied to.
  await listMissingMigrations(url, prismaDir);
  await makeSchema(client, scripts);
  const rows = await withoutIndexes(client, async () => {
    const loaded = await load(client, archive, onProgress, signal);
    onProgress('Making the indexes');
    return loaded;
  });
  assertComplete(archive, rows);
  await assertHeads(client);
}

async function assertEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT relname AS name FROM pg_class c
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e') LIMIT 1`);
  if (rows.length === 0) return;
  throw new BackupError(
    `The database is not empty (it has ${rows[0]?.name}): a backup is restored into an empty one only.`,
  );
}

/** Answers how many rows each table got. */
async function load(
  client: pg.Client,
  archive: VerifiedArchive,
  onProgress: (message: string) => void,
  signal?: AbortSignal,
): Promise<Map<string, number>> {
  const columns = new Map(archive.manifest.tables.map((table) => [table.name, table.columns]));
  const rows = new Map<string, number>();
  for await (const { name, content } of readVerified(archive)) {
    signal?.throwIfAborted();
    const table = tableOfPiece(name);
    if (table === null) continue;
    if (!rows.has(table)) onProgress(`${table}: ${archive.summary.rows[table]} rows`);
    const loaded = await loadPiece(client, table, columns.get(table) ?? [], content);
    rows.set(table, (rows.get(table) ?? 0) + loaded);
  }
  return rows;
}

/** The table was made by this transaction, so its rows may be written as old ones, which no one has to clean up later. */
async function loadPiece(
  client: pg.Client,
  table: string,
  columns: readonly string[],
  piece: Buffer,
): Promise<number> {
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  const sql = `COPY ${pg.escapeIdentifier(table)} (${list}) FROM STDIN WITH (FREEZE)`;
  const rows = await decompress(piece);
  const stream = client.query(copyFrom(sql));
  stream.end(rows);
  await finished(stream);
  return stream.rowCount;
}

function assertComplete({ manifest, summary }: VerifiedArchive, rows: Map<string, number>): void {
  for (const { name } of manifest.tables) {
    const [expected, loaded] = [summary.rows[name], rows.get(name) ?? 0];
    if (loaded === expected) continue;
    throw new BackupError(
      `${name} got ${loaded} rows instead of ${expected}: nothing was restored.`,
    );
  }
}

/** Each chain must end where its sandbox says; from there, hashes lead to every version before it. */
async function assertHeads(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ sandbox_id: string }>(`
    SELECT sandbox_id FROM sandbox s
    WHERE NOT (s.head_seq = 0 OR EXISTS (
      SELECT FROM catalogue_version v
      WHERE v.sandbox_id = s.sandbox_id AND v.seq = s.head_seq AND v.hash = s.head_hash))
    LIMIT 1`);
  if (rows.length === 0) return;
  throw new BackupError(
    `The history of sandbox ${rows[0]?.sandbox_id} does not end where the sandbox says: nothing was restored.`,
  );
}

// Makes an empty schema as the program of the archive had it, inside the transaction that fills it.

/** As Prisma's engine makes it, column by column. */
const RECORD = `
  INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at", "applied_steps_count")
  VALUES (gen_random_uuid()::text, $1, $2, now(), 1)`;

type Script = AppliedMigration & { text: string };

/**
 * The scripts that made the schema of the archive. Throws BackupError where this program does not have them: the archive is of a
 * newer version, or of another program.
 */
async function findScripts(
  migrations: readonly AppliedMigration[],
  prismaDir: string,
): Promise<Script[]> {
  const known = new Map(
    (await readMigrations(prismaDir)).map(({ name, script }) => [name, script]),
  );
  const unknown = migrations.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  if (unknown.length > 0) {
    throw new BackupError(
      `The backup has migrations that this program does not know (${unknown.join(', ')}): it was made by a newer version, so restore it with that version.`,
    );
  }
  return migrations.map((migration) => {
    const text = known.get(migration.name) ?? '';
    if (checksumOf(text) === migration.checksum) return { ...migration, text };
    throw new BackupError(
      `The migration ${migration.name} of the backup is another one than this program's.`,
    );
  });
}

async function makeSchema(client: pg.ClientBase, scripts: readonly Script[]): Promise<void> {
  await client.query(CREATE_HISTORY);
  for (const { name, checksum, text } of scripts) {
    await client.query(text);
    await client.query(RECORD, [checksum, name]);
  }
}

// Loading many rows is several times faster when their indexes and foreign keys come afterwards.

/** Constraints that are indexes themselves stay: they are the primary keys. */
const INDEXES = `
  SELECT format('DROP INDEX %s', i.indexrelid::regclass) AS drop, pg_get_indexdef(i.indexrelid) AS create
  FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
  WHERE t.relnamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)
  ORDER BY 2`;

const FOREIGN_KEYS = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS create
  FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
  ORDER BY 2`;

type Deferred = { drop: string; create: string };

/** Runs `load` without the indexes, and validates every row when it creates them again. Call it inside a transaction. */
async function withoutIndexes<T>(client: pg.ClientBase, load: () => Promise<T>): Promise<T> {
  const { rows: foreignKeys } = await client.query<Deferred>(FOREIGN_KEYS);
  for (const { drop } of foreignKeys) await client.query(drop);
  const { rows: indexes } = await client.query<Deferred>(INDEXES);
  for (const { drop } of indexes) await client.query(drop);
  const result = await load();
  for (const { create } of [...indexes, ...foreignKeys]) await client.query(create);
  return result;
}
