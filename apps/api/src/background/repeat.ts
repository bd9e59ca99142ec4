export type RepeatOptions = {
  intervalMs: number;
  /** Until the first run; the interval by default. */
  firstAfterMs?: number;
  /** Hears why a run ended early; the next one comes all the same. */
  onFailure: (error: unknown) => void;
};

/**
 * Runs the work again and again, with a pause in between, until what this answers is called: that aborts the signal and waits for
 * the run that is going on. Never keeps the process alive.
 */
export const repeat = (
  work: (signal: AbortSignal) => Promise<unknown>,
  { intervalMs, firstAfterMs = intervalMs, onFailure }: RepeatOptions,
): (() => Promise<void>) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running = Promise.resolve();
  let timer: NodeJS.Timeout;
  const schedule = (afterMs: number) => {
    if (signal.aborted) return;
    timer = setTimeout(() => {
      running = work(signal).then(() => {}, onFailure);
      void running.then(() => schedule(intervalMs));
    }, afterMs);
    timer.unref();
  };
  schedule(firstAfterMs);
  return () => {
    stopping.abort();
    clearTimeout(timer);
    return running;
  };
};
