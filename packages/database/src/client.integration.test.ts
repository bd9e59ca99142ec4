import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyArchive } from './backup/archive-reader.ts';
import { backUp } from './backup/back-up.ts';
import { restoreIntoDatabase } from './backup/restore.ts';
import { withClient } from './client.ts';
import { findShards } from './distribution/shards.ts';
import { migrateDatabase } from './migrations/migrate-database.ts';
import { openDatabase } from './open-database.ts';
import type { TestDatabase } from './testing/index.ts';
import { createTestDatabase } from './testing/index.ts';

let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await createTestDatabase();
});
afterAll(() => fixture.drop());

/** The names in a startup message: a length, the version of the protocol, then names and values that end with a zero byte. */
const readParameterNames = (message: Buffer): string[] => {
  const words = message.subarray(8, message.readInt32BE(0)).toString().split('\0');
  return words.filter((word, index) => index % 2 === 0 && word !== '');
};

/** Runs `work` with a URL that leads to the database, and gives the names of all startup parameters that were sent. */
const recordParameters = async (databaseUrl: string, work: (url: string) => Promise<unknown>) => {
  const names = new Set<string>();
  const { port: serverPort, hostname } = new URL(databaseUrl);
  const link = createServer((client) => {
    const server = connect(Number(serverPort), hostname);
    client.once('data', (message) => {
      for (const name of readParameterNames(message)) names.add(name);
    });
    client.pipe(server).pipe(client);
    for (const socket of [client, server]) socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(link, 'listening');
  const url = new URL(databaseUrl);
  url.port = String((link.address() as AddressInfo).port);
  await work(url.href);
  link.close();
  return [...names].sort();
};

/** PgBouncer accepts these, and the time zone and `DateStyle`, without `ignore_startup_parameters`. */
const ACCEPTED = ['application_name', 'client_encoding', 'database', 'user'];

test('connections of the service send no startup parameter that a pooler refuses', async () => {
  const names = await recordParameters(fixture.url, async (url) => {
    await findShards(url);
    const database = openDatabase({ url });
    await database.ping();
    await database.pool.query('SELECT 1');
    await database.keyedPool.query('SELECT 1');
    await database.prisma.sandbox.findFirst();
    await database.close();
  });
  expect(names).toEqual(ACCEPTED);
});

test('nor do migrations, backups and restores', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-startup-'));
  const path = join(folder, 'backup.tar');
  const [migrated, restored] = [
    await createTestDatabase({ migrated: false }),
    await createTestDatabase({ migrated: false }),
  ];
  const names = [
    await recordParameters(migrated.url, (url) => migrateDatabase({ url })),
    await recordParameters(fixture.url, (url) => backUp({ url, path, secrets: new Map() })),
    await recordParameters(restored.url, async (url) =>
      restoreIntoDatabase({ archive: await verifyArchive(path), url }),
    ),
  ];
  expect(names).toEqual([ACCEPTED, ACCEPTED, ACCEPTED]);
  await Promise.all([migrated.drop(), restored.drop(), rm(folder, { recursive: true })]);
});

test('the options of the URL are sent as they are', async () => {
  const withOptions = new URL(fixture.url);
  withOptions.searchParams.set('options', '-c work_mem=5MB');
  const names = await recordParameters(withOptions.href, async (url) => {
    const { pool, close } = openDatabase({ url });
    const { rows } = await pool.query(`SELECT current_setting('work_mem') AS memory`);
    expect(rows).toEqual([{ memory: '5MB' }]);
    await close();
  });
  expect(names).toEqual([...ACCEPTED, 'options'].sort());
});

test('a setting that PostgreSQL refuses fails the connection, which is closed', async () => {
  const config = { connectionString: fixture.url, settings: { timezone: 'Nowhere' } };
  await expect(withClient(config, async () => {})).rejects.toThrow(/TimeZone.*Nowhere/);
});

test('the first statement of a connection already has its settings', async () => {
  const database = openDatabase({ url: fixture.url, statementTimeoutMs: 1_234 });
  const statement = `SELECT current_setting('statement_timeout') AS statement,
    current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('timezone') AS zone,
    current_setting('plan_cache_mode') AS plans`;
  const limits = { statement: '1234ms', idle: '30s', zone: 'UTC' };
  const asked = Array.from({ length: 5 }, () => database.pool.query(statement));
  for (const { rows } of await Promise.all(asked)) {
    expect(rows).toEqual([{ ...limits, plans: 'auto' }]);
  }
  const keyed = await database.keyedPool.query(statement);
  expect(keyed.rows).toEqual([{ ...limits, plans: 'force_generic_plan' }]);
  expect(await database.prisma.$queryRawUnsafe(statement)).toEqual([{ ...limits, plans: 'auto' }]);
  await database.close();
});
