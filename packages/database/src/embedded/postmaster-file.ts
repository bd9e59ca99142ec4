// Reads PostgreSQL's own postmaster.pid and tells a running server from what a crash left behind.
import { readFile, readlink, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from './is-alive.ts';
import { runProgram } from './run-program.ts';

export type RunningServer = { pid: number; port: number };

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
export function parsePostmasterFile(content: string): RunningServer | null {
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

/** Moves the file aside before it goes, and puts it back if another start replaced it in between. */
async function removeStaleFile(path: string, content: string): Promise<void> {
  const aside = `${path}.stale-${process.pid}`;
  await rename(path, aside).catch(() => {});
  if ((await readFile(aside, 'utf8').catch(() => content)) === content) {
    await rm(aside, { force: true });
  } else {
    await rename(aside, path);
  }
}
