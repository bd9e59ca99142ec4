import type { Database } from '@muster/database';
import { listMissingMigrations, openDatabase, reachEmbeddedPostgres } from '@muster/database';
import type { Config } from '../platform/index.ts';
import { callOf, StartError } from '../platform/index.ts';

/** Works on the database of a service, which may be running. Throws StartError when its tables are not up to date. */
export const withDatabase = async (
  { databaseUrl, dataDir }: Config,
  work: (database: Database) => Promise<void>,
): Promise<void> => {
  const own = databaseUrl ? null : await reachEmbeddedPostgres({ dataDir, onProgress: report });
  try {
    const url = databaseUrl ?? own?.url ?? '';
    const missing = await listMissingMigrations(url);
    if (missing.length > 0) {
      throw new StartError(
        `The database lacks the migrations ${missing.join(', ')}: start the service, or run "${callOf('migrate')}", and try again.`,
      );
    }
    const database = openDatabase({ url, maxConnections: 1, applicationName: 'muster-cli' });
    try {
      await work(database);
    } finally {
      await database.close();
    }
  } finally {
    await own?.stop();
  }
};

/** On standard error, so that standard output has only the result. */
export const report = (sentence: string): void => {
  process.stderr.write(`${sentence}\n`);
};
