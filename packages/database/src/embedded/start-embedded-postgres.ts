// Starts the PostgreSQL that the program brings along, on a data folder that only one process may hold.
// PostgreSQL lives in a session of its own, so it outlives a killed owner and the next start adopts it.
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { findBinaries } from './binaries.ts';
import type { ServerConnection } from './connect-server.ts';
import { connectServer } from './connect-server.ts';
import {
  initialise,
  isInitialised,
  locateDataFolder,
  makeDataDir,
  prepareExisting,
  removeAbandonedDrafts,
  SUPERUSER,
} from './data-folder.ts';
import { DataDirInUseError } from './errors.ts';
import type { ServerControl, ServerSettings } from './server-process.ts';
import { stopServer } from './server-process.ts';
import { assertReachable, chooseServerUser } from './server-user.ts';

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
  /** Server settings on top of ours; for tests. */
  settings?: ServerSettings;
};

/** Held in the maintenance database for as long as the owning process lives ("muster" in ASCII). */
const FOLDER_LOCK = '120343121520018';
const LOCK_ATTEMPTS = 20;
const LOCK_POLL_MS = 100;

/**
 * Throws `DataDirInUseError` when another process holds the folder, and `EmbeddedPostgresError` with one sentence
 * when PostgreSQL cannot run here.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const report = withoutRepetition(options.onProgress);
  const control = await prepareFolder(options, report);
  const connection = await connectServer(control, report);
  try {
    await holdFolder(connection.client, control);
    await removeAbandonedDrafts(control.folder);
    await createDatabase(connection.client);
  } catch (error) {
    await connection.client.end();
    throw error;
  }
  return describeServer(control, connection);
}

async function prepareFolder(
  options: EmbeddedPostgresOptions,
  report: (message: string) => void,
): Promise<ServerControl> {
  const folder = locateDataFolder(options.dataDir);
  const [binaries, user] = await Promise.all([findBinaries(), chooseServerUser(folder.cluster)]);
  await assertReachable(user, binaries.postgres);
  await makeDataDir(folder);
  if (!(await isInitialised(folder))) {
    report('Setting up PostgreSQL in an empty data folder');
    await initialise(folder, binaries, user);
  }
  await prepareExisting(folder, binaries, user);
  return { folder, binaries, user, settings: options.settings ?? {} };
}

/** The backend of a killed owner needs a moment to notice, so a held lock is asked for again during two seconds. */
async function holdFolder(client: pg.Client, control: ServerControl): Promise<void> {
  for (let attempt = 0; attempt < LOCK_ATTEMPTS; attempt++) {
    const sql = `SELECT pg_try_advisory_lock(${FOLDER_LOCK}) AS held`;
    const { rows } = await client.query<{ held: boolean }>(sql);
    if (rows[0]?.held) return;
    await delay(LOCK_POLL_MS);
  }
  throw new DataDirInUseError(control.folder.dataDir);
}

async function createDatabase(client: pg.Client): Promise<void> {
  const found = await client.query("SELECT FROM pg_database WHERE datname = 'muster'");
  if (found.rowCount === 0) await client.query('CREATE DATABASE muster');
}

function describeServer(control: ServerControl, connection: ServerConnection): EmbeddedPostgres {
  let stopping: Promise<void> | undefined;
  return {
    url: `postgresql://${SUPERUSER}:${connection.password}@127.0.0.1:${connection.port}/muster`,
    adopted: connection.adopted,
    stop: () => (stopping ??= stop(control, connection.client)),
  };
}

/** The lock is kept until the server is down, so that nobody adopts a server that is going away. */
async function stop(control: ServerControl, client: pg.Client): Promise<void> {
  await stopServer(control);
  await client.end().catch(() => {});
}

function withoutRepetition(onProgress: (message: string) => void = () => {}) {
  let last = '';
  return (message: string): void => {
    if (message !== last) onProgress(message);
    last = message;
  };
}
