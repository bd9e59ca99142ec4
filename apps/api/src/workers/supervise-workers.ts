// Starts the workers, puts another one in the place of each that ends unasked, and stops them all.
import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '../start/index.ts';
import { readReadyPort } from './worker-message.ts';

export type Workers = {
  /** Resolves with the port once all serve; rejects when one of them ends before that. */
  ready: Promise<number>;
  /** Asks all to stop, waits until they have, and ends those that take too long. */
  stop(): Promise<void>;
};

export type WorkersOptions = {
  count: number;
  /** Environment variables on top of those of this process. */
  environment: Readonly<Record<string, string>>;
  /** Hears, in one sentence each, that a worker ended and when another one starts. */
  onTrouble: (sentence: string) => void;
  pauses?: Pauses;
};

/** In milliseconds: before the first and, at most, before a later start; a worker that lived for `steady` starts over. */
export type Pauses = { first: number; longest: number; steady: number };

const PAUSES: Pauses = { first: 100, longest: 5_000, steady: 30_000 };

/** A worker gives its requests 7 s, and ends by itself within 10. */
const STOP_MS = 11_000;

/**
 * The supervisor takes the connections and hands them to the workers in turn (the default of node:cluster): one that dies takes
 * only its own connections with it, and what nobody has taken yet waits for another one.
 */
export const superviseWorkers = (options: WorkersOptions): Workers => {
  const { count, environment, onTrouble, pauses = PAUSES } = options;
  const { promise: ready, resolve, reject } = Promise.withResolvers<number>();
  const running = new Map<number, Worker>();
  const serving = new Set<number>();
  const ending = new AbortController();
  let haveAllServed = false;

  const start = (index: number, pauseMs: number): void => {
    const worker = cluster.fork({ ...environment, WORKER_INDEX: String(index) });
    const startedAt = performance.now();
    running.set(index, worker);
    worker.on('message', (message) => {
      const port = readReadyPort(message);
      if (port === null) return;
      serving.add(index);
      haveAllServed ||= serving.size === count;
      if (haveAllServed) resolve(port);
    });
    worker.once('exit', (code, signal) => {
      running.delete(index);
      if (ending.signal.aborted) return;
      const how = signal ?? `code ${code}`;
      if (!haveAllServed) {
        reject(new StartError(`Worker ${index} ended before it served (${how}).`));
        return;
      }
      const pause = performance.now() - startedAt > pauses.steady ? pauses.first : pauseMs;
      onTrouble(`Worker ${index} ended unasked (${how}); another one starts in ${pause} ms.`);
      const next = Math.min(2 * pause, pauses.longest);
      void startLater(pause, () => start(index, next));
    });
  };
  const startLater = async (pauseMs: number, work: () => void): Promise<void> => {
    await delay(pauseMs, undefined, { signal: ending.signal }).catch(() => {});
    if (!ending.signal.aborted) work();
  };

  for (let index = 0; index < count; index += 1) start(index, pauses.first);
  return {
    ready,
    stop: async () => {
      ending.abort();
      await Promise.all([...running.values()].map(stopWorker));
    },
  };
};

const stopWorker = async (worker: Worker): Promise<void> => {
  if (worker.isDead()) return;
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.process.kill('SIGTERM');
  const force = setTimeout(() => worker.process.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(force);
};
