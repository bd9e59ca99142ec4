// Starts a program that serves HTTP and says so, and hands back its port and its process id.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export type ServerProcess = {
  pid: number;
  port: number;
  /** From the start of the process until it said that it is ready. */
  readyMs: number;
  stop(): Promise<void>;
};

export type ServerProgram = {
  file: string;
  nodeOptions?: readonly string[];
  env: Record<string, string>;
  /** Hangs on standard output before the line that names the address are normal for this long. */
  patienceMs?: number;
};

const READY = /ready at http:\/\/127\.0\.0\.1:(\d+)/;

/** What npm gives to every program of the repository: where Node.js keeps what it has compiled. */
const { PATH, NODE_COMPILE_CACHE } = process.env;
const COMMON = { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };

/** The environment is only what is given: settings of the shell do not change what is measured. */
export const startServerProcess = async (program: ServerProgram): Promise<ServerProcess> => {
  const { file, env, nodeOptions = [], patienceMs = 60_000 } = program;
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeOptions, file], {
    env: { ...COMMON, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
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
  }).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  const readyMs = performance.now() - startedAt;
  return {
    ...{ pid: child.pid ?? 0, port, readyMs },
    stop: async () => {
      child.kill('SIGTERM');
      const forced = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await exited;
      clearTimeout(forced);
    },
  };
};
