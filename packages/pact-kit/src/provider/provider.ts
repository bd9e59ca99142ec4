// A service to verify against: where it answers, and how to sign for it.

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Problem, sentenceOf } from '../findings.ts';

export type RunningProvider = {
  url: string;
  /** HS256 secret that the service accepts. */
  secret: string;
  issuer?: string;
  audience?: string;
};

/** `url` has no slash at its end. */
export type Provider = RunningProvider & {
  /** For the files of the run; it goes with the provider, and with this process, however that ends. */
  folder: string;
  /** Ends what was started. Safe to call twice. */
  stop: () => Promise<void>;
};

// A service that runs already, named by its URL and the secret that its tokens are signed with.

const TIMEOUT_MS = 10_000;

/** Throws Problem when nothing answers there or the secret is not one that the service could have. */
export const useRunningProvider = async (options: RunningProvider): Promise<Provider> => {
  if (!/^https?:\/\//.test(options.url) || !URL.canParse(options.url)) {
    throw new Problem(`--provider-url ${options.url} is no http or https URL.`);
  }
  if (Buffer.byteLength(options.secret) < 32) {
    throw new Problem('--secret must be at least 32 bytes long, as the service requires.');
  }
  const url = options.url.replace(/\/+$/, '');
  await assertAnswers(url);
  const { folder, stop } = await startGuard([]);
  return { ...options, url, folder, stop };
};

const assertAnswers = async (url: string): Promise<void> => {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`it answers ${response.status} to /readyz`);
  } catch (error) {
    throw new Problem(`The service at ${url} is not ready: ${sentenceOf(error)}.`);
  }
};

// Starts the real service on a PostgreSQL of its own, in a temporary folder, with nothing to set up.

type EmbeddedProviderOptions = {
  onProgress?: (sentence: string) => void;
  /** Ends a start that is under way; its reason is thrown. */
  signal?: AbortSignal | undefined;
};

const PAUSE_MS = 20;
/** For a machine that does much else. */
const START_TIMEOUT_MS = 60_000;

/** Throws Problem with the service's own last words when it does not start. */
export const startEmbeddedProvider = async ({
  onProgress = () => {},
  signal,
}: EmbeddedProviderOptions = {}): Promise<Provider> => {
  const secret = randomBytes(32).toString('hex');
  const guard = await startGuard([locateFile(SERVICE)], { AUTH_JWT_SECRET: secret });
  onProgress('Starting the service on a PostgreSQL of its own');
  try {
    const url = await waitUntilReady(guard, signal);
    return { url, secret, folder: guard.folder, stop: guard.stop };
  } catch (error) {
    await guard.stop();
    throw error;
  }
};

const waitUntilReady = async ({ child, output }: Guard, signal?: AbortSignal): Promise<string> => {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    signal?.throwIfAborted();
    if (hasEnded(child)) {
      throw new Problem(`The service did not start: ${lastWords(output())}`);
    }
    const url = /https?:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0];
    if (url && (await isReady(url))) return url;
    await delay(PAUSE_MS);
  }
  const seconds = START_TIMEOUT_MS / 1000;
  throw new Problem(`The service did not start within ${seconds} s: ${lastWords(output())}`);
};

const isReady = async (url: string): Promise<boolean> => {
  const response = await fetch(`${url}/readyz`).catch(() => null);
  await response?.arrayBuffer().catch(() => {});
  return response?.ok ?? false;
};

/** The error itself where there is one, else the last line that is not a stack trace. */
const lastWords = (output: string): string => {
  const lines = output.split('\n').map((line) => line.trim());
  const spoken = lines.filter((line) => line !== '' && !/^(?:at |Node\.js v|\^|[{}])/.test(line));
  const error = spoken.findLast((line) => /^[A-Z]\w*Error\b/.test(line));
  return (error ?? spoken.at(-1))?.slice(0, 500) ?? 'it said nothing.';
};

// The guard: a child process that holds the temporary folder of the run, and runs the service in it.

type Guard = {
  folder: string;
  child: ChildProcess;
  /** Everything that it wrote, bounded. */
  output: () => string;
  stop: () => Promise<void>;
};

/** Nothing else of the caller's environment reaches the service: a set DATABASE_URL must not be verified against. */
const PASSED_ON = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'TMP',
  'LANG',
  'SystemRoot',
  'LD_LIBRARY_PATH',
];
const MAX_OUTPUT = 64 * 1024;
const STOP_TIMEOUT_MS = 15_000;

/** Resolves when the folder is there. Errors: Problem, when it cannot be made. */
const startGuard = async (
  service: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Guard> => {
  const folder = join(tmpdir(), `muster-pact-${randomBytes(8).toString('hex')}`);
  const runtimeArgs = 'Deno' in globalThis ? ['run', '--allow-all', '--quiet'] : [];
  const child = spawn(process.execPath, [...runtimeArgs, locateFile(GUARD), folder, ...service], {
    env: {
      ...Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]])),
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      DEMO_DATA: '0',
      LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    // Ctrl-C reaches the kit alone, which stops the service in order.
    detached: process.platform !== 'win32',
  });
  let output = '';
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(-MAX_OUTPUT);
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  child.stdin?.on('error', () => {});
  child.on('error', (error) => collect(Buffer.from(error.message)));
  let isClosed = false;
  child.once('close', () => {
    isClosed = true;
  });
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await stopChild(child);
    // A guard that had to be killed has left it.
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  };
  while (!existsSync(folder)) {
    if (isClosed) throw new Problem(lastWords(output));
    await delay(PAUSE_MS);
  }
  return { folder, child, output: () => output, stop: () => (stopping ??= stop()) };
};

const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null || child.pid === undefined;

const stopChild = async (child: ChildProcess): Promise<void> => {
  if (hasEnded(child)) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.stdin?.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
};

// Where the service and its guard are: built files beside this one, or the sources of the repository.
// The service is never imported: it is a program that the kit starts by its path.

const GUARD = { built: './service/guard.js', source: './guard.ts' };
const SERVICE = { built: './service/main.js', source: '../../../../apps/api/src/main.ts' };

/** Throws Problem when it is not there. */
const locateFile = ({ built, source }: typeof GUARD): string => {
  const isSource = import.meta.url.endsWith('.ts');
  const path = fileURLToPath(new URL(isSource ? source : built, import.meta.url));
  if (existsSync(path)) return path;
  throw new Problem(
    `The service that the kit brings along is not at ${path}: install @muster/pact-kit again.`,
  );
};
