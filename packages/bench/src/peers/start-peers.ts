// Starts a program that serves HTTP, waits until it is ready, and returns its port and its process id.
import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { BenchmarkName } from '../options.ts';
import { acquire, stopSignal } from '../stopping.ts';

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

/** The only inherited variables: the path, and the folder of the compile cache of Node.js. */
const { PATH, NODE_COMPILE_CACHE } = process.env;
const COMMON = { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };

const END_WITH_PARENT = import.meta.resolve('../stopping.ts');

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

// The programs that are measured. Those of the service are started by path, as an operator starts them: a package
// imports no app.

const at = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

export const REPOSITORY = at('');

export const PRINT_CURSORS = at('apps/api/test/print-history-cursors.ts');

type ProgramSettings = { databaseUrl: string; secret: string };

const common = ({ databaseUrl, secret }: ProgramSettings) => ({
  DATABASE_URL: databaseUrl,
  AUTH_JWT_SECRET: secret,
  NODE_ENV: 'production',
});

const SERVICE = {
  PORT: '0',
  LOG_LEVEL: 'warn',
  DEMO_DATA: '0',
  // A few players of the benchmark send as much as thousands.
  PLAYER_RATE_LIMIT_PER_SECOND: '0',
};

/** As `npm start` gives them to the service. */
const nodeOptions = (process.env.SERVICE_NODE_OPTIONS ?? '').split(' ').filter(Boolean);
const environment: Record<string, string> = JSON.parse(process.env.SERVICE_ENVIRONMENT ?? '{}');

export const musterProgram = (settings: ProgramSettings & { dataDir: string }): ServerProgram => ({
  file: at('apps/api/src/main.ts'),
  nodeOptions,
  env: { ...environment, ...SERVICE, ...common(settings), DATA_DIR: settings.dataDir },
});

/** With the PostgreSQL that it brings along, in `dataDir`. */
export const standaloneProgram = (dataDir: string): ServerProgram => ({
  file: at('apps/api/src/main.ts'),
  nodeOptions,
  env: { ...environment, PORT: '0', LOG_LEVEL: 'warn', DATA_DIR: dataDir },
});

/** `sessionFile` holds the constant answer. */
export const ceilingProgram = (
  settings: ProgramSettings & { dataDir: string },
  sessionFile: string,
): ServerProgram => ({
  file: at('apps/api/test/serve-ceiling.ts'),
  nodeOptions,
  env: { ...musterProgram(settings).env, CEILING_SESSION: sessionFile },
});

export const peerProgram = (
  name: 'idiomatic' | 'unbatched' | 'offset',
  settings: ProgramSettings,
): ServerProgram => ({
  file: at(`packages/bench/src/peers/${name}-server.ts`),
  env: common(settings),
});

// What the chosen benchmarks need of others, there before PostgreSQL is started: an installation disturbs no measurement.

const PEERS: Partial<Record<BenchmarkName, PeerName>> = { join: 'colyseus', history: 'payload' };

/** One that could not be installed is left out later, with a note in the report. */
export const installPeers = async (
  benchmarks: readonly BenchmarkName[],
  report: (sentence: string) => void,
): Promise<void> => {
  for (const name of benchmarks.flatMap((benchmark) => PEERS[benchmark] ?? [])) {
    await installPeer(name, report);
  }
};

// Peers that are whole products of others are no part of the repository's installation: the first run that wants one
// installs it, pinned, into its own folder, before anything is started.

type PeerName = 'colyseus' | 'payload';

const MAIN_PACKAGE: Record<PeerName, string> = { colyseus: '@colyseus/core', payload: 'payload' };

const PATIENCE_MS = 5 * 60_000;

type Peer = { file: string; version: string } | { missing: string };

const known = new Map<PeerName, Promise<Peer>>();

/**
 * The peer's server program, or a sentence that explains why it is unavailable. A failed installation is not repeated,
 * since later calls happen while other peers are being measured.
 */
export const installPeer = (name: PeerName, report: (sentence: string) => void): Promise<Peer> => {
  const peer = known.get(name) ?? findOrInstall(name, report);
  known.set(name, peer);
  return peer;
};

const findOrInstall = async (name: PeerName, report: (sentence: string) => void): Promise<Peer> => {
  const folder = at(`packages/bench/peers/${name}`);
  const peer = async () => {
    const manifest = join(folder, 'node_modules', MAIN_PACKAGE[name], 'package.json');
    const { version } = JSON.parse(await readFile(manifest, 'utf8'));
    return { file: join(folder, 'server.mjs'), version };
  };
  if (await isInstalled(folder)) return peer();
  report(`Installing the peer ${name} into its own folder (once) …`);
  try {
    // Install scripts of others are not run; what they would build is optional to these peers. Not `npm ci`: it refuses
    // a lockfile without the optional binaries of other platforms, which not every registry has.
    const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
    await promisify(execFile)('npm', ['install', ...options], {
      cwd: folder,
      timeout: PATIENCE_MS,
      signal: stopSignal,
    });
    return await peer();
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    return { missing: `${name} is left out: it could not be installed (${reason}).` };
  }
};

/** npm writes this file last. Newer than the lockfile: what is installed is what is pinned. */
const isInstalled = async (folder: string): Promise<boolean> => {
  const [installed, locked] = await Promise.all(
    ['node_modules/.package-lock.json', 'package-lock.json'].map((file) =>
      stat(join(folder, file)).catch(() => null),
    ),
  );
  return Boolean(installed && locked && installed.mtimeMs >= locked.mtimeMs);
};

// How many rooms Colyseus is asked to join, and what its variants are called for it.

/** It looks through its list of rooms on each join: few rooms are fast, and reported beside the many. */
export const FEW_ROOMS = 64;

export const nameColyseus = (rooms: number): string =>
  `colyseus, ${rooms.toLocaleString('en-US')} rooms`;
