// Gets a connection to the cluster's server: adopts one that still runs, otherwise starts it, and waits for recovery.

import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { SUPERUSER } from './data-folder.ts';
import { EmbeddedPostgresError } from './programs.ts';
import type { ServerControl } from './server-process.ts';
import { findRunningServer, startServer } from './server-process.ts';

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 100;
/** Starting fails for a while where processes of a killed server are still ending, or a port was taken. */
const MAX_START_FAILURES = 20;
const START_PAUSE_MS = 500;

/** Connects to the maintenance database. Throws after a minute at most, with the reason of the last attempt. */
export async function connectServer(control: ServerControl, report: (message: string) => void) {
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
  throw new EmbeddedPostgresError(
    `PostgreSQL did not start (${reason}): its log is ${control.folder.logFile}.`,
  );
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
async function tryConnect(port: number, password: string): Promise<pg.Client | Error> {
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

// Restarts a server that stopped unexpectedly, on the same port, since the clients are connected to it.

type ServerAddress = { port: number; password: string };

/** Starting fails for a moment while processes of a killed server are still ending, and for long on a full disk. */
const FIRST_PAUSE_MS = 250;
/** So that it is back soon after there is room again. */
const LONGEST_PAUSE_MS = 1_000;

/**
 * Each call returns a connection, or the reason why there is none. It waits for a server that recovers or is frozen. It
 * starts a server that has exited, and doubles the pause after each failure. Calls `report` at each start.
 */
export function createReviver(
  control: ServerControl,
  { port, password }: ServerAddress,
  report: (message: string) => void,
): () => Promise<pg.Client | Error> {
  let pauseMs = FIRST_PAUSE_MS;
  let notBefore = 0;
  return async () => {
    const client = await tryConnect(port, password);
    if (client instanceof pg.Client) {
      pauseMs = FIRST_PAUSE_MS;
      return client;
    }
    // Not Date.now(): the clock may be set.
    if (performance.now() < notBefore || (await findRunningServer(control.folder.cluster))) {
      return client;
    }
    report('PostgreSQL has ended unasked and is started again');
    const { exitCode, output } = await startServer(control, port);
    if (exitCode === 0) return tryConnect(port, password);
    notBefore = performance.now() + pauseMs;
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    const reason = output.replaceAll('\n', ' ');
    report(
      `PostgreSQL could not be started again (${reason}); its log is ${control.folder.logFile}`,
    );
    return new Error(reason);
  };
}
