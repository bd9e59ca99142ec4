// Migrates the database of DATABASE_URL, as the service does when it starts.
import {
  classifyDatabaseError,
  describeDatabaseError,
  MigrationError,
  migrateDatabase,
} from '@muster/database';
import { loadConfig } from '../platform/index.ts';
import { UsageError } from './usage-error.ts';

/** Prints the names of the applied migrations. Throws UsageError without DATABASE_URL. */
export const runMigrate = async (): Promise<void> => {
  const { databaseUrl } = loadConfig(process.env);
  if (!databaseUrl) {
    throw new UsageError(
      'DATABASE_URL is required: the service migrates its built-in database itself',
    );
  }
  const onProgress = (message: string) => void process.stderr.write(`${message} …\n`);
  try {
    const names = await migrateDatabase({ url: databaseUrl, onProgress });
    const what = names.length === 0 ? 'nothing was missing' : `applied ${names.join(', ')}`;
    process.stdout.write(`The database is up to date: ${what}.\n`);
  } catch (error) {
    const isExpected =
      error instanceof MigrationError || classifyDatabaseError(error) === 'unavailable';
    if (!isExpected) throw error;
    process.stderr.write(`The database cannot be migrated: ${describeDatabaseError(error)}.\n`);
    process.exitCode = 1;
  }
};
