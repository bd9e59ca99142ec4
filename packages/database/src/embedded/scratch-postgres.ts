// A PostgreSQL for tests and tools in a temporary folder that is removed afterwards.
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { isAlive } from './server-process.ts';

const PREFIX = 'muster-scratch-';

/** Its data is not worth a wait for the disk, nor its many databases frequent visits of autovacuum; the service itself never runs so. */
const SCRATCH_SETTINGS = {
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  autovacuum_naptime: '1min',
};

/** Starts in about two seconds. `stop` also removes the folder. */
export async function startScratchPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  await removeAbandonedFolders();
  const dataDir = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  // Root runs PostgreSQL as another user, who has to pass through; the folders below are closed.
  await chmod(dataDir, 0o711);
  const server = await startEmbeddedPostgres({ dataDir, settings: SCRATCH_SETTINGS });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A killed run leaves its server behind; PostgreSQL stops by itself within a minute once its folder is gone. */
async function removeAbandonedFolders(): Promise<void> {
  const names = await readdir(tmpdir());
  const abandoned = names.filter((name) => name.startsWith(PREFIX) && !isOwnerAlive(name));
  await Promise.allSettled(
    abandoned.map((name) => rm(join(tmpdir(), name), { recursive: true, force: true })),
  );
}

function isOwnerAlive(name: string): boolean {
  return isAlive(Number.parseInt(name.slice(PREFIX.length), 10));
}
