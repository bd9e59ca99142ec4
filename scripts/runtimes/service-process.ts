// The real service as a process of a chosen runtime, on a data folder that outlives it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ROOT } from '../setup/repository.mjs';

/** A program that starts the service: by default `apps/api/src/main.ts` of this repository. */
type Launch = { command: string; args: string[]; cwd?: string };

export type ServiceProcess = {
  baseUrl: string;
  /** What it printed for the person at the terminal. */
  welcome: string;
  /** From its start until /readyz returned 200. */
  readyMs: number;
  signal(name: NodeJS.Signals): void;
  /** Signals the whole process group, as a terminal does. */
  signalAll(name: NodeJS.Signals): void;
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
  /** Its standard error so far. */
  errors(): string;
};

const SERVICE = join(ROOT, 'apps/api/src/main.ts');
/** The first start of a clone builds the web app and makes a database. */
const START_MS = 300_000;

/** Rejects with the end of its standard error when it ends before it is ready, or is not ready in time. */
export const startService = async (
  { command, args, cwd }: Launch,
  env: Record<string, string>,
): Promise<ServiceProcess> => {
  const startedAt = performance.now();
  // A process group of its own: Ctrl-C reaches this command, which stops the group.
  const child = spawn(command, cwd ? args : [...args, SERVICE], {
    cwd: cwd ?? ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output = { welcome: '', errors: '' };
  child.stdout.on('data', (chunk) => {
    output.welcome += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.errors += chunk;
  });
  const signalAll = (name: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch (error) {
      // The whole group has already ended.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('error', ({ message }) => {
      output.errors += message;
      resolve(1);
    });
    child.once('close', (code, signal) => {
      resolve(signal ?? code ?? 1);
    });
  });
  const deadline = AbortSignal.timeout(START_MS);
  const early = ended.then((end) => Promise.reject(new Error(`It ended with ${end}.`)));
  const baseUrl = await Promise.race([waitUntilReady(output, deadline), early]).catch((error) => {
    signalAll('SIGKILL');
    throw new Error(`The service did not start: ${error.message} ${output.errors.slice(-2_000)}`);
  });
  return {
    baseUrl,
    welcome: output.welcome,
    readyMs: performance.now() - startedAt,
    ended,
    signal: (name) => void child.kill(name),
    signalAll,
    errors: () => output.errors,
  };
};

/** The address is printed just before /readyz returns 200. */
const waitUntilReady = async (output: { welcome: string }, signal: AbortSignal) => {
  for (;;) {
    signal.throwIfAborted();
    const url = /ready at (http:\/\/\S+)/.exec(output.welcome)?.[1];
    if (url && (await fetch(`${url}/readyz`, { signal })).ok) return url;
    await wait(20);
  }
};

/** Calls a mutation of the admin API and returns its data. */
export const callAdmin = async <Data>(
  baseUrl: string,
  token: string,
  procedure: string,
  input: object,
): Promise<Data> => {
  const response = await fetch(`${baseUrl}/admin/trpc/${procedure}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  const text = await response.text();
  assert.equal(response.status, 200, `${procedure}: ${text}`);
  return JSON.parse(text).result.data;
};

// A data folder for one proof, with a PostgreSQL of its own.

export type ProofFolder = {
  root: string;
  dataDir: string;
  /** The process id of its PostgreSQL; null where none runs. */
  findPostgres(): number | null;
  /** Stops its PostgreSQL, and removes everything. */
  remove(): void;
};

export const makeProofFolder = (): ProofFolder => {
  const root = mkdtempSync(join(tmpdir(), 'muster-runtimes-'));
  // Root runs PostgreSQL as another user, who needs access.
  chmodSync(root, 0o755);
  const dataDir = join(root, 'data');
  const findPostgres = () => readPostmaster(join(dataDir, 'postgres/cluster/postmaster.pid'));
  const remove = () => {
    const pid = findPostgres();
    // PostgreSQL's fast shutdown.
    if (pid !== null) process.kill(pid, 'SIGINT');
    rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  return { root, dataDir, findPostgres, remove };
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
