// Starts a program that serves HTTP, waits until it is ready, and returns its port and its process id.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { acquire } from './stopping.ts';

export type ServerProcess = {
  pid: number;
  port: number;
  /** From the start of the process until it said that it is ready. */
  readyMs: number;
  stop(): Promise<void>;
};

export type ServerProgram = {
  file: string;
  nodeOptions: readonly string[];
  env: Record<string, string>;
};

const START_PATIENCE_MS = 60_000;
const STOP_PATIENCE_MS = 10_000;

const READY = /ready at http:\/\/127\.0\.0\.1:(\d+)/;

/** The only inherited variables: the path, and the folder of the compile cache of Node.js. */
const { PATH, NODE_COMPILE_CACHE } = process.env;
const COMMON = { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };

const END_WITH_PARENT = import.meta.resolve('./stopping.ts');

/** The environment is only what is given: settings of the shell do not change what is measured. */
export const startServerProcess = async (program: ServerProgram): Promise<ServerProcess> => {
  const { file, env, nodeOptions } = program;
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
      START_PATIENCE_MS,
    ).unref();
  }).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  const readyMs = performance.now() - startedAt;
  return { pid: child.pid ?? 0, port, readyMs, stop: release };
};

const stopProcess = async (child: ChildProcess, exited: Promise<unknown>): Promise<void> => {
  child.kill('SIGTERM');
  const forced = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE_MS);
  // It may never have started.
  await exited.catch(() => {});
  clearTimeout(forced);
};

// The programs that are measured. Those of the service are started by path, as an operator starts them: a package
// imports no app.

const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

export const REPOSITORY = at('');

export const PRINT_CURSORS = at('apps/api/test/print-history-cursors.ts');

const SERVICE = {
  NODE_ENV: 'production',
  DEMO_DATA: '0',
  // A few players of the benchmark send as much as thousands.
  PLAYER_RATE_LIMIT_PER_SECOND: '0',
};

/** As `npm start` gives them to the service. */
const nodeOptions = (process.env.SERVICE_NODE_OPTIONS ?? '').split(' ').filter(Boolean);
const environment: Record<string, string> = JSON.parse(process.env.SERVICE_ENVIRONMENT ?? '{}');

type ProgramSettings = { databaseUrl: string; secret: string; dataDir: string };

/** With the PostgreSQL that it brings along, in `dataDir`. */
export const standaloneProgram = (dataDir: string): ServerProgram => ({
  file: at('apps/api/src/main.ts'),
  nodeOptions,
  env: { ...environment, PORT: '0', LOG_LEVEL: 'warn', DATA_DIR: dataDir },
});

export const musterProgram = ({ databaseUrl, secret, dataDir }: ProgramSettings): ServerProgram => {
  const { env, ...program } = standaloneProgram(dataDir);
  const database = { DATABASE_URL: databaseUrl, AUTH_JWT_SECRET: secret };
  return { ...program, env: { ...env, ...SERVICE, ...database } };
};

/** `sessionFile` holds the constant answer. */
export const ceilingProgram = (settings: ProgramSettings, sessionFile: string): ServerProgram => ({
  file: at('apps/api/test/serve-ceiling.ts'),
  nodeOptions,
  env: { ...musterProgram(settings).env, CEILING_SESSION: sessionFile },
});
