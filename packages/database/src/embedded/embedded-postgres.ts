// Starts the PostgreSQL that the program brings along, on a data folder that only one process may hold.
// PostgreSQL lives in a session of its own, so it outlives a killed owner and the next start adopts it. Its owner brings
// it back when it ends unasked.

import { readFile } from 'node:fs/promises';
import { connectServer, createReviver } from './connect-server.ts';
import {
  assertUsable,
  handOverCluster,
  initialise,
  isInitialised,
  locateDataFolder,
  makeDataDir,
  removeAbandonedDrafts,
  SUPERUSER,
} from './data-folder.ts';
import type { FolderLock } from './folder-lock.ts';
import { holdFolder } from './folder-lock.ts';
import {
  assertReachable,
  chooseServerUser,
  EmbeddedPostgresError,
  findBinaries,
} from './programs.ts';
import type { ServerControl, ServerSettings } from './server-process.ts';
import { findRunningServer, stopServer } from './server-process.ts';

export type EmbeddedPostgres = {
  /** Connection string of the database `muster`, password included. */
  url: string;
  /** Whether the server was already running when this process came. */
  adopted: boolean;
  /** Stops the server and gives the folder free. Bounded, safe to call twice. */
  stop(): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  /** The service's DATA_DIR; the server's files are in `postgres/` below it. Relative to the current folder. */
  dataDir: string;
  onProgress?: (message: string) => void;
  /** Hears, in one sentence each, that the server ended unasked and how it is brought back. */
  onTrouble?: (message: string) => void;
  /** Server settings on top of ours; for tests. */
  settings?: ServerSettings;
};

/**
 * Throws `DataDirInUseError` when another process holds the folder, and `EmbeddedPostgresError` with one sentence
 * when PostgreSQL cannot run here.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const report = withoutRepetition(options.onProgress);
  const control = await prepareFolder(options.dataDir, options.settings ?? {}, report);
  const { client, port, password, adopted } = await connectServer(control, report);
  const revive = createReviver(control, { port, password }, options.onTrouble ?? (() => {}));
  const lock = await holdFolder(client, control.folder.dataDir, revive);
  try {
    await removeAbandonedDrafts(control.folder);
    const found = await client.query("SELECT FROM pg_database WHERE datname = 'muster'");
    if (found.rowCount === 0) await client.query('CREATE DATABASE muster');
  } catch (error) {
    await lock.release();
    throw error;
  }
  return { url: databaseUrl(port, password), adopted, stop: stopOnce(control, lock) };
}

export function databaseUrl(port: number, password: string, name = 'muster'): string {
  return `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${name}`;
}

function stopOnce(control: ServerControl, lock: FolderLock): () => Promise<void> {
  let stopping: Promise<void> | undefined;
  return () => {
    stopping ??= stop(control, lock);
    return stopping;
  };
}

/** Keeps the lock until the server has stopped, so that no other process adopts a server that is stopping. */
async function stop(control: ServerControl, lock: FolderLock): Promise<void> {
  lock.expectEnd();
  await stopServer(control);
  await lock.settled();
  // One that was just being started again may not have been there to be stopped.
  if (await findRunningServer(control.folder.cluster)) await stopServer(control);
  await lock.release();
}

function withoutRepetition(onProgress: (message: string) => void = () => {}) {
  let last = '';
  return (message: string): void => {
    if (message !== last) onProgress(message);
    last = message;
  };
}

// Reaches the PostgreSQL of a data folder for a short while: the one that runs for a service, else one started for the purpose.

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
  const url = await findRunningUrl(options.dataDir);
  return url ? { url, stop: async () => {} } : startEmbeddedPostgres(options);
}

/** The connection string of the server that runs on this data folder; null where none runs. */
export async function findRunningUrl(dataDir: string): Promise<string | null> {
  const folder = locateDataFolder(dataDir);
  const server = await findRunningServer(folder.cluster);
  return server && databaseUrl(server.port, await readFile(folder.passwordFile, 'utf8'));
}

// Makes a data folder ready for its server: the user, the programs, and a cluster where there is none.

/** Throws `EmbeddedPostgresError` with one sentence when PostgreSQL cannot run here. */
export async function prepareFolder(
  dataDir: string,
  settings: ServerSettings,
  report: (message: string) => void,
): Promise<ServerControl> {
  const { folder, binaries, user } = await examineFolder(dataDir);
  await makeDataDir(folder.dataDir);
  if (!(await isInitialised(folder))) {
    report('Setting up PostgreSQL in an empty data folder');
    await initialise(folder, binaries, user);
  }
  await handOverCluster(folder, user);
  return { folder, binaries, user, settings };
}

/** What a start finds before it changes anything. Throws as `prepareFolder` does. */
export async function examineFolder(
  dataDir: string,
): Promise<Pick<ServerControl, 'folder' | 'binaries' | 'user'>> {
  const folder = locateDataFolder(dataDir);
  const [binaries, user] = await Promise.all([findBinaries(), chooseServerUser(folder.cluster)]);
  await assertReachable(user, binaries.postgres);
  await assertReachable(user, folder.root);
  await assertUsable(folder, binaries);
  return { folder, binaries, user };
}
