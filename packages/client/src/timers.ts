import { TimeoutError } from './errors.ts';

/** Time and chance, given from outside so that tests need neither. */
export type Clock = {
  /** Milliseconds since some fixed moment; never goes back. */
  nowMs(): number;
  /** Rejects with the signal's reason when that is aborted first. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** 0 (inclusive) to 1 (exclusive). */
  random(): number;
};

export const SYSTEM_CLOCK: Clock = {
  nowMs: () => performance.now(),
  wait: async (ms, signal) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const waited = new Promise<void>((resolve) => {
      timer = startTimer(resolve, ms);
    });
    try {
      await abortable(waited, signal);
    } finally {
      clearTimeout(timer);
    }
  },
  random: () => Math.random(),
};

/** Timers take a signed 32-bit number; beyond it they fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Calls back after `ms`, or after 24 days where that is longer. */
const startTimer = (callback: () => void, ms: number): ReturnType<typeof setTimeout> =>
  setTimeout(callback, Math.min(ms, LONGEST_TIMER_MS));

/**
 * Settles as `promise` does, but rejects with the signal's reason as soon as that is aborted.
 * It does not stop the operation behind the promise.
 */
export const abortable = async <Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> => {
  if (!signal) return promise;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
};

export type Deadline = {
  /** Aborted with a TimeoutError when the time is over, or with the caller's reason if that signal is aborted first. */
  signal: AbortSignal;
  /** Whether the time ended it, and not the caller. */
  isOver(): boolean;
  /** Must be called in the end: it stops the timer. */
  end(): void;
};

/** One signal for the two reasons to give up. `AbortSignal.any` is too young for some browsers. */
export const startDeadline = (timeoutMs: number, caller: AbortSignal | undefined): Deadline => {
  const controller = new AbortController();
  let isOver = false;
  const abort = () => controller.abort(caller?.reason);
  const timer = startTimer(() => {
    isOver = !controller.signal.aborted;
    controller.abort(new TimeoutError(timeoutMs));
  }, timeoutMs);
  if (caller?.aborted) abort();
  else caller?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    isOver: () => isOver,
    end: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', abort);
    },
  };
};
