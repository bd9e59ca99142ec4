// Writes all data of the service into one file, while the service runs.

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { Client } from '../client.ts';
import type {
  AppliedMigration,
  ArchiveWriter,
  Manifest,
  Summary,
  TableShape,
  WrittenArchive,
} from './archive-writer.ts';
import {
  BackupError,
  createArchive,
  FORMAT,
  MANIFEST,
  nameOfPiece,
  PIECE_BYTES,
  SECRETS,
  SUMMARY,
} from './archive-writer.ts';

type BackUpOptions = {
  url: string;
  /** Where to; must not exist. */
  path: string;
  /** Content of the local secrets by name. */
  secrets: ReadonlyMap<string, string>;
  onProgress?: (message: string) => void;
  /** Ends it early; nothing is left then. */
  signal?: AbortSignal;
};

type BackUpResult = WrittenArchive & { rows: Record<string, number>; takenAt: Date };

const compress = promisify(gzip);
/** Twice as fast as the default, for a file that is a tenth larger. */
const LEVEL = 3;

/** The file appears under its name when it is complete and on the disk. Throws BackupError with one sentence. */
export async function backUp(options: BackUpOptions): Promise<BackUpResult> {
  const snapshot = await openSnapshot(options.url, options.signal);
  try {
    const archive = await createArchive(options.path, snapshot.takenAt);
    try {
      const rows = await fill(archive, snapshot, options);
      return { ...(await archive.finish()), rows, takenAt: snapshot.takenAt };
    } catch (error) {
      await archive.discard();
      options.signal?.throwIfAborted();
      throw error;
    }
  } finally {
    await snapshot.client.end().catch(() => {});
  }
}

async function fill(
  archive: ArchiveWriter,
  snapshot: Snapshot,
  { secrets, onProgress = () => {}, signal }: BackUpOptions,
): Promise<Summary['rows']> {
  const { takenAt, postgresql, migrations, tables } = snapshot;
  const taken_at = takenAt.toISOString();
  const manifest: Manifest = { format: FORMAT, taken_at, postgresql, migrations, tables };
  await archive.append(MANIFEST, toJson(manifest));
  for (const [name, secret] of secrets) await archive.append(SECRETS + name, secret);
  const rows: Summary['rows'] = {};
  for (const table of tables) {
    signal?.throwIfAborted();
    rows[table.name] = await copyTable(archive, snapshot.client, table, onProgress);
    onProgress(`${table.name}: ${rows[table.name]} rows`);
  }
  await archive.append(SUMMARY, toJson({ rows } satisfies Summary));
  return rows;
}

/** One piece is compressed and written while the next one is read. Answers the number of rows. */
async function copyTable(
  archive: ArchiveWriter,
  client: pg.Client,
  { name, columns }: TableShape,
  onProgress: (message: string) => void,
): Promise<number> {
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  const rows = client.query(
    copyTo(`COPY (SELECT ${list} FROM ${pg.escapeIdentifier(name)}) TO STDOUT`),
  );
  let number = 0;
  let writing = Promise.resolve();
  const write = async (piece: Buffer, member: string) =>
    archive.append(member, await compress(piece, { level: LEVEL }));
  for await (const piece of splitRows(rows)) {
    await writing;
    number += 1;
    writing = write(piece, nameOfPiece(name, number));
    // It is awaited with the next piece; until then its failure is not unhandled.
    writing.catch(() => {});
    if (number % 32 === 0) onProgress(`${name}: ${number * 8} MB so far`);
  }
  await writing;
  return rows.rowCount ?? 0;
}

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

// A snapshot of the database: it excludes later writes, and no writer waits for it.

type Snapshot = {
  client: pg.Client;
  takenAt: Date;
  postgresql: string;
  migrations: AppliedMigration[];
  /** In the order of their names; `_prisma_migrations` is not among them. */
  tables: TableShape[];
};

/** The caller ends `client`. */
async function openSnapshot(url: string, signal?: AbortSignal): Promise<Snapshot> {
  const client = await connectAlone(url, 'muster-backup', signal);
  try {
    await beginLocked(client);
    const { rows } = await client.query<{ now: Date; version: string }>(
      `SELECT statement_timestamp() AS now, current_setting('server_version') AS version`,
    );
    const [{ now, version } = { now: new Date(), version: '' }] = rows;
    const migrations = await readMigrations(client);
    return {
      client,
      takenAt: now,
      postgresql: version,
      migrations,
      tables: await listTables(client),
    };
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** Without timeouts, since a table may be large. An abort of `signal` ends it in the middle of any operation. */
export async function connectAlone(
  url: string,
  name: string,
  signal?: AbortSignal,
): Promise<pg.Client> {
  const client = new Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    settings: {
      timezone: 'UTC',
      datestyle: 'ISO',
      statement_timeout: 0,
      idle_in_transaction_session_timeout: 0,
    },
  });
  signal?.throwIfAborted();
  await client.connect();
  signal?.addEventListener('abort', () => void client.end().catch(() => {}), { once: true });
  return client;
}

/**
 * Prevents changes of a table's shape while it is read. LOCK takes no snapshot, so that the snapshot of the first query
 * after it is later than every change that it waited for. The tables are named outside of the transaction.
 */
async function beginLocked(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT oid::regclass::text AS name ${TABLES}`,
  );
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  if (rows.length === 0) return;
  await client.query(`LOCK TABLE ${rows.map(({ name }) => name).join(', ')} IN ACCESS SHARE MODE`);
}

/** The tables of the service: an extension restores its own tables. */
const TABLES = `
  FROM pg_class c
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relnamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')`;

/**
 * The outbox is read by transaction ids, which mean nothing on another server: after a restore, the feed starts again. A trigger derives the
 * values of records while they are restored.
 */
async function listTables(client: pg.Client): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(`
    SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.oid IN (SELECT oid ${TABLES}) AND c.relname NOT IN ('_prisma_migrations', 'event_outbox', 'event_outbox_origin', 'catalogue_value')
      AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    GROUP BY c.relname ORDER BY c.relname`);
  return rows;
}

async function readMigrations(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows: found } = await client.query<{ found: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found`,
  );
  if (!found[0]?.found)
    throw new BackupError('The database is empty: there is nothing to back up.');
  const { rows } = await client.query<AppliedMigration>(`
    SELECT migration_name AS name, checksum FROM _prisma_migrations
    WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`);
  return rows;
}

const NEWLINE = 0x0a;

/**
 * Cuts the text format of COPY into pieces of whole rows. A newline ends a row, always: one inside a value is written as
 * a backslash and the letter n.
 */
export async function* splitRows(
  source: AsyncIterable<Buffer>,
  pieceBytes = PIECE_BYTES,
): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of source) {
    const end = part.lastIndexOf(NEWLINE) + 1;
    if (bytes + part.length < pieceBytes || end === 0) {
      parts.push(part);
      bytes += part.length;
      continue;
    }
    yield Buffer.concat([...parts, part.subarray(0, end)]);
    parts = [part.subarray(end)];
    bytes = part.length - end;
  }
  if (bytes > 0) yield Buffer.concat(parts);
}
