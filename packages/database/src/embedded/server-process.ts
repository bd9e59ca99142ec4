// Starts and stops the server process of a cluster.

import { readFile, readlink, realpath, rename, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { DataFolder } from './data-folder.ts';
import { CLUSTER_NAME, LOG_NAME } from './data-folder.ts';
import type { Binaries, ProgramResult, ServerUser } from './programs.ts';
import { runProgram } from './programs.ts';

/** Settings that a server is started with, by name. Durability (fsync and its like) keeps its safe defaults. */
export type ServerSettings = Readonly<Record<string, string>>;

const MEBIBYTE = 1024 * 1024;
/** From PostgreSQL's default to the size above which pages of histories gain nothing. */
const LEAST_MEBIBYTES = 128;
const MOST_MEBIBYTES = 1_024;

/**
 * `shared_buffers`: an eighth of the memory. PostgreSQL's manual (20.4) recommends a quarter for a dedicated machine, but the
 * service, and perhaps a game, run here as well. PostgreSQL allocates the memory as it reads pages, not at the start.
 */
export const chooseSharedBuffers = (memoryBytes = findMemoryBytes()): string => {
  const share = Math.floor(memoryBytes / 8 / MEBIBYTE);
  return `${Math.min(Math.max(share, LEAST_MEBIBYTES), MOST_MEBIBYTES)}MB`;
};

/** Of the machine, or of the container where that has less: 0 and huge numbers mean that it has no limit. */
const findMemoryBytes = (): number => {
  const limit = process.constrainedMemory?.() || Number.POSITIVE_INFINITY;
  return Math.min(limit, totalmem());
};

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

// Reads PostgreSQL's own postmaster.pid and tells a running server from what a crash left behind.

type RunningServer = { pid: number; port: number };

/**
 * The server that runs on this cluster, or null. A file whose process is gone stays for PostgreSQL to judge;
 * one whose process id now belongs to another program (after a reboot, or in a container) is removed,
 * because PostgreSQL would refuse to start over it.
 */
export async function findRunningServer(cluster: string): Promise<RunningServer | null> {
  const path = join(cluster, 'postmaster.pid');
  const content = await readFile(path, 'utf8').catch(() => '');
  const server = parsePostmasterFile(content);
  if (!server || !isAlive(server.pid)) return null;
  if (await isPostmasterOf(server.pid, cluster)) return server;
  await removeStaleFile(path, content);
  return null;
}

/** Line 1 is the process id, line 4 the port. A file that is still being written is no server yet. */
function parsePostmasterFile(content: string): RunningServer | null {
  const lines = content.split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  return pid > 0 && port > 0 ? { pid, port } : null;
}

/** In doubt the answer is yes: waiting for a stranger ends in an error, a second server would end in damage. */
async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'linux') return isLinuxPostmaster(pid, cluster);
  if (process.platform === 'win32') return true;
  const { output } = await runProgram('ps', ['-p', String(pid), '-o', 'command=']);
  return output.includes('postgres');
}

async function isLinuxPostmaster(pid: number, cluster: string): Promise<boolean> {
  const program = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  if (program.trim() !== 'postgres') return false;
  const workingDir = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  return workingDir === null || workingDir === (await realpath(cluster));
}

/** Renames the file before removing it, and restores it if another start has replaced it in between. */
async function removeStaleFile(path: string, content: string): Promise<void> {
  const renamed = `${path}.stale-${process.pid}`;
  await rename(path, renamed).catch(() => {});
  if ((await readFile(renamed, 'utf8').catch(() => content)) === content) {
    await rm(renamed, { force: true });
  } else {
    await rename(renamed, path);
  }
}

/** True while there is a process of that id, also one of another user. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
