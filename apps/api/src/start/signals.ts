// Turns signals and unforeseen failures into one graceful stop.
import { constants } from 'node:os';
import type { Logger } from '../observability/index.ts';

export type StopHandlers = {
  logger: () => Logger | undefined;
  /** Never rejects. */
  stop: () => Promise<void>;
  exit: (code: number) => void;
};

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * One Ctrl-C reaches every process of the terminal, and npm hands its own on: the same wish twice.
 * A signal after this time is a new one.
 */
const SAME_WISH_MS = 1_000;

/** The first signal stops gracefully with code 0; a later one exits at once with 128 + its number. */
export const stopOnSignals = ({ logger, stop, exit }: StopHandlers): void => {
  let firstAt: number | undefined;
  const onSignal = async (signal: (typeof SIGNALS)[number]) => {
    if (firstAt !== undefined) {
      if (performance.now() - firstAt > SAME_WISH_MS) exit(128 + constants.signals[signal]);
      return;
    }
    firstAt = performance.now();
    logger()?.info({ signal }, 'stopping');
    await stop();
    exit(0);
  };
  const onFailure = async (error: unknown) => {
    logger()?.fatal({ err: error }, 'unforeseen failure, stopping');
    await stop();
    exit(1);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.on('uncaughtException', onFailure);
  process.on('unhandledRejection', onFailure);
};
