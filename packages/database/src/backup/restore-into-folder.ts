// Restores into the PostgreSQL of a data folder that has none yet. It is filled under another name and gets its own when it is
// complete: a service that starts finds all of it, or nothing.
import { open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isInitialised, locateDataFolder, makeDataDir } from '../embedded/data-folder.ts';
import { startEmbeddedPostgres } from '../embedded/index.ts';
import { BackupError } from './backup-error.ts';
import type { RestoreOptions } from './restore-into-database.ts';
import { restoreIntoDatabase } from './restore-into-database.ts';

export type RestoreIntoFolderOptions = Omit<RestoreOptions, 'url'> & {
  dataDir: string;
  /** Called when all data is there, just before the folder gets its name. */
  beforeEnd?: () => Promise<void>;
};

const DRAFT = 'restoring';

/** Throws BackupError where the folder has data already, and as restoreIntoDatabase does. */
export async function restoreIntoFolder(options: RestoreIntoFolderOptions): Promise<void> {
  const folder = locateDataFolder(options.dataDir);
  await assertFree();
  await makeDataDir(folder);
  const draft = join(folder.dataDir, DRAFT);
  if (await stat(draft).catch(() => null)) await removeDraft(draft);
  const postgres = await startEmbeddedPostgres({ ...options, dataDir: draft });
  try {
    await restoreIntoDatabase({ ...options, url: postgres.url });
    await postgres.stop();
    await options.beforeEnd?.();
    await assertFree();
    await rename(join(draft, 'postgres'), folder.root);
    await flush(folder.dataDir);
  } finally {
    await postgres.stop();
    await rm(draft, { recursive: true, force: true });
  }

  async function assertFree(): Promise<void> {
    if (!(await isInitialised(folder))) return;
    throw new BackupError(
      `${folder.root} holds a database already: choose an empty DATA_DIR, or move the folder away.`,
    );
  }
}

/** Of a restore that was killed. Throws where it is still going on. */
async function removeDraft(draft: string): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir: draft });
  await postgres.stop();
  await rm(draft, { recursive: true, force: true });
}

/** Makes the new name survive a power cut. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().catch(() => {});
  await handle.close();
}
