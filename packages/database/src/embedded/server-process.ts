// Starts and stops the server process of a cluster.
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import type { Binaries } from './binaries.ts';
import { chooseSharedBuffers } from './choose-shared-buffers.ts';
import type { DataFolder } from './data-folder.ts';
import { CLUSTER_NAME, LOG_NAME } from './data-folder.ts';
import type { ProgramResult } from './run-program.ts';
import { runProgram } from './run-program.ts';
import type { ServerUser } from './server-user.ts';

/** Settings that a server is started with, by name. Durability (fsync and its like) keeps its safe defaults. */
export type ServerSettings = Readonly<Record<string, string>>;

const SERVER_SETTINGS: ServerSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: chooseSharedBuffers(),
  // Tables that grow fast, at first or by an import, are planned for as small ones until this has come round.
  autovacuum_naptime: '10s',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

export type ServerControl = {
  folder: DataFolder;
  binaries: Binaries;
  user: ServerUser | null;
  settings: ServerSettings;
};

/** Waits until the server accepts connections, crash recovery included, at most a minute. Without `knownPort` on a free one. */
export async function startServer(
  control: ServerControl,
  knownPort?: number,
): Promise<ProgramResult> {
  const port = knownPort ?? (await findFreePort());
  const settings = Object.entries({ ...SERVER_SETTINGS, ...control.settings });
  const options = [`-p ${port}`, ...settings.map(([name, value]) => `-c ${name}=${value}`)];
  const args = ['start', '-l', LOG_NAME, '-w', '-t', '60', '-o', options.join(' ')];
  return runPgCtl(control, args);
}

/** Disconnects everyone and stops; after 20 s without waiting for the last checkpoint. */
export async function stopServer(control: ServerControl): Promise<void> {
  const { exitCode } = await runStop(control, 'fast', 20);
  if (exitCode !== 0) await runStop(control, 'immediate', 5);
}

function runStop(control: ServerControl, mode: 'fast' | 'immediate', seconds: number) {
  return runPgCtl(control, ['stop', '-m', mode, '-w', '-t', String(seconds)]);
}

/** The paths are relative, because pg_ctl puts them into a shell command where quotes and dollar signs would act. */
function runPgCtl({ folder, binaries, user }: ServerControl, args: string[]) {
  const place = { user, cwd: folder.root };
  return runProgram(binaries.pgCtl, [...args, '-s', '-D', CLUSTER_NAME], place);
}

/** Someone else may take the port before the server does; starting is then tried again with another one. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
