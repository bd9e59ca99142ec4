// Says in the log that requests are turned away: at once, and then every ten seconds with their numbers, since a line for
// each would cost more than the refusal.
import type { Logger } from '../../observability/index.ts';

/** A moment, so that the first line has a number too. */
const FIRST_MS = 100;
const EVERY_MS = 10_000;

/** `what` is from a small set. */
export const createRefusalLog = (logger: Pick<Logger, 'warn'>): ((what: string) => void) => {
  let counts: Record<string, number> = {};
  let isDue = false;
  const write = () => {
    isDue = false;
    if (Object.keys(counts).length === 0) return;
    logger.warn({ refused: counts }, 'requests were turned away at a limit');
    counts = {};
    writeIn(EVERY_MS);
  };
  const writeIn = (ms: number) => {
    isDue = true;
    setTimeout(write, ms).unref();
  };
  return (what) => {
    counts[what] = (counts[what] ?? 0) + 1;
    if (!isDue) writeIn(FIRST_MS);
  };
};
