// The databases of the process: that of DATABASE_URL or one of its own, and a replica of it.
import type { Database } from '@muster/database';
import { openDatabase, startEmbeddedPostgres } from '@muster/database';
import { checkConnection } from '../start/index.ts';
import type { ProcessParts } from './process-parts.ts';

export type ReachedDatabase = { url: string; database: Database };

export const reachDatabase = async (parts: ProcessParts): Promise<ReachedDatabase> => {
  const { config, logger, life } = parts;
  const url = config.databaseUrl ?? (await life.step(() => startPostgres(parts)));
  const database = openDatabase({
    url,
    onConnectionError: (err) => logger.warn({ err }, 'database connection lost'),
  });
  life.onStop('the database connections', database.close);
  await life.step(() => checkConnection(url, () => database.pool.query('SELECT 1')));
  return { url, database };
};

/** Not asked for anything yet: the service starts without it, too. */
export const openReplica = ({ logger, life }: ProcessParts, url: string): Database => {
  const replica = openDatabase({
    ...{ url, applicationName: 'muster-replica' },
    onConnectionError: (err) => logger.warn({ err }, 'connection to the replica lost'),
  });
  life.onStop('the connections to the replica', replica.close);
  return replica;
};

/** Resolves with its URL. */
const startPostgres = async ({ config, logger, life }: ProcessParts): Promise<string> => {
  const postgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    onProgress: (message) => life.report(`${message} …`),
    onTrouble: (message) => logger.error(message),
  });
  life.onStop('PostgreSQL', postgres.stop);
  return postgres.url;
};
