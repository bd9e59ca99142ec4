// A run that is stopped, or killed, leaves no process and no folder behind.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { removeAbandonedFolders } from '../src/stopping.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

const waiting = { timeout: 120_000, interval: 100 };

/** Before a test sets another one. */
const system = tmpdir();

let temporary: string;
let run: ChildProcess | undefined;

beforeEach(async () => {
  // Another one than that of runs on this machine which are none of ours.
  temporary = await mkdtemp(join(system, 'muster-leaves-'));
  // Root runs PostgreSQL as another user, who has to pass through.
  await chmod(temporary, 0o711);
  vi.stubEnv('TMPDIR', temporary);
});

afterEach(async () => {
  if (run?.pid && run.exitCode === null && run.signalCode === null) {
    process.kill(-run.pid, 'SIGKILL');
  }
  await removeAbandonedFolders();
  await rm(temporary, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

const spawnRun = (...args: string[]) => {
  const options = ['--quick', `--json=${join(temporary, 'results', 'results.json')}`, ...args];
  // A group of its own, as a terminal makes one for a command.
  run = spawn(process.execPath, [MAIN, ...options], { detached: true, stdio: 'ignore' });
  return { pid: run.pid ?? 0, exited: once(run, 'exit') };
};

type Process = { pid: number; name: string };

/** Those of the group and those of PostgreSQL, which has sessions of its own but works in our folders. */
const listProcesses = async (group: number): Promise<Process[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const [stat, cwd] = await Promise.all([
        readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
        readlink(`/proc/${pid}/cwd`).catch(() => ''),
      ]);
      const [state, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const isOurs = Number(itsGroup) === group || cwd.startsWith(`${temporary}/`);
      const name = /\((.*)\)/.exec(stat)?.[1] ?? '';
      return isOurs && state !== 'Z' ? [{ pid, name }] : [];
    }),
  );
  return found.flat();
};

const listFolders = async (): Promise<string[]> =>
  (await readdir(temporary)).filter((name) => name.startsWith('muster-bench-'));

const countPostmasters = async (): Promise<number> => {
  const files = await readdir(temporary, { recursive: true }).catch(() => []);
  return files.filter((file) => file.endsWith('postmaster.pid')).length;
};

test.runIf(process.platform === 'linux')(
  'Ctrl-C while the service starts with a PostgreSQL of its own ends all of them',
  async () => {
    const { pid, exited } = spawnRun('--only=startup');
    await expect.poll(countPostmasters, waiting).toBe(2);
    expect(await listFolders()).toHaveLength(2);
    process.kill(-pid, 'SIGINT');
    expect(await exited).toEqual([130, null]);
    expect(await listProcesses(pid)).toEqual([]);
    expect(await listFolders()).toEqual([]);
  },
);

test.runIf(process.platform === 'linux')(
  'a terminated run stops the PostgreSQL of a folder that it was given, and keeps the folder',
  async () => {
    const dataDir = join(temporary, 'kept');
    const { pid, exited } = spawnRun('--only=join', `--data-dir=${dataDir}`);
    // The run, the load generator and the first service.
    const countPrograms = async () =>
      (await listProcesses(pid)).filter(({ name }) => name !== 'postgres').length;
    await expect.poll(countPrograms, waiting).toBeGreaterThanOrEqual(3);
    process.kill(pid, 'SIGTERM');
    expect(await exited).toEqual([143, null]);
    expect(await listProcesses(pid)).toEqual([]);
    expect(await listFolders()).toEqual([]);
    expect(await readdir(join(dataDir, 'postgres'))).toContain('cluster');
    expect(await countPostmasters()).toBe(0);
  },
);

test.runIf(process.platform === 'linux')(
  'the programs of a killed run exit, and the next run removes its folders',
  async () => {
    const { pid, exited } = spawnRun('--only=startup');
    await expect.poll(countPostmasters, waiting).toBe(2);
    process.kill(pid, 'SIGKILL');
    await exited;
    await expect
      .poll(
        async () => (await listProcesses(pid)).filter(({ name }) => name !== 'postgres'),
        waiting,
      )
      .toEqual([]);
    expect(await listFolders()).toHaveLength(2);
    await removeAbandonedFolders();
    expect(await listFolders()).toEqual([]);
    await expect.poll(() => listProcesses(pid), waiting).toEqual([]);
  },
);
