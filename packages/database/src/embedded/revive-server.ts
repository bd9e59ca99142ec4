// Brings a server back that ended although it is wanted: on its port, which everybody is connected to.
import pg from 'pg';
import { tryConnect } from './connect-server.ts';
import { findRunningServer } from './postmaster-file.ts';
import type { ServerControl } from './server-process.ts';
import { startServer } from './server-process.ts';

export type ServerAddress = { port: number; password: string };

/** Starting fails for a moment while processes of a killed server are still ending, and for long on a full disk. */
const FIRST_PAUSE_MS = 250;
/** So that it is back soon after there is room again. */
const LONGEST_PAUSE_MS = 1_000;

/**
 * Each call answers a connection, or why there is none now. A server that recovers or is frozen is waited for; one that is
 * gone is started, with pauses that double for as long as this fails. `report` hears of each start.
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
    // Not Date.now(): somebody may set the clock.
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
