// Starts the workers, replaces each one that ends unexpectedly, and stops them all.

import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { ConfigError, StartError } from './errors.ts';

type WorkersOptions = {
  count: number;
  /** Environment variables on top of those of this process. */
  environment: Readonly<Record<string, string>>;
  /** Called with one sentence when a worker has ended and another one will start. */
  onTrouble: (sentence: string) => void;
};

/** In milliseconds: before the first and, at most, before a later start; a worker that lived for `steady` starts over. */
const PAUSES = { first: 100, longest: 5_000, steady: 30_000 };

/** A worker gives its requests 7 s, and exits within 10 s. */
const STOP_MS = 11_000;

/**
 * The supervisor accepts connections and distributes them to the workers (the default of node:cluster). When a worker dies, only its
 * own connections are lost, and the one that is being sent to it. A connection that waits for a worker gets another one.
 */
export const superviseWorkers = (options: WorkersOptions) => {
  const { count, environment, onTrouble } = options;
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
      const port = Ready.safeParse(message).data?.port;
      if (port === undefined) return;
      serving.add(index);
      haveAllServed ||= serving.size === count;
      if (haveAllServed) resolve(port);
    });
    const goOn = (how: string): void => {
      running.delete(index);
      if (ending.signal.aborted) return;
      if (!haveAllServed) {
        reject(new StartError(`Worker ${index} ended before it served (${how}).`));
        return;
      }
      const pause = performance.now() - startedAt > PAUSES.steady ? PAUSES.first : pauseMs;
      onTrouble(`Worker ${index} ended unasked (${how}); another one starts in ${pause} ms.`);
      const next = Math.min(2 * pause, PAUSES.longest);
      void startLater(pause, () => start(index, next));
    };
    worker.once('exit', (code, signal) => goOn(signal ?? `code ${code}`));
    worker.on('error', ({ message }: Error) => {
      // Also emitted when a message cannot be sent to a worker that has just died: its exit follows.
      if (worker.process.pid === undefined) goOn(message);
    });
    closeUntaken(worker);
  };
  const startLater = async (pauseMs: number, work: () => void): Promise<void> => {
    await delay(pauseMs, undefined, { signal: ending.signal }).catch(() => {});
    if (!ending.signal.aborted) work();
  };

  for (let index = 0; index < count; index += 1) start(index, PAUSES.first);
  return {
    /** Resolves with the port once all serve; rejects when one of them ends before that. */
    ready,
    /** Asks all to stop, waits until they have, and ends those that take too long. */
    stop: async (): Promise<void> => {
      ending.abort();
      await Promise.all([...running.values()].map(stopWorker));
    },
  };
};

/**
 * node:cluster keeps a connection open until the worker confirms that it has received it. If the worker dies before that, the client
 * would wait for ever.
 */
const closeUntaken = (worker: Worker): void => {
  const { process: child } = worker;
  // Without a free file descriptor, there is no channel to the worker.
  if (!child.send) return;
  const send = child.send.bind(child);
  let sent: Closable | undefined;
  child.send = (...sending: unknown[]) => {
    const [message, handle] = sending;
    if (isConnection(message)) sent = handle as Closable;
    return Reflect.apply(send, child, sending);
  };
  // Runs before node:cluster handles the message and sends the next connection.
  child.prependListener('internalMessage', ({ accepted }: { accepted?: boolean }) => {
    if (accepted !== undefined) sent = undefined;
  });
  worker.once('exit', () => sent?.close());
};

type Closable = { close(): void };

/** Other messages carry no handle, or the socket on which all workers listen. */
const isConnection = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'act' in message && message.act === 'newconn';

const stopWorker = async (worker: Worker): Promise<void> => {
  if (worker.isDead()) return;
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.process.kill('SIGTERM');
  const force = setTimeout(() => worker.process.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(force);
};

/** The message of a worker that serves. */
const Ready = z.object({ muster: z.literal('ready'), port: z.int() });

/** The worker serves on this port. */
export const tellReady = (port: number): void => {
  process.send?.({ muster: 'ready', port } satisfies z.infer<typeof Ready>);
};

/** Bun and Deno have other ways to share a port, and their `node:cluster` is not what supervision here needs. */
export const assertWorkersPossible = (
  versions: Readonly<Record<string, string | undefined>> = process.versions,
): void => {
  const other = versions.bun !== undefined ? 'Bun' : versions.deno !== undefined ? 'Deno' : null;
  if (other === null) return;
  throw new ConfigError([
    `WORKERS above 1 needs Node.js: under ${other} start several processes on ports of their own, behind a load balancer.`,
  ]);
};
