// Notices when this process is too busy to hear an answer in time.

const PULSE_MS = 25;
/** A pulse that is later than this shows that whatever came meanwhile was heard late, too. */
const STALL_MS = 150;

/** Call what it returns to learn whether the process has stalled since. */
export const watchStalls = (now: () => number = () => performance.now()): (() => boolean) => {
  let beatAt = now();
  let longest = 0;
  const beat = () => {
    longest = Math.max(longest, now() - beatAt);
    beatAt = now();
  };
  const timer = setInterval(beat, PULSE_MS);
  return () => {
    clearInterval(timer);
    beat();
    return longest > STALL_MS;
  };
};
