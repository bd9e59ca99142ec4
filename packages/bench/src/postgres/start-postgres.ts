// The one PostgreSQL of a run: the one that the service brings along, with durability on, shared by all variants.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase, startEmbeddedPostgres } from '@muster/database';
import pg from 'pg';

export type BenchPostgres = {
  version: string;
  /** Process id of the postmaster, whose children do the work. */
  pid: number;
  urlOf(database: string): string;
  run(database: string, text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** In one transaction, on a connection that `settings`, statements as well, hold for. */
  runTogether(database: string, settings: string, statements: readonly Statement[]): Promise<void>;
  /** Nothing where it is there already. */
  createDatabase(name: string, template?: string): Promise<void>;
  /** With all who are connected; nothing where there is none. */
  dropDatabase(name: string): Promise<void>;
  /**
   * False where the database is there and the query finds a row in it. One that an earlier run has left half-way is
   * dropped and made anew, empty.
   */
  createUnlessComplete(name: string, query: string): Promise<boolean>;
  migrate(database: string): Promise<void>;
  stop(): Promise<void>;
};

export type Statement = { text: string; values?: readonly unknown[] };

export type Row = Record<string, unknown>;

/**
 * Checkpoints are forced neither by the amount of writes nor by the clock, so that none hits one variant with what another one has
 * written. Nobody replicates the server: its log need not repeat a table or an index that the same transaction has made. The rest is as the service
 * starts it.
 */
const SETTINGS = {
  ...{ max_wal_size: '16GB', checkpoint_timeout: '30min', max_connections: '200' },
  ...{ wal_level: 'minimal', max_wal_senders: '0' },
};

const DURABLE = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };

/** With `dataDir` the data outlives the run, and a later run finds it. */
export const startPostgres = async (dataDir?: string): Promise<BenchPostgres> => {
  const folder = dataDir ?? (await makeScratchFolder());
  const server = await startEmbeddedPostgres({ dataDir: folder, settings: SETTINGS });
  const urlOf = (database: string) => withDatabase(server.url, database);
  const run: BenchPostgres['run'] = (database, text, values) =>
    runOnce(urlOf(database), text, values);
  const stop = async () => {
    await server.stop();
    if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
  };
  try {
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
      stop,
      ...databaseTools(run, urlOf),
    };
  } catch (error) {
    await stop();
    throw error;
  }
};

const databaseTools = (
  run: BenchPostgres['run'],
  urlOf: BenchPostgres['urlOf'],
): Pick<BenchPostgres, 'createDatabase' | 'dropDatabase' | 'createUnlessComplete' | 'migrate'> => {
  const exists = async (name: string): Promise<boolean> =>
    (await run('postgres', 'SELECT FROM pg_database WHERE datname = $1', [name])).length > 0;
  const dropDatabase: BenchPostgres['dropDatabase'] = async (name) => {
    await run('postgres', `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  const createDatabase: BenchPostgres['createDatabase'] = async (name, template = 'template0') => {
    if (await exists(name)) return;
    await run('postgres', `CREATE DATABASE ${name} TEMPLATE ${template}`);
  };
  return {
    createDatabase,
    dropDatabase,
    createUnlessComplete: async (name, query) => {
      // Where the tables are not made yet, the query fails.
      const rows = (await exists(name)) ? await run(name, query).catch(() => []) : [];
      if (rows.length > 0) return false;
      await dropDatabase(name);
      await createDatabase(name);
      return true;
    },
    migrate: async (database) => {
      await migrateDatabase({ url: urlOf(database) });
    },
  };
};

/** Root runs PostgreSQL as another user, who has to pass through. */
const makeScratchFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'));
  await chmod(folder, 0o711);
  return folder;
};

const withDatabase = (url: string, database: string): string => {
  const parsed = new URL(url);
  parsed.pathname = `/${database}`;
  return parsed.href;
};

const runOnce = (url: string, text: string, values: readonly unknown[] = []): Promise<Row[]> =>
  connecting(url, async (client) => (await client.query<Row>(text, [...values])).rows);

const connecting = async <Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> => {
  const client = new pg.Client({ connectionString: url, application_name: 'bench' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** Refuses to measure a server that may lose what it has acknowledged. */
const describeServer = async (run: BenchPostgres['run']) => {
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
