// The PostgreSQL of one test run: brought along, or given by TEST_DATABASE_URL.
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { withClient } from '../client.ts';
import { startScratchPostgres } from '../embedded/scratch-postgres.ts';
import { migrateDatabase } from '../migrations/migrate-database.ts';

/** What the workers of a run need to know. Plain data, since it crosses process borders. */
export type TestServer = {
  adminUrl: string;
  /** First part of the name of every database of this run. */
  prefix: string;
  /** Name of the migrated database that is copied. Nothing may stay connected to it. */
  template: string;
};

export async function startTestServer(): Promise<{ server: TestServer; stop(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL;
  const scratch = given ? null : await startScratchPostgres();
  const prefix = `muster_test_${randomBytes(4).toString('hex')}_`;
  const server = { adminUrl: given ?? scratch?.url ?? '', prefix, template: `${prefix}template` };
  const stop = async () => {
    if (given) await dropDatabasesOf(server);
    await scratch?.stop();
  };
  try {
    await runAsAdmin(server, (admin) => admin.query(`CREATE DATABASE ${server.template}`));
    await migrateDatabase({ url: databaseUrl(server, server.template) });
  } catch (error) {
    await stop();
    throw error;
  }
  return { server, stop };
}

export function databaseUrl(server: TestServer, name: string): string {
  const url = new URL(server.adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export const runAsAdmin = <T>(
  { adminUrl }: TestServer,
  work: (admin: pg.Client) => Promise<T>,
): Promise<T> => withClient({ connectionString: adminUrl }, work);

function dropDatabasesOf(server: TestServer): Promise<void> {
  return runAsAdmin(server, async (admin) => {
    const { rows } = await admin.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
      [server.prefix],
    );
    for (const { datname } of rows) await admin.query(`DROP DATABASE ${datname} WITH (FORCE)`);
  });
}
