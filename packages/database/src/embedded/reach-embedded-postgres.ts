// Reaches the PostgreSQL of a data folder for a short while: the one that runs for a service, else one started for the purpose.
import { readFile } from 'node:fs/promises';
import { isInitialised, locateDataFolder } from './data-folder.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { findRunningServer } from './postmaster-file.ts';
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from './start-embedded-postgres.ts';
import { databaseUrl, startEmbeddedPostgres } from './start-embedded-postgres.ts';

/**
 * Takes nothing away from a service that holds the folder: `stop` stops only what was started here.
 * Throws EmbeddedPostgresError where the folder has no database.
 */
export async function reachEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<Pick<EmbeddedPostgres, 'url' | 'stop'>> {
  const folder = locateDataFolder(options.dataDir);
  if (!(await isInitialised(folder))) {
    throw new EmbeddedPostgresError(
      `${folder.dataDir} holds no database: is it the right DATA_DIR?`,
    );
  }
  const server = await findRunningServer(folder.cluster);
  if (!server) return startEmbeddedPostgres(options);
  const password = await readFile(folder.passwordFile, 'utf8');
  return { url: databaseUrl(server.port, password), stop: async () => {} };
}
