import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_PRISMA_DIR, migrateDatabase } from '../migrations/migrate-database.ts';
import type { TestDatabase } from '../testing/index.ts';
import { createTestDatabase, describeSchema, digestTables } from '../testing/index.ts';
import { readVerified, verifyArchive } from './archive-reader.ts';
import { createArchive, SUMMARY } from './archive-writer.ts';
import { backUp } from './back-up.ts';
import { restoreIntoDatabase } from './restore.ts';
import { fillEveryTable } from './testing/fill-every-table.ts';

let folder: string;
let path: string;
let source: TestDatabase;
let target: TestDatabase;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-backup-test-'));
  path = join(folder, 'backup.tar');
  source = await createTestDatabase();
  target = await createTestDatabase({ migrated: false });
});
afterEach(async () => {
  await Promise.all([source.drop(), target.drop()]);
  await rm(folder, { recursive: true });
});

const secrets = new Map<string, string>();
const query = async (url: string, sql: string) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client.query(sql).finally(() => client.end());
};
const isEmpty = async () =>
  (await query(target.url, `SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace`))
    .rowCount === 0;

test('a restored database has the same schema and the same rows as the one that was backed up', async () => {
  const filled = await fillEveryTable(source.url);
  const { rows } = await backUp({ url: source.url, path, secrets });
  const { event_outbox: _, event_outbox_origin: __, catalogue_value: ___, ...kept } = filled;
  expect(rows).toEqual(kept);
  await restoreIntoDatabase({ url: target.url, archive: await verifyArchive(path) });
  expect(await digestTables(target.url)).toEqual(await digestTables(source.url));
  expect(await describeSchema(target.url)).toEqual(await describeSchema(source.url));
  expect(await migrateDatabase({ url: target.url })).toEqual([]);
});

test('a backup leaves out the outbox, whose transaction ids mean nothing on another server', async () => {
  await fillEveryTable(source.url);
  await backUp({ url: source.url, path, secrets });
  await restoreIntoDatabase({ url: target.url, archive: await verifyArchive(path) });
  for (const table of ['event_outbox', 'event_outbox_origin']) {
    expect((await query(target.url, `SELECT FROM ${table}`)).rowCount).toBe(0);
  }
});

test('the schema has nothing that an archive does not hold', async () => {
  const { rows } = await query(
    source.url,
    `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind NOT IN ('r', 'i')
     UNION ALL SELECT attrelid::regclass::text FROM pg_attribute WHERE attidentity <> '' OR attgenerated <> ''
     UNION ALL SELECT oid::text FROM pg_largeobject_metadata`,
  );
  expect(rows).toEqual([]);
});

test('a backup blocks no writer, and excludes what they write while it runs', async () => {
  await fillEveryTable(source.url);
  const before = await digestTables(source.url);
  const writer = new pg.Client({ connectionString: source.url });
  await writer.connect();
  await writer.query(`BEGIN; UPDATE sandbox SET name = 'later'; DELETE FROM session_event`);
  let committing: Promise<unknown> | undefined;
  const onProgress = () => {
    committing ??= writer.query('COMMIT');
  };
  await backUp({ url: source.url, path, secrets, onProgress });
  await committing;
  await writer.end();
  await restoreIntoDatabase({ url: target.url, archive: await verifyArchive(path) });
  expect(await digestTables(target.url)).toEqual(before);
  expect(await digestTables(source.url)).not.toEqual(before);
});

test('an archive of an older schema is migrated up, and one of a newer schema is refused', async () => {
  await fillEveryTable(source.url);
  await backUp({ url: source.url, path, secrets });
  const prismaDir = join(folder, 'prisma');
  await cp(DEFAULT_PRISMA_DIR, prismaDir, { recursive: true });
  await mkdir(join(prismaDir, 'migrations/9999_later'));
  const script = join(prismaDir, 'migrations/9999_later/migration.sql');
  await writeFile(script, `ALTER TABLE sandbox ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'`);
  await restoreIntoDatabase({ url: target.url, prismaDir, archive: await verifyArchive(path) });
  const { rows } = await query(target.url, 'SELECT DISTINCT colour FROM sandbox');
  expect(rows).toEqual([{ colour: 'red' }]);

  const newer = join(folder, 'newer.tar');
  await backUp({ url: target.url, path: newer, secrets });
  const empty = await createTestDatabase({ migrated: false });
  const restoring = restoreIntoDatabase({ url: empty.url, archive: await verifyArchive(newer) });
  await expect(restoring).rejects.toThrow(/does not know \(9999_later\).*newer version/);
  await empty.drop();
});

test('a database that is not empty is refused and left as it is', async () => {
  await backUp({ url: source.url, path, secrets });
  await query(target.url, 'CREATE TABLE mine (a int)');
  const restoring = restoreIntoDatabase({ url: target.url, archive: await verifyArchive(path) });
  await expect(restoring).rejects.toThrow('not empty (it has mine)');
  await expect(backUp({ url: target.url, path: `${path}2`, secrets })).rejects.toThrow('is empty');
});

test('a database whose encoding no migration can be applied to is refused', async () => {
  await backUp({ url: source.url, path, secrets });
  const name = `latin_${randomBytes(6).toString('hex')}`;
  await query(
    target.url,
    `CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`,
  );
  const url = Object.assign(new URL(target.url), { pathname: `/${name}` }).href;
  const restoring = restoreIntoDatabase({ url, archive: await verifyArchive(path) });
  await expect(restoring).rejects.toThrow(/^The encoding of the database is LATIN1: .*'UTF8'/);
  await query(target.url, `DROP DATABASE ${name}`);
});

/** A whole archive, so that nothing but its content can be wrong. */
const rewrite = async (change: (name: string, content: Buffer) => Buffer): Promise<string> => {
  const altered = join(folder, 'altered.tar');
  const writer = await createArchive(altered, new Date());
  for await (const { name, content } of readVerified(await verifyArchive(path))) {
    await writer.append(name, change(name, content));
  }
  await writer.finish();
  return altered;
};

test('a restore that fails, here since rows are missing, leaves nothing', async () => {
  await fillEveryTable(source.url);
  await backUp({ url: source.url, path, secrets });
  const altered = await rewrite((name, content) =>
    name === SUMMARY
      ? Buffer.from(content.toString().replace('"session_seat": 2', '"session_seat": 3'))
      : content,
  );
  const restoring = restoreIntoDatabase({ url: target.url, archive: await verifyArchive(altered) });
  await expect(restoring).rejects.toThrow('session_seat got 2 rows instead of 3');
  expect(await isEmpty()).toBe(true);
});

test('a history whose head is not its last version is refused, and nothing is left', async () => {
  await fillEveryTable(source.url);
  await query(source.url, `UPDATE sandbox SET head_hash = sha256('x')`);
  await backUp({ url: source.url, path, secrets });
  const restoring = restoreIntoDatabase({ url: target.url, archive: await verifyArchive(path) });
  await expect(restoring).rejects.toThrow('does not end where the sandbox says');
  expect(await isEmpty()).toBe(true);
});

test('a backup and a restore that are ended early leave nothing', async () => {
  await fillEveryTable(source.url);
  const ending = new AbortController();
  const end = { signal: ending.signal, onProgress: () => ending.abort(new Error('enough')) };
  await expect(backUp({ url: source.url, path, secrets, ...end })).rejects.toThrow('enough');
  expect(await readdir(folder)).toEqual([]);
  await backUp({ url: source.url, path, secrets });
  const again = new AbortController();
  const restoring = restoreIntoDatabase({
    url: target.url,
    archive: await verifyArchive(path),
    signal: again.signal,
    onProgress: () => again.abort(new Error('enough')),
  });
  await expect(restoring).rejects.toThrow('enough');
  await expect.poll(isEmpty).toBe(true);
});

test('a migration that fails after the data is committed undoes nothing, and the result reports it', async () => {
  await fillEveryTable(source.url);
  await backUp({ url: source.url, path, secrets });
  const prismaDir = join(folder, 'prisma');
  await cp(DEFAULT_PRISMA_DIR, prismaDir, { recursive: true });
  await mkdir(join(prismaDir, 'migrations/9999_broken'));
  await writeFile(join(prismaDir, 'migrations/9999_broken/migration.sql'), 'SELECT 1 / 0');
  const archive = await verifyArchive(path);
  const { unfinished } = await restoreIntoDatabase({ url: target.url, prismaDir, archive });
  expect(unfinished).toContain('division by zero');
  expect((await query(target.url, 'SELECT FROM sandbox')).rowCount).toBeGreaterThan(0);
});

test('a restore that is ended early once the data is committed keeps it, and one before that does not', async () => {
  await fillEveryTable(source.url);
  await backUp({ url: source.url, path, secrets });
  const archive = await verifyArchive(path);
  const endAt = (moment: 'indexes' | 'counting' | 'commit') => {
    const ending = new AbortController();
    const end = () => ending.abort(new Error('enough'));
    return restoreIntoDatabase({
      url: target.url,
      archive,
      signal: ending.signal,
      beforeEnd: async () => {
        if (moment === 'commit') end();
      },
      onProgress: (message) => {
        if (message.startsWith(moment === 'counting' ? 'Counting' : 'Making')) {
          if (moment !== 'commit') end();
        }
      },
    });
  };
  await expect(endAt('indexes')).rejects.toThrow('enough');
  await expect.poll(isEmpty).toBe(true);
  await expect(endAt('commit')).rejects.toThrow('enough');
  await expect.poll(isEmpty).toBe(true);
  expect((await endAt('counting')).unfinished).toMatch(/ended early/);
  expect(await digestTables(target.url)).toEqual(await digestTables(source.url));
});
