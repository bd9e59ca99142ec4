// Ctrl-C and its like stop what the run has started and remove its folders.
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { releaseEverything } from './acquire.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** With its servers gone a run fails at once; what it still writes, such as its results so far, is waited for this long. */
const SETTLE_MS = 5_000;

/**
 * Exits with 128 + the signal's number. Later signals change nothing: each stop has its own time limit, and one Ctrl-C
 * arrives twice, from the terminal and from npm.
 */
export const stopOnSignals = (running: Promise<unknown>, say: (sentence: string) => void): void => {
  let isStopping = false;
  const stop = async (signal: (typeof SIGNALS)[number]): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    // What loses its server complains, also on a terminal that is gone. None of it may cut the stop short.
    process.on('uncaughtException', () => {});
    say(`Stopping on ${signal} …`);
    await releaseEverything(say);
    await Promise.race([running.catch(() => {}), delay(SETTLE_MS)]);
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
};
