// A PostgreSQL for tests and tools in a temporary folder that is removed afterwards.
import { readdir, readlink, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePassableFolder } from './data-folder.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { isAlive } from './server-process.ts';

const PREFIX = 'muster-scratch-';

/** Its data is not worth a wait for the disk, nor its many databases frequent visits of autovacuum; the service itself never runs so. */
const SCRATCH_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum_naptime: '1min',
};

/** Linux keeps these files in memory. On a disk, hundreds of databases that come and go took the kernel 73 s in the place of 51. */
const MEMORY = '/dev/shm';
const ENOUGH_MEMORY = 4 * 2 ** 30;

/** Starts in about two seconds. `stop` also removes the folder. */
export async function startScratchPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDir = await makeScratchFolder(await chooseFolder());
  const server = await startEmbeddedPostgres({ dataDir, settings: SCRATCH_SETTINGS });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Another user may pass through it. The next call of another process removes it where this one is killed. */
export async function makeScratchFolder(parent: string): Promise<string> {
  const prefix = `${PREFIX}${await identifyNamespace()}-`;
  await Promise.all([MEMORY, tmpdir()].map((folder) => removeAbandonedFolders(folder, prefix)));
  return makePassableFolder(join(parent, `${prefix}${process.pid}-`));
}

async function chooseFolder(): Promise<string> {
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free >= ENOUGH_MEMORY ? MEMORY : tmpdir();
}

/** Containers may share these folders and not their process numbers: what another one made is not ours to judge. */
async function identifyNamespace(): Promise<string> {
  const link = await readlink('/proc/self/ns/pid').catch(() => '');
  return /\d+/.exec(link)?.[0] ?? '0';
}

/** A killed run leaves its server behind; PostgreSQL stops by itself within a minute once its folder is gone. */
async function removeAbandonedFolders(folder: string, prefix: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const abandoned = names.filter(
    (name) => name.startsWith(prefix) && !isAlive(Number.parseInt(name.slice(prefix.length), 10)),
  );
  await Promise.allSettled(
    abandoned.map((name) => rm(join(folder, name), { recursive: true, force: true })),
  );
}
