import { abortable } from '../http/abortable.ts';
import { startTimer } from '../http/start-timer.ts';

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
