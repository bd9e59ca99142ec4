// What a database needs before anybody is served: once for all processes that start on it.
import { migrateDatabase } from '@muster/database';
import type { FirstOwner } from '../accounts/index.ts';
import { ensureFirstOwner } from '../accounts/index.ts';
import { loadDemoData } from '../demo/index.ts';
import { explain } from './database-failures.ts';
import type { ProcessParts } from './process-parts.ts';
import type { ReachedDatabase } from './reach-database.ts';

/** Resolves with the first owner, for as long as nobody has signed in. */
export const prepareDatabase = async (
  { config, life: { report, step } }: ProcessParts,
  { url, database }: ReachedDatabase,
): Promise<FirstOwner | null> => {
  const onProgress = (message: string) => report(`${message} …`);
  await step(() =>
    explain('The database cannot be migrated', () => migrateDatabase({ url, onProgress })),
  );
  const owner = await step(() => ensureFirstOwner(database, config.accounts.ownerEmail));
  if (config.demoData) await step(() => loadDemoData(database, { onProgress }));
  return owner;
};
