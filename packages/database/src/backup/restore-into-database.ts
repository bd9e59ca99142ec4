// Fills an empty database from an archive, in one transaction: it holds everything afterwards, or nothing.

import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { migrateDatabase } from '../migrations/index.ts';
import { DEFAULT_PRISMA_DIR } from '../migrations/migration-files.ts';
import { MIGRATION_LOCK } from '../migrations/migration-session.ts';
import { tableOfPiece } from './archive-format.ts';
import type { VerifiedArchive } from './archive-reader.ts';
import { readVerified } from './archive-reader.ts';
import { BackupError } from './backup-error.ts';
import { withoutIndexes } from './deferred-indexes.ts';
import type { Script } from './make-schema.ts';
import { findScripts, makeSchema } from './make-schema.ts';
import { connectAlone } from './snapshot.ts';

export type RestoreOptions = {
  archive: VerifiedArchive;
  url: string;
  /** Folder with the migrations of this program; the repository's own by default. */
  prismaDir?: string;
  onProgress?: (message: string) => void;
  /** Ends it early; nothing is left then. */
  signal?: AbortSignal;
};

const decompress = promisify(gunzip);

/**
 * The schema is the archive's own; what this program has beyond it is migrated afterwards, as at the start of a service.
 * Throws BackupError with one sentence where the database is not empty, or does not hold in the end what the archive holds.
 */
export async function restoreIntoDatabase(options: RestoreOptions): Promise<void> {
  const { archive, url, prismaDir = DEFAULT_PRISMA_DIR, onProgress = () => {}, signal } = options;
  const scripts = await findScripts(archive.manifest.migrations, prismaDir);
  const client = await connectAlone(url, 'muster-restore', signal);
  try {
    await client.query('BEGIN');
    await fill(client, scripts, options);
    await client.query('COMMIT');
    onProgress('Counting for the planner of PostgreSQL');
    await migrateDatabase({ url, prismaDir, onProgress });
    await client.query('VACUUM (ANALYZE)');
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

async function fill(
  client: pg.Client,
  scripts: readonly Script[],
  { archive, onProgress = () => {}, signal }: RestoreOptions,
): Promise<void> {
  // A service that starts meanwhile waits for the end of this transaction before it looks at the schema.
  await client.query(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  await assertEmpty(client);
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
