import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withClient } from '../client.ts';
import type { TestDatabase } from '../testing/index.ts';
import { createTestDatabase } from '../testing/index.ts';
import { NO_FILTER, readMigrationList, readSchemaFile } from './diff-migrations.ts';
import {
  DEFAULT_PRISMA_DIR,
  listMissingMigrations,
  lockMigrations,
  MigrationHistoryError,
  MigrationLockError,
  migrateDatabase,
  openMigrationSession,
  splitStatements,
} from './migrate-database.ts';
import { openSchemaEngine } from './schema-engine.ts';

let database: TestDatabase;
let prismaDir: string;

beforeEach(async () => {
  database = await createTestDatabase({ migrated: false });
  prismaDir = await mkdtemp(join(tmpdir(), 'muster-migrations-test-'));
  await cp(join(DEFAULT_PRISMA_DIR, 'schema.prisma'), join(prismaDir, 'schema.prisma'));
});

afterEach(async () => {
  await database.drop();
  await rm(prismaDir, { recursive: true, force: true });
});

test('the repository’s migrations apply in order once, and a second run finds nothing to do', async () => {
  const folders = await readdir(join(DEFAULT_PRISMA_DIR, 'migrations'), { withFileTypes: true });
  const names = folders.filter((folder) => folder.isDirectory()).map((folder) => folder.name);
  expect(await migrateDatabase({ url: database.url })).toEqual(names.sort());
  expect(await migrateDatabase({ url: database.url })).toEqual([]);
});

test('processes that start while another one migrates wait for it and apply nothing twice', async () => {
  await writeMigration('0001_slow', 'CREATE TABLE slow (id INT); SELECT pg_sleep(1)');
  const first = migrateDatabase({ url: database.url, prismaDir });
  await waitForSleep();
  const later = Array.from({ length: 4 }, () => migrateDatabase({ url: database.url, prismaDir }));
  expect(await Promise.all([first, ...later])).toEqual([['0001_slow'], [], [], [], []]);
  expect(await readHistory()).toEqual([{ name: '0001_slow', state: 'finished' }]);
});

test('progress names what is applied, and is silent when nothing is', async () => {
  await writeMigration('0001_one', 'SELECT 1');
  const messages: string[] = [];
  const options = {
    url: database.url,
    prismaDir,
    onProgress: (text: string) => messages.push(text),
  };
  await migrateDatabase(options);
  await migrateDatabase(options);
  expect(messages).toEqual(['Migrating the database (0001_one)']);
});

test('where nothing is missing, a start does not wait for the lock', async () => {
  await writeMigration('0001_one', 'SELECT 1');
  await migrateDatabase({ url: database.url, prismaDir });
  const other = openMigrationSession(database.url);
  try {
    await lockMigrations(other);
    expect(await migrateDatabase({ url: database.url, prismaDir })).toEqual([]);
  } finally {
    await other.end();
  }
});

test('a database that Prisma’s engine migrated needs nothing more, and the other way round', async () => {
  await writeMigration('0001_one', 'CREATE TABLE one (id INT)');
  expect(await migrateWithPrisma()).toEqual(['0001_one']);
  expect(await migrateDatabase({ url: database.url, prismaDir })).toEqual([]);
  await writeMigration('0002_two', 'CREATE TABLE two (id INT)');
  expect(await migrateDatabase({ url: database.url, prismaDir })).toEqual(['0002_two']);
  expect(await migrateWithPrisma()).toEqual([]);
  const checksums = await query(
    'SELECT DISTINCT length(checksum) AS length FROM _prisma_migrations',
  );
  expect(checksums).toEqual([{ length: 64 }]);
});

test('what another process has begun and not finished is not taken for done', async () => {
  await writeMigration('0001_one', 'SELECT 1');
  await migrateDatabase({ url: database.url, prismaDir });
  await query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', 'x', '0002_newer')`,
  );
  const other = openMigrationSession(database.url);
  await lockMigrations(other);
  const waiting = migrateDatabase({ url: database.url, prismaDir });
  await waitForLock();
  await query(`UPDATE _prisma_migrations SET finished_at = now() WHERE id = 'x'`);
  await other.end();
  await expect(waiting).rejects.toThrow(MigrationHistoryError);
});

test('semicolons inside strings, comments and function bodies do not cut a script', async () => {
  await writeMigration(
    '0001_semicolons',
    `CREATE TABLE note (text TEXT DEFAULT 'a;b'); -- one; two
     CREATE FUNCTION three() RETURNS INT LANGUAGE plpgsql AS $$ BEGIN RETURN 3; END $$;
     INSERT INTO note DEFAULT VALUES;`,
  );
  await migrateDatabase({ url: database.url, prismaDir });
  expect(await query('SELECT text, three() AS number FROM note')).toEqual([
    { text: 'a;b', number: 3 },
  ]);
});

test('a migration that fails leaves nothing behind and is tried again after its repair', async () => {
  await writeMigration('0001_broken', 'CREATE TABLE half (id INT); SELECT 1 / 0;');
  await expect(migrateDatabase({ url: database.url, prismaDir })).rejects.toThrow(
    /division by zero/,
  );
  expect(await query(`SELECT to_regclass('half') AS half`)).toEqual([{ half: null }]);
  await writeMigration('0001_broken', 'CREATE TABLE half (id INT);');
  expect(await migrateDatabase({ url: database.url, prismaDir })).toEqual(['0001_broken']);
  expect(await readHistory()).toEqual([
    { name: '0001_broken', state: 'rolled back' },
    { name: '0001_broken', state: 'finished' },
  ]);
});

test('a migration whose process dies in the middle is undone, and the next start applies it', async () => {
  await writeMigration('0001_slow', 'CREATE TABLE slow (id INT); SELECT pg_sleep(20);');
  const dying = migrateDatabase({ url: database.url, prismaDir }).catch(() => 'died');
  await waitForSleep();
  await query(`SELECT pg_terminate_backend(pid) FROM (${SLEEPING}) AS sleeping`);
  expect(await dying).toBe('died');
  await writeMigration('0001_slow', 'CREATE TABLE slow (id INT);');
  expect(await migrateDatabase({ url: database.url, prismaDir })).toEqual(['0001_slow']);
});

test('a migration is finished in the transaction that applies it, so no crash can come in between', async () => {
  await writeMigration(
    '0001_watched',
    `CREATE TABLE applied AS SELECT txid_current() AS id;
     CREATE TABLE marked (id BIGINT);
     CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN INSERT INTO marked VALUES (txid_current()); RETURN NEW; END $$;
     CREATE TRIGGER watch AFTER UPDATE ON _prisma_migrations FOR EACH ROW
       WHEN (OLD.finished_at IS NULL AND NEW.finished_at IS NOT NULL) EXECUTE FUNCTION watch();`,
  );
  await migrateDatabase({ url: database.url, prismaDir });
  const both = 'SELECT applied.id = marked.id AS same FROM applied, marked';
  expect(await query(both)).toEqual([{ same: true }]);
});

test('a database that a newer program migrated is refused with the names of what is unknown', async () => {
  await writeMigration('0001_known', 'SELECT 1');
  await writeMigration('0002_newer', 'SELECT 2');
  await migrateDatabase({ url: database.url, prismaDir });
  await rm(join(prismaDir, 'migrations', '0002_newer'), { recursive: true });
  const refused = migrateDatabase({ url: database.url, prismaDir });
  await expect(refused).rejects.toThrow(MigrationHistoryError);
  await expect(refused).rejects.toThrow('does not know (0002_newer)');
  await expect(refused).rejects.toThrow(/used by a newer version/);
});

test('a database that a changed script migrated is refused with the name of the migration', async () => {
  await writeMigration('0001_one', 'CREATE TABLE one (id INT)');
  await writeMigration('0002_two', 'SELECT 2');
  await migrateDatabase({ url: database.url, prismaDir });
  await writeMigration('0001_one', 'CREATE TABLE one (id BIGINT)');
  await writeMigration('0003_three', 'CREATE TABLE three (id INT)');
  const options = { url: database.url, prismaDir };
  await expect(migrateDatabase(options)).rejects.toThrow('the same names (0001_one)');
  await expect(listMissingMigrations(database.url, prismaDir)).rejects.toThrow(
    /^The database was migrated by other scripts .*\(0001_one\): start the version/,
  );
  expect(await query(`SELECT to_regclass('three') AS three`)).toEqual([{ three: null }]);
});

test('a database with another encoding is refused before the first migration', async () => {
  const name = `latin_${randomBytes(6).toString('hex')}`;
  await query(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
  const url = Object.assign(new URL(database.url), { pathname: `/${name}` }).href;
  try {
    const sentence = /^The encoding of the database is LATIN1: .*ENCODING 'UTF8'/;
    await expect(migrateDatabase({ url })).rejects.toThrow(sentence);
    await expect(listMissingMigrations(url)).rejects.toThrow(sentence);
  } finally {
    await query(`DROP DATABASE ${name}`);
  }
});

/** Holds what a transaction that has read the table holds, until the function that it answers is called. */
async function readWithoutEnd(table: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query(`SELECT FROM ${table}`);
  return () => client.end();
}

test('a migration that waits for a long transaction lets others pass, and continues when it ends', async () => {
  await writeMigration('0001_one', 'CREATE TABLE one (id INT)');
  await migrateDatabase({ url: database.url, prismaDir });
  await writeMigration('0002_two', 'ALTER TABLE one ADD COLUMN two INT; SELECT pg_sleep(0)');
  const end = await readWithoutEnd('one');
  const messages: string[] = [];
  const waiting = migrateDatabase({
    url: database.url,
    prismaDir,
    onProgress: (text) => messages.push(text),
    lockWaits: { timeoutMs: 50, attempts: 1_000, pauseMs: 50 },
  });
  await expect.poll(() => messages.at(-1)).toMatch(/^Waiting for other transactions.*0002_two/);
  // Behind a migration that does not give up, this would wait for the long transaction.
  await query('SELECT FROM one');
  await end();
  expect(await waiting).toEqual(['0002_two']);
  expect(messages.filter((text) => text.startsWith('Waiting'))).toHaveLength(1);
});

test('a lock that is never let go of is named, nothing is left behind, and the next start tries again', async () => {
  await writeMigration('0001_one', 'CREATE TABLE one (id INT)');
  await migrateDatabase({ url: database.url, prismaDir });
  await writeMigration('0002_two', 'CREATE TABLE two (id INT); DROP TABLE one');
  const end = await readWithoutEnd('one');
  const lockWaits = { timeoutMs: 20, attempts: 3, pauseMs: 1 };
  const refused = migrateDatabase({ url: database.url, prismaDir, lockWaits });
  await expect(refused).rejects.toThrow(MigrationLockError);
  await expect(refused).rejects.toThrow(/0002_two needs a table .* pg_stat_activity/);
  expect(await query(`SELECT to_regclass('two') AS two`)).toEqual([{ two: null }]);
  await end();
  expect(await migrateDatabase({ url: database.url, prismaDir })).toEqual(['0002_two']);
});

test('builds an index of a large table concurrently, even after an interrupted attempt', async () => {
  await writeMigration('0001_one', 'CREATE TABLE one (id INT); INSERT INTO one VALUES (1), (1)');
  await migrateDatabase({ url: database.url, prismaDir });
  // An index that could not be built stays behind, invalid.
  const create = 'INDEX CONCURRENTLY IF NOT EXISTS one_id ON one (id)';
  await expect(query(`CREATE UNIQUE ${create}`)).rejects.toThrow(/could not create unique/);
  await writeMigration('0002_index', `-- Serves a query; built beside joins.\nCREATE ${create};\n`);
  expect(await migrateDatabase({ url: database.url, prismaDir })).toEqual(['0002_index']);
  const index = `SELECT indisvalid, indisunique FROM pg_index WHERE indexrelid = 'one_id'::regclass`;
  expect(await query(index)).toEqual([{ indisvalid: true, indisunique: false }]);
  expect(await readHistory()).toMatchObject([{ state: 'finished' }, { state: 'finished' }]);
});

test('processes that start while an index is built concurrently wait for it, and it for none of them', async () => {
  await writeMigration('0001_one', 'CREATE TABLE one (id INT)');
  await migrateDatabase({ url: database.url, prismaDir });
  const create = 'CREATE INDEX CONCURRENTLY IF NOT EXISTS One_Id ON one (id);';
  await writeMigration('0002_index', create);
  // The first process waits for this writer before it looks for what else is older than the index.
  const writer = new pg.Client({ connectionString: database.url });
  await writer.connect();
  await writer.query('BEGIN');
  await writer.query('INSERT INTO one VALUES (1)');
  const first = migrateDatabase({ url: database.url, prismaDir });
  const building = `SELECT FROM pg_stat_progress_create_index WHERE datname = current_database()`;
  await expect.poll(async () => (await query(building)).length, { timeout: 10_000 }).toBe(1);
  const second = migrateDatabase({ url: database.url, prismaDir });
  await waitForLock();
  await writer.end();
  expect(await Promise.all([first, second])).toEqual([['0002_index'], []]);
  const index = `SELECT indisvalid FROM pg_index WHERE indexrelid = 'one_id'::regclass`;
  expect(await query(index)).toEqual([{ indisvalid: true }]);
});

async function migrateWithPrisma(): Promise<string[]> {
  const session = openMigrationSession(database.url);
  const engine = await openSchemaEngine(session, await readSchemaFile(prismaDir));
  try {
    const migrationsList = await readMigrationList(prismaDir);
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList,
      filters: NO_FILTER,
    });
    return appliedMigrationNames;
  } finally {
    engine.free();
    await session.end();
  }
}

const SLEEPING = `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
                  AND application_name = 'muster-migrations' AND wait_event = 'PgSleep'`;

/** Another session asks for the lock again and again. */
async function waitForLock(): Promise<void> {
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT pg_try_advisory_lock%'
    AND pid NOT IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted)`;
  await expect.poll(async () => (await query(waiting)).length, { timeout: 10_000 }).toBe(1);
}

async function waitForSleep(): Promise<void> {
  await expect.poll(async () => (await query(SLEEPING)).length, { timeout: 10_000 }).toBe(1);
}

async function writeMigration(name: string, sql: string): Promise<void> {
  const folder = join(prismaDir, 'migrations', name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'migration.sql'), sql);
}

function readHistory(): Promise<Record<string, unknown>[]> {
  return query(
    `SELECT migration_name AS name, CASE WHEN rolled_back_at IS NOT NULL THEN 'rolled back'
       WHEN finished_at IS NOT NULL THEN 'finished' ELSE 'unfinished' END AS state
     FROM _prisma_migrations ORDER BY started_at`,
  );
}

function query(sql: string): Promise<Record<string, unknown>[]> {
  return withClient(
    { connectionString: database.url },
    async (client) => (await client.query(sql)).rows,
  );
}

test('a script is cut where its statements end, and nowhere else', () => {
  const body = `CREATE FUNCTION f() RETURNS text LANGUAGE sql AS $b$ SELECT ';'; $b$`;
  const script = `-- first; a comment
    SELECT 1; /* ; */ ;
    INSERT INTO "a;b" VALUES ('it''s; fine');
    ${body};
    -- the end;
    `;
  expect(splitStatements(script)).toEqual([
    '-- first; a comment\n    SELECT 1',
    `INSERT INTO "a;b" VALUES ('it''s; fine')`,
    body,
  ]);
});
