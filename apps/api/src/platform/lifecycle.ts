// The lifecycle of the process: the start with its progress and failures, readiness, signals, and one orderly stop.
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError, StartError } from './errors.ts';
import type { Logger } from './logging.ts';

export type Lifecycle = {
  /** Prints progress to standard error. */
  report: (sentence: string) => void;
  useLogger: (logger: Logger) => void;
  /** Registers how to stop a part that has just started. Parts stop in reverse order. */
  onStop: (name: string, stop: () => Promise<unknown>) => void;
  /** Runs one step of the start. A stop that is requested during the step ends the start after it. */
  step: <Result>(work: () => Promise<Result>) => Promise<Result>;
};

/** The start was interrupted. The signal handler stops what has started. */
class InterruptedError extends Error {}

/** `hasUserMessage`: true for errors whose message is meant for the user. */
export const runService = async (
  start: (lifecycle: Lifecycle) => Promise<void>,
  hasUserMessage: (error: Error) => boolean,
): Promise<void> => {
  let logger: Logger | undefined;
  let isInterrupted = false;
  const report = (sentence: string) => void process.stderr.write(`${sentence}\n`);
  const parts = createStopSequence((name, error) => report(`Could not stop ${name}: ${error}`));
  const starting = start({
    report,
    useLogger: (created) => {
      logger = created;
    },
    onStop: parts.add,
    step: async (work) => {
      if (isInterrupted) throw new InterruptedError();
      return work();
    },
  });
  stopOnSignals({
    logger: () => logger,
    stop: async () => {
      isInterrupted = true;
      await starting.catch(() => {});
      await parts.run();
    },
  });
  await starting.catch(async (error: unknown) => {
    if (error instanceof InterruptedError) return;
    for (const line of describeFailure(error, hasUserMessage)) report(line);
    await parts.run();
    process.exit(1);
  });
};

const describeFailure = (
  error: unknown,
  hasUserMessage: (error: Error) => boolean,
): readonly string[] => {
  if (error instanceof ConfigError) return error.problems;
  if (!(error instanceof Error)) return [String(error)];
  const isForUsers = error instanceof StartError || hasUserMessage(error);
  return [isForUsers ? error.message : (error.stack ?? error.message)];
};

/** Stops the parts in reverse order. A part that fails to stop does not keep the others running. */
export const createStopSequence = (onFailure: (name: string, error: unknown) => void) => {
  const parts: { name: string; stop: () => Promise<unknown> }[] = [];
  let running: Promise<void> | undefined;
  const stopAll = async () => {
    for (let part = parts.pop(); part; part = parts.pop()) {
      const { name, stop } = part;
      await stop().catch((error: unknown) => onFailure(name, error));
    }
  };
  return {
    add: (name: string, stop: () => Promise<unknown>) => void parts.push({ name, stop }),
    /** Safe to call twice: the second call waits for the first. */
    run: () => (running ??= stopAll()),
  };
};

type StopHandlers = {
  logger: () => Logger | undefined;
  /** Never rejects. */
  stop: () => Promise<void>;
};

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * One Ctrl-C reaches every process of the terminal, and npm forwards its own copy: the same request arrives twice.
 * A signal after this time is a new request.
 */
const SAME_REQUEST_MS = 1_000;

/** The first signal stops gracefully with code 0; a later one exits at once with 128 + its number. */
const stopOnSignals = ({ logger, stop }: StopHandlers): void => {
  let firstAt: number | undefined;
  const onSignal = async (signal: (typeof SIGNALS)[number]) => {
    if (firstAt !== undefined) {
      const isRepeated = performance.now() - firstAt <= SAME_REQUEST_MS;
      if (!isRepeated) process.exit(128 + constants.signals[signal]);
      return;
    }
    firstAt = performance.now();
    logger()?.info({ signal }, 'stopping');
    await stop();
    process.exit(0);
  };
  const onFailure = async (error: unknown) => {
    logger()?.fatal({ err: error }, 'unforeseen failure, stopping');
    await stop();
    process.exit(1);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.on('uncaughtException', onFailure);
  process.on('unhandledRejection', onFailure);
};

/** Whether the service is ready: it has started, is not stopping, and its database is available. */
export type Readiness = ReturnType<typeof createReadiness>;

type ReadinessOptions = {
  /** Rejects when the database does not answer, or refuses what the service needs. */
  pingDatabase: () => Promise<unknown>;
  timeoutMs?: number;
};

export const createReadiness = ({ pingDatabase, timeoutMs = 1_000 }: ReadinessOptions) => {
  let state: 'starting' | 'ready' | 'stopping' = 'starting';
  let asking: Promise<boolean> | undefined;
  const ask = () => {
    asking ??= answersInTime(pingDatabase, timeoutMs).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return {
    markReady: (): void => {
      if (state === 'starting') state = 'ready';
    },
    markStopping: (): void => {
      state = 'stopping';
    },
    isStopping: (): boolean => state === 'stopping',
    /** Never rejects. Concurrent calls share one query to the database. */
    isReady: async (): Promise<boolean> => state === 'ready' && (await ask()) && state === 'ready',
  };
};

const answersInTime = (ping: () => Promise<unknown>, timeoutMs: number): Promise<boolean> => {
  const answered = ping().then(
    () => true,
    () => false,
  );
  return Promise.race([answered, delay(timeoutMs, false, { ref: false })]);
};

type RepeatOptions = {
  intervalMs: number;
  /** Until the first run; the interval by default. */
  firstAfterMs?: number;
  /** Called with the error of a run that ended early. The next run starts as usual. */
  onFailure: (error: unknown) => void;
};

/**
 * Runs the work repeatedly, with a pause in between. Call the result to stop: that aborts the signal and waits for the current run. Never
 * keeps the process alive.
 */
export const repeat = (
  work: (signal: AbortSignal) => Promise<unknown>,
  { intervalMs, firstAfterMs = intervalMs, onFailure }: RepeatOptions,
): (() => Promise<void>) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    for (let pauseMs = firstAfterMs; !signal.aborted; pauseMs = intervalMs) {
      await delay(pauseMs, undefined, { signal, ref: false }).catch(() => {});
      if (!signal.aborted) await work(signal).catch(onFailure);
    }
  };
  const running = run();
  return () => {
    stopping.abort();
    return running;
  };
};
