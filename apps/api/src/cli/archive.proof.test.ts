// Messages of `muster restore`, and the content of DATA_DIR after each possible end.
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestDatabase } from '@muster/database/testing';
import { createTestDatabase } from '@muster/database/testing';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startProgram } from '../../test/service-process.ts';

const SECRETS = ['accounts-secret', 'jwt-secret'];

let folder: string;
let target: TestDatabase;
let client: pg.Client;

/** An archive with secrets, and an empty database to restore it into. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-archive-test-'));
  const source = await createTestDatabase();
  const own = join(folder, 'source');
  await mkdir(own);
  for (const name of SECRETS) {
    await writeFile(join(own, name), randomBytes(36).toString('hex'), { mode: 0o600 });
  }
  const env = { DATA_DIR: own, DATABASE_URL: source.url };
  const made = await startProgram('backup', env, ['--to', archive()]);
  expect(await made.ended).toBe(0);
  await source.drop();
  target = await createTestDatabase({ migrated: false });
  client = new pg.Client({ connectionString: target.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await target.drop();
  await rm(folder, { recursive: true });
});

const archive = () => join(folder, 'backup.tar');
const restore = () => {
  const env = { DATA_DIR: join(folder, 'target'), DATABASE_URL: target.url };
  return startProgram('restore', env, ['--from', archive()]);
};
const secretsIn = async (name: string) =>
  (await readdir(join(folder, name)).catch(() => []))
    .filter((file) => file.endsWith('-secret'))
    .toSorted();

test('leaves no secret of the archive in DATA_DIR when a restore is refused', async () => {
  await client.query('CREATE TABLE mine (a int)');
  const refused = await restore();
  expect(await refused.ended).toBe(1);
  expect(refused.stderr()).toContain('not empty (it has mine)');
  expect(await secretsIn('target')).toEqual([]);
  await client.query('DROP TABLE mine');
  expect(await (await restore()).ended).toBe(0);
  expect(await secretsIn('target')).toEqual(SECRETS);
});

test('reports that all data is restored when a restore is stopped after its commit', async () => {
  // The step after the data vacuums every table, including those of the catalogue, and waits for this lock.
  const holder = new pg.Client({ connectionString: target.url });
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE pg_largeobject IN SHARE UPDATE EXCLUSIVE MODE');
  const restoring = await restore();
  const isWaiting = async () => {
    const { rowCount } = await client.query(`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'VACUUM%' AND wait_event_type = 'Lock'`);
    return rowCount === 1;
  };
  await expect.poll(isWaiting, { timeout: 20_000 }).toBe(true);
  restoring.signal('SIGTERM');
  const code = await restoring.ended;
  await holder.end();
  expect(code).toBe(3);
  expect(restoring.stdout()).toMatch(/ Restored\.\n$/);
  expect(restoring.stderr()).toMatch(/All data is restored\. .*ended early/);
  expect(restoring.stderr()).not.toContain('nothing is left');
  const { rows } = await client.query('SELECT count(*)::int AS migrations FROM _prisma_migrations');
  expect(rows[0]?.migrations).toBeGreaterThan(0);
  expect(await secretsIn('target')).toEqual(SECRETS);
});
