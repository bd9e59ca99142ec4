/** Timers take a signed 32-bit number; beyond it they fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Calls back after `ms`, or after 24 days where that is longer. */
export const startTimer = (callback: () => void, ms: number): ReturnType<typeof setTimeout> =>
  setTimeout(callback, Math.min(ms, LONGEST_TIMER_MS));
