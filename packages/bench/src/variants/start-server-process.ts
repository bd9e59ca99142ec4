// Starts a program that serves HTTP and says so, and hands back its port and its process id.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { acquire } from '../stopping/acquire.ts';

export type ServerProcess = {
  pid: number;
  port: number;
  /** From the start of the process until it said that it is ready. */
  readyMs: number;
  /** The end of what it has written, warnings included. */
  readOutput(): string;
  stop(): Promise<void>;
};

export type ServerProgram = {
  file: string;
  nodeOptions?: readonly string[];
  env: Record<string, string>;
  /** Hangs on standard output before the line that names the address are normal for this long. */
  patienceMs?: number;
};

const STOP_PATIENCE_MS = 10_000;

const READY = /ready at http:\/\/127\.0\.0\.1:(\d+)/;

/** What npm gives to every program of the repository: where Node.js keeps what it has compiled. */
const { PATH, NODE_COMPILE_CACHE } = process.env;
const COMMON = { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };

const END_WITH_PARENT = import.meta.resolve('../stopping/end-with-parent.ts');

/** The environment is only what is given: settings of the shell do not change what is measured. */
export const startServerProcess = async (program: ServerProgram): Promise<ServerProcess> => {
  const { file, env, nodeOptions = [], patienceMs = 60_000 } = program;
  const startedAt = performance.now();
  const options = [...nodeOptions, `--import=${END_WITH_PARENT}`];
  const start = () => {
    const child = spawn(process.execPath, [...options, file], {
      env: { ...COMMON, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return { child, exited: once(child, 'exit') };
  };
  const { thing, release } = acquire(start, ({ child, exited }) => stopProcess(child, exited));
  const { child, exited } = thing;
  let output = '';
  const port = await new Promise<number>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-4_000);
      const found = READY.exec(output);
      if (found) resolve(Number(found[1]));
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    exited.then(() => reject(new Error(`${file} ended before it was ready: ${output}`)), reject);
    setTimeout(
      () => reject(new Error(`${file} was not ready in time: ${output}`)),
      patienceMs,
    ).unref();
  }).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  const readyMs = performance.now() - startedAt;
  return { pid: child.pid ?? 0, port, readyMs, readOutput: () => output, stop: release };
};

const stopProcess = async (child: ChildProcess, exited: Promise<unknown>): Promise<void> => {
  child.kill('SIGTERM');
  const forced = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE_MS);
  // It may never have started.
  await exited.catch(() => {});
  clearTimeout(forced);
};
