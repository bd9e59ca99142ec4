// A database of its own for a test file, copied from the migrated template in a few milliseconds.
import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import type { Database, OpenDatabaseOptions } from '../open-database.ts';
import { openDatabase } from '../open-database.ts';
import type {} from './global-setup.ts';
import { databaseUrl, runAsAdmin } from './test-server.ts';

export type TestDatabase = { url: string; drop(): Promise<void> };

export type TestDatabaseOptions = {
  /** Without it the database is empty, for tests of the migrations themselves. True by default. */
  migrated?: boolean;
};

/** Copies queue here across all workers: PostgreSQL refuses to copy a database that another session is using. */
const COPY_LOCK = '109322054857844';

/** Needs `@muster/database/testing/global-setup` among vitest's `globalSetup` files. */
export async function createTestDatabase({
  migrated = true,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const server = inject('musterTestServer');
  const name = `${server.prefix}${randomBytes(6).toString('hex')}`;
  const template = migrated ? server.template : 'template0';
  await runAsAdmin(server, async (admin) => {
    await admin.query(`SELECT pg_advisory_lock(${COPY_LOCK})`);
    // Copying files instead of logging each page takes half of the processor time, here and when the copy is dropped.
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  });
  return {
    url: databaseUrl(server, name),
    drop: () =>
      runAsAdmin(server, async (admin) => {
        await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }),
  };
}

/** Such a database, opened. Closing it drops it. */
export async function openTestDatabase(
  options: Omit<OpenDatabaseOptions, 'url'> = {},
): Promise<Database> {
  const { url, drop } = await createTestDatabase();
  const database = openDatabase({ ...options, url });
  return {
    ...database,
    close: async () => {
      await database.close();
      await drop();
    },
  };
}
