// The real service as a process of a chosen runtime, on a data folder that outlives it.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ROOT } from '../setup/repository.mjs';

/** A program and all its arguments that start the service. */
type Launch = { command: string; args: string[]; cwd: string };

export type ServiceProcess = {
  baseUrl: string;
  /** What it printed for the person at the terminal. */
  welcome: string;
  /** From its start until /readyz said yes. */
  readyMs: number;
  memoryMiB(): number | null;
  signal(name: NodeJS.Signals): void;
  /** Signals the whole process group, as a terminal does. */
  signalAll(name: NodeJS.Signals): void;
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
  /** What it has said on standard error so far. */
  errors(): string;
};

/** A cold start on a busy machine. */
const START_MS = 60_000;
const running = new Set<ChildProcess>();

/** Resolves when it is ready; rejects with what it said when it ends before, or is not ready in time. */
export const startService = async (
  launch: Launch,
  environment: Record<string, string>,
  patienceMs = START_MS,
): Promise<ServiceProcess> => {
  const startedAt = performance.now();
  const { command, args, cwd } = launch;
  // A group of its own: Ctrl-C reaches the command alone, which ends it together with what it has started.
  const child = spawn(command, args, {
    cwd,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  running.add(child);
  const output = { welcome: '', errors: '' };
  child.stdout.on('data', (chunk) => {
    output.welcome += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.errors += chunk;
  });
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('error', ({ message }) => {
      output.errors += message;
      resolve(1);
    });
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve(signal ?? code ?? 1);
    });
  });
  const deadline = AbortSignal.timeout(patienceMs);
  const explain = (what: string) => new Error(`${what}: ${output.errors.slice(-2_000)}`);
  const early = ended.then((end) => Promise.reject(explain(`It ended with ${end} while starting`)));
  const baseUrl = await Promise.race([waitUntilReady(output, deadline), early]).catch((error) => {
    signalGroup(child, 'SIGKILL');
    throw deadline.aborted ? explain(`It was not ready within ${patienceMs / 1000} s`) : error;
  });
  return {
    baseUrl,
    welcome: output.welcome,
    readyMs: performance.now() - startedAt,
    ended,
    memoryMiB: () => readMemory(child.pid),
    signal: (name) => void child.kill(name),
    signalAll: (name) => signalGroup(child, name),
    errors: () => output.errors,
  };
};

/** Stops every process that an interrupted command has started. */
export const killServices = (): void => {
  for (const child of running) signalGroup(child, 'SIGKILL');
};

const signalGroup = ({ pid }: ChildProcess, name: NodeJS.Signals): void => {
  try {
    if (pid !== undefined) process.kill(-pid, name);
  } catch (error) {
    // All of it ended by itself a moment ago.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

const POLL_MS = 20;

/** The address is printed just before /readyz says yes. */
const waitUntilReady = async (
  output: { welcome: string },
  signal: AbortSignal,
): Promise<string> => {
  for (;;) {
    signal.throwIfAborted();
    const url = /ready at (http:\/\/\S+)/.exec(output.welcome)?.[1];
    if (url && (await fetch(`${url}/readyz`, { signal })).ok) return url;
    await wait(POLL_MS);
  }
};

/** Resident memory; null where the system does not tell it as Linux does. */
const readMemory = (pid: number | undefined): number | null => {
  if (process.platform !== 'linux' || pid === undefined) return null;
  const [, kib] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return kib ? Math.round(Number(kib) / 1024) : null;
};

/** The command that starts the service from this repository. */
export const launchOf = ({ command, args }: { command: string; args: string[] }): Launch => ({
  command,
  args: [...args, join(ROOT, 'apps/api/src/main.ts')],
  cwd: ROOT,
});

// A data folder for one proof, and the PostgreSQL of its own that works in it.

export type ProofFolder = {
  root: string;
  dataDir: string;
  /** The process id of the PostgreSQL in it; null where none runs. */
  findPostgres(): number | null;
  /** Stops a PostgreSQL that was left behind, and removes everything. */
  remove(): void;
};

const made = new Set<ProofFolder>();

export const makeProofFolder = (): ProofFolder => {
  const root = mkdtempSync(join(tmpdir(), 'muster-runtimes-'));
  // Started as root, PostgreSQL runs as a user of its own, who must be able to get in.
  chmodSync(root, 0o755);
  const dataDir = join(root, 'data');
  const findPostgres = () => readPostmaster(join(dataDir, 'postgres/cluster/postmaster.pid'));
  const folder: ProofFolder = {
    root,
    dataDir,
    findPostgres,
    remove: () => {
      const pid = findPostgres();
      // PostgreSQL's fast shutdown.
      if (pid !== null) process.kill(pid, 'SIGINT');
      rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
      made.delete(folder);
    },
  };
  made.add(folder);
  return folder;
};

export const removeProofFolders = (): void => {
  for (const folder of made) folder.remove();
};

const readPostmaster = (file: string): number | null => {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
};
