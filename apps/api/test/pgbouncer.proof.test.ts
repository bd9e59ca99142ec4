// The service behind a real PgBouncer: everything works in session mode, and no program starts in the other modes.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Target } from '@muster/conformance';
import { closeConnections, createTarget, suite } from '@muster/conformance';
import { withClient } from '@muster/database';
import type { Pgbouncer, TestDatabase } from '@muster/database/testing';
import { createTestDatabase, digestTables, startPgbouncer } from '@muster/database/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDocumentedSettings } from './pgbouncer-guide.ts';
import type { ServiceProcess } from './service-process.ts';
import { startProgram, startServiceProcess } from './service-process.ts';
import { testEachCase } from './test-each-case.ts';

const secret = `${randomUUID()}${randomUUID()}`;

type Program = Parameters<typeof startProgram>[0];

const run = async (program: Program, databaseUrl: string, ...args: string[]) => {
  const env = { DATABASE_URL: databaseUrl, AUTH_JWT_SECRET: secret };
  const running = await startProgram(program, env, args);
  return { code: await running.ended, output: running.stdout() + running.stderr() };
};

describe('in session mode, as the guide configures it', () => {
  let database: TestDatabase;
  let pgbouncer: Pgbouncer;
  let service: ServiceProcess;
  let target: Target;
  beforeAll(async () => {
    // The service migrates the database through PgBouncer.
    database = await createTestDatabase({ migrated: false });
    const settings = await readDocumentedSettings();
    expect(settings.pool_mode).toBe('session');
    pgbouncer = await startPgbouncer(database.url, settings);
    service = await startServiceProcess({
      DATABASE_URL: pgbouncer.url,
      AUTH_JWT_SECRET: secret,
    });
    const baseUrl = new URL(service.baseUrl);
    target = await createTarget({ baseUrl, secret, historyAccess: 'authenticated' });
  });
  afterAll(async () => {
    closeConnections();
    expect(await service.stop()).toBe(0);
    await pgbouncer.stop();
    await database.drop();
  });

  testEachCase(suite, () => target, { timeoutMs: 60_000 });

  test('a backup and its restore contain all rows', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-pgbouncer-backup-'));
    const path = join(folder, 'backup.tar');
    const other = await createTestDatabase({ migrated: false });
    const beforeOther = await startPgbouncer(other.url);
    expect(await service.stop()).toBe(0);
    expect(await run('backup', pgbouncer.url, '--to', path)).toMatchObject({ code: 0 });
    expect(await run('restore', beforeOther.url, '--from', path)).toMatchObject({ code: 0 });
    expect(await digestTables(other.url)).toEqual(await digestTables(database.url));
    await beforeOther.stop();
    await other.drop();
    await rm(folder, { recursive: true });
  });

  test('doctor reports a pooler in session mode', async () => {
    const { code, output } = await run('doctor', pgbouncer.url);
    expect(output).toMatch(/^ok +pooling +a connection pooler in session mode/m);
    expect(code).toBe(0);
  });
});

test('the service ends with one sentence where all sessions of PgBouncer are in use', async () => {
  const database = await createTestDatabase();
  const pgbouncer = await startPgbouncer(database.url, { default_pool_size: 1 });
  await withClient({ connectionString: pgbouncer.url }, async (client) => {
    await client.query('SELECT 1');
    const { code, output } = await run('service', pgbouncer.url);
    expect(code).toBe(1);
    expect(output).toMatch(
      /^DATABASE_URL: cannot use the database .*timeout.* look at default_pool_size\.\n$/,
    );
  });
  await pgbouncer.stop();
  await database.drop();
});

describe.each(['transaction', 'statement'])('in %s mode', (pool_mode) => {
  let database: TestDatabase;
  let pgbouncer: Pgbouncer;
  beforeAll(async () => {
    database = await createTestDatabase({ migrated: false });
    pgbouncer = await startPgbouncer(database.url, { pool_mode });
  });
  afterAll(async () => {
    await pgbouncer.stop();
    await database.drop();
  });

  const SENTENCE =
    /a connection pooler in transaction or statement mode is in front of it, and Muster needs session mode; set pool_mode = session in PgBouncer, or connect to PostgreSQL directly\.$/m;

  test.each(['service', 'doctor', 'migrate'] as const)(
    '%s refuses with one sentence',
    async (program) => {
      const { code, output } = await run(program, pgbouncer.url);
      expect(code).toBe(1);
      expect(output).toMatch(SENTENCE);
    },
  );

  test('the service refuses a replica behind it', async () => {
    const starting = startServiceProcess({
      DATABASE_URL: database.url,
      DATABASE_REPLICA_URL: pgbouncer.url,
    });
    await expect(starting).rejects.toThrow(/DATABASE_REPLICA_URL: cannot use the database/);
    await expect(starting).rejects.toThrow(SENTENCE);
  });
});
