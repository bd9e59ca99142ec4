// Gets a connection to the cluster's server: adopts one that still runs, otherwise starts it, and waits for recovery.
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { SUPERUSER } from './data-folder.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { findRunningServer } from './postmaster-file.ts';
import type { ServerControl } from './server-process.ts';
import { startServer } from './server-process.ts';

export type ServerConnection = {
  client: pg.Client;
  port: number;
  password: string;
  adopted: boolean;
};

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 100;
/** Starting fails for a while where processes of a killed server are still ending, or a port was taken. */
const MAX_START_FAILURES = 20;
const START_PAUSE_MS = 500;

/** Connects to the maintenance database. Throws after a minute at most, with the reason of the last attempt. */
export async function connectServer(
  control: ServerControl,
  report: (message: string) => void,
): Promise<ServerConnection> {
  const password = await readFile(control.folder.passwordFile, 'utf8');
  const deadline = Date.now() + START_TIMEOUT_MS;
  let adopted = true;
  let failures = 0;
  let reason = 'it did not answer';
  while (Date.now() < deadline && failures < MAX_START_FAILURES) {
    const server = await findRunningServer(control.folder.cluster);
    if (server) {
      const client = await tryConnect(server.port, password);
      if (client instanceof pg.Client) return { client, port: server.port, password, adopted };
      reason = client.message;
      report('Waiting for PostgreSQL to finish its recovery');
      await delay(POLL_MS);
    } else {
      adopted = false;
      const failure = await start(control, report);
      if (failure !== null) {
        failures++;
        reason = failure;
        await delay(START_PAUSE_MS);
      }
    }
  }
  throw notStarted(control, reason);
}

/** Returns why it failed, or null. */
async function start(
  control: ServerControl,
  report: (message: string) => void,
): Promise<string | null> {
  report('Starting PostgreSQL');
  const slow = setInterval(() => report('Waiting for PostgreSQL to finish its recovery'), 5_000);
  try {
    const { exitCode, output } = await startServer(control);
    return exitCode === 0 ? null : output.replaceAll('\n', ' ');
  } finally {
    clearInterval(slow);
  }
}

/** A session in the maintenance database, or why there is none now. */
export async function tryConnect(port: number, password: string): Promise<pg.Client | Error> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: SUPERUSER,
    password,
    database: 'postgres',
    application_name: 'muster-data-folder',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  // The server may end the connection at any time; an unheard 'error' event would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    return error as Error;
  }
}

function notStarted(control: ServerControl, reason: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `PostgreSQL did not start (${reason}): its log is ${control.folder.logFile}.`,
  );
}
