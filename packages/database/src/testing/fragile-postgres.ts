// A PostgreSQL without supervision, for tests that kill, freeze and restart it. Unlike the server of the other tests,
// it keeps what it has committed.
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '../client.ts';
import { makePassableFolder } from '../embedded/data-folder.ts';
import { databaseUrl, prepareFolder } from '../embedded/embedded-postgres.ts';
import type { ServerControl } from '../embedded/server-process.ts';
import {
  findFreePort,
  findRunningServer,
  startServer,
  stopServer,
} from '../embedded/server-process.ts';
import { migrateDatabase } from '../migrations/migrate-database.ts';
import { findChildren } from './find-children.ts';

export type FragilePostgres = FragileServer & {
  /** Of a migrated database. */
  url: string;
  /** The folder above its files. */
  dataDir: string;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
};

/** A server that can be hurt. */
export type FragileServer = {
  /** Starts it again, on the same port. */
  start(): Promise<void>;
  /** Ends the sessions of all who are connected, and the server. */
  stop(): Promise<void>;
  /** SIGKILL for all of its processes. */
  kill(): Promise<void>;
  /** Sends SIGSTOP to all of its processes: connections stay open, and receive no response. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
};

/** Linux only: it finds the processes of the server in /proc. */
export async function startFragilePostgres(): Promise<FragilePostgres> {
  const server = await prepareServer(await makeFragileFolder());
  await server.start();
  await run(server.url.replace(/muster$/, 'postgres'), 'CREATE DATABASE muster');
  await migrateDatabase({ url: server.url });
  return server;
}

export function makeFragileFolder(): Promise<string> {
  return makePassableFolder(join(tmpdir(), 'muster-fragile-'));
}

/** Of a folder that is empty, or holds the files of a server. */
export async function prepareServer(dataDir: string): Promise<FragilePostgres> {
  const control = await prepareFolder(dataDir, {}, () => {});
  const port = await findFreePort();
  const password = await readFile(control.folder.passwordFile, 'utf8');
  const server = controlServer(control, port);
  return {
    url: databaseUrl(port, password),
    dataDir,
    ...server,
    remove: async () => {
      await server.thaw();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Of a server that need not run yet. */
export function controlServer(control: ServerControl, port: number): FragileServer {
  const signal = async (name: NodeJS.Signals) => {
    const server = await findRunningServer(control.folder.cluster);
    if (!server) return;
    for (const pid of [server.pid, ...(await findChildren(server.pid))]) send(pid, name);
  };
  return {
    start: async () => {
      const { exitCode, output } = await startServer(control, port);
      if (exitCode !== 0) throw new Error(output);
    },
    stop: () => stopServer(control),
    kill: async () => {
      // First stopped, so that all end at once: a process that sees the server die would still roll back what it has prepared elsewhere.
      await signal('SIGSTOP');
      await signal('SIGKILL');
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
  };
}

/** The process may have exited already. */
function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {}
}

export const run = (url: string, ...statements: string[]): Promise<void> =>
  withClient({ connectionString: url }, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
