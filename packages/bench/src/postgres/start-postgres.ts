// The one PostgreSQL of a run: the one that the service brings along, with durability on, shared by all variants.
import { migrateDatabase, startEmbeddedPostgres, withClient } from '@muster/database';
import type pg from 'pg';
import { acquire, makeScratchFolder } from '../stopping.ts';

export type BenchPostgres = {
  version: string;
  /** Process id of the postmaster, whose children do the work. */
  pid: number;
  urlOf(database: string): string;
  run(database: string, text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** In one transaction, on a connection that `settings`, statements as well, hold for. */
  runTogether(database: string, settings: string, statements: readonly Statement[]): Promise<void>;
  /** Empty and migrated, whatever an earlier run has left under the name. */
  createFresh(database: string): Promise<void>;
  migrate(database: string): Promise<void>;
  stop(): Promise<void>;
};

export type Statement = { text: string; values?: readonly unknown[] };

export type Row = Record<string, unknown>;

/**
 * Neither the amount of writes nor the clock forces a checkpoint, so that no variant pays for the writes of another one.
 * The server has no replicas, so its log can omit tables and indexes that the same transaction creates. The other
 * settings are those of the service.
 */
const SETTINGS = {
  max_wal_size: '16GB',
  checkpoint_timeout: '30min',
  max_connections: '200',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

const DURABLE = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };

/** With `dataDir` the data outlives the run, and a later run finds it. */
export const startPostgres = async (dataDir?: string): Promise<BenchPostgres> => {
  const folder = dataDir === undefined ? makeScratchFolder() : null;
  const { thing: starting, release } = acquire(
    () => startEmbeddedPostgres({ dataDir: dataDir ?? folder?.path ?? '', settings: SETTINGS }),
    // Also one that is still starting is stopped, when it has started.
    async (server) => (await server.catch(() => null))?.stop(),
  );
  const stop = async () => {
    await release();
    await folder?.stop();
  };
  try {
    const { url } = await starting;
    const urlOf = (database: string) => new URL(`/${database}`, url).href;
    const run: BenchPostgres['run'] = (database, text, values) =>
      runAt(urlOf(database), text, values);
    const migrate: BenchPostgres['migrate'] = async (database) => {
      await migrateDatabase({ url: urlOf(database) });
    };
    return {
      ...(await describeServer(run)),
      urlOf,
      run,
      runTogether: (database, settings, statements) =>
        connecting(urlOf(database), async (client) => {
          await client.query(settings);
          await client.query('BEGIN');
          for (const { text, values = [] } of statements) await client.query(text, [...values]);
          await client.query('COMMIT');
        }),
      createFresh: async (name) => {
        await run('postgres', `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
        await run('postgres', `CREATE DATABASE ${name} TEMPLATE template0`);
        await migrate(name);
      },
      migrate,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};

const connecting = async <Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> => withClient({ connectionString: url, application_name: 'bench' }, work);

/** One statement, on a connection of its own. */
export const runAt = (url: string, text: string, values: readonly unknown[] = []): Promise<Row[]> =>
  connecting(url, async (client) => {
    const { rows } = await client.query<Row>(text, [...values]);
    return rows;
  });

/** Refuses to measure a server that may lose what it has acknowledged. */
export const describeServer = async (run: BenchPostgres['run']) => {
  for (const [name, expected] of Object.entries(DURABLE)) {
    const [row] = await run('postgres', `SELECT current_setting($1) AS value`, [name]);
    if (row?.value !== expected) throw new Error(`${name} is ${row?.value}, not ${expected}.`);
  }
  const [row] = await run(
    'postgres',
    `SELECT current_setting('server_version') AS version,
       split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid`,
  );
  return { version: String(row?.version), pid: Number(row?.pid) };
};
