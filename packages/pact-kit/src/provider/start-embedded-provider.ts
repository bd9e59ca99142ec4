// Starts the real service on a PostgreSQL of its own, in a temporary folder, with nothing to set up.
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem, sentenceOf } from '../problem.ts';
import type { Provider } from './provider.ts';
import type { ServiceEntry } from './service-entry.ts';
import { findServiceEntry } from './service-entry.ts';
import type { ServiceProcess } from './service-process.ts';
import { startServiceProcess } from './service-process.ts';

export type EmbeddedProviderOptions = {
  onProgress?: (sentence: string) => void;
  entry?: ServiceEntry;
  /** Gives up after this time; 60,000 by default, for a machine that does much else. */
  timeoutMs?: number;
  /** Ends a start that is under way; its reason is thrown. */
  signal?: AbortSignal;
};

const PAUSE_MS = 20;

/** Throws Problem with the service's own last words when it does not start. */
export const startEmbeddedProvider = async (
  options: EmbeddedProviderOptions = {},
): Promise<Provider> => {
  const { onProgress = () => {}, entry = findServiceEntry(), timeoutMs = 60_000 } = options;
  onProgress('Starting the service on a PostgreSQL of its own');
  const folder = await makeTemporaryFolder();
  const secret = randomBytes(32).toString('hex');
  const service = startServiceProcess(entry, { dataDir: join(folder, 'data'), folder, secret });
  const stop = async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  };
  try {
    const url = await waitUntilReady(service, timeoutMs, options.signal);
    return { url, secret, lastOutput: service.output, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** Root's PostgreSQL runs as another user, who has to pass through. */
const makeTemporaryFolder = async (): Promise<string> => {
  try {
    const folder = await mkdtemp(join(tmpdir(), 'muster-pact-'));
    if (process.getuid?.() === 0) await chmod(folder, 0o711);
    return folder;
  } catch (error) {
    throw new Problem(`No temporary folder can be made in ${tmpdir()}: ${sentenceOf(error)}.`);
  }
};

const waitUntilReady = async (
  service: ServiceProcess,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<string> => {
  const { child, output } = service;
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    signal?.throwIfAborted();
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
      throw new Problem(`The service did not start: ${lastWords(output())}`);
    }
    const url = /https?:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0];
    if (url && (await isReady(url))) return url;
    await delay(PAUSE_MS);
  }
  const seconds = Math.round(timeoutMs / 1000);
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
