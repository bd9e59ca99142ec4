// A service to verify against: where it answers, and how to sign for it.

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Problem, sentenceOf } from '../findings.ts';
import { makeTemporaryFolder } from '../pact-files/load-pacts.ts';

export type RunningProvider = {
  url: string;
  /** HS256 secret that the service accepts. */
  secret: string;
  issuer?: string;
  audience?: string;
};

/** `url` has no slash at its end. */
export type Provider = RunningProvider & {
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
  return { ...options, url, stop: async () => {} };
};

const assertAnswers = async (url: string): Promise<void> => {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`it answers ${response.status} to /readyz`);
  } catch (error) {
    const cause = error instanceof Error && error.cause ? error.cause : error;
    throw new Problem(`The service at ${url} is not ready: ${sentenceOf(cause)}.`);
  }
};

// Starts the real service on a PostgreSQL of its own, in a temporary folder, with nothing to set up.

type EmbeddedProviderOptions = {
  onProgress?: (sentence: string) => void;
  /** Ends a start that is under way; its reason is thrown. */
  signal?: AbortSignal;
};

const PAUSE_MS = 20;
/** For a machine that does much else. */
const START_TIMEOUT_MS = 60_000;

/** Throws Problem with the service's own last words when it does not start. */
export const startEmbeddedProvider = async ({
  onProgress = () => {},
  signal,
}: EmbeddedProviderOptions = {}): Promise<Provider> => {
  const entry = findServiceEntry();
  onProgress('Starting the service on a PostgreSQL of its own');
  const folder = makeTemporaryFolder('muster-pact-');
  // Root's PostgreSQL runs as another user, who has to pass through.
  if (process.getuid?.() === 0) await chmod(folder, 0o711);
  const secret = randomBytes(32).toString('hex');
  const service = startServiceProcess(entry, folder, secret);
  const stop = async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  };
  try {
    const url = await waitUntilReady(service, signal);
    return { url, secret, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

const waitUntilReady = async (
  { child, output }: ServiceProcess,
  signal?: AbortSignal,
): Promise<string> => {
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

// The child process that the service runs in: its settings, its output, its end.

type ServiceProcess = {
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

const startServiceProcess = (
  { guard, service }: ServiceEntry,
  folder: string,
  secret: string,
): ServiceProcess => {
  const child = spawn(process.execPath, [...runtimeArgs(), guard, service, folder], {
    env: {
      ...Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]])),
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      DEMO_DATA: '0',
      LOG_LEVEL: 'warn',
      AUTH_JWT_SECRET: secret,
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
  let stopping: Promise<void> | undefined;
  return { child, output: () => output, stop: () => (stopping ??= stopChild(child)) };
};

const runtimeArgs = (): string[] => ('Deno' in globalThis ? ['run', '--allow-all', '--quiet'] : []);

const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null || child.pid === undefined;

const stopChild = async (child: ChildProcess): Promise<void> => {
  if (hasEnded(child)) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
};

// Where the service and its guard are: built files beside this one, or the sources of the repository.
// The service is never imported: it is a program that the kit starts by its path.

type ServiceEntry = { guard: string; service: string };

const isSource = import.meta.url.endsWith('.ts');

const locate = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Throws Problem when the service is not there. */
const findServiceEntry = (): ServiceEntry => {
  const entry = isSource
    ? {
        guard: locate('./guard.ts'),
        service: locate('../../../../apps/api/src/main.ts'),
      }
    : {
        guard: locate('./service/guard.js'),
        service: locate('./service/main.js'),
      };
  if (existsSync(entry.guard) && existsSync(entry.service)) return entry;
  throw new Problem(
    `The service that the kit brings along is not at ${entry.service}: install @muster/pact-kit again.`,
  );
};
