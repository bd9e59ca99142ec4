// A histogram of durations in microseconds with a bounded relative error, after the idea of HdrHistogram:
// 128 equal steps per power of two, so that a recorded value is off by less than 1 %.
const STEPS = 128;
const STEP_BITS = 7;
/** 2^32 µs is over an hour: longer than any run. */
const POWERS = 32 - STEP_BITS;
const MAX_US = 2 ** 32 - 1;

export type Histogram = { counts: Uint32Array; count: number; maxUs: number };

export const createHistogram = (): Histogram => ({
  counts: new Uint32Array(STEPS * (POWERS + 1)),
  count: 0,
  maxUs: 0,
});

/** Values below 128 µs have a cell each; above, a cell spans 1/128 of its power of two. */
const cellOf = (us: number): number => {
  if (us < STEPS) return us;
  const shift = 31 - Math.clz32(us) - STEP_BITS;
  return STEPS * (shift + 1) + ((us >>> shift) - STEPS);
};

/** The middle of a cell, in microseconds. */
const middleOf = (cell: number): number => {
  if (cell < STEPS) return cell;
  const shift = Math.floor(cell / STEPS) - 1;
  return (STEPS + (cell % STEPS) + 0.5) * 2 ** shift;
};

export const recordDuration = (histogram: Histogram, us: number): void => {
  const bounded = Math.min(Math.max(Math.round(us), 0), MAX_US);
  const cell = cellOf(bounded >>> 0);
  histogram.counts[cell] = (histogram.counts[cell] ?? 0) + 1;
  histogram.count += 1;
  if (bounded > histogram.maxUs) histogram.maxUs = bounded;
};

/** The smallest recorded duration that at least this share (0..1) does not exceed; 0 when nothing was recorded. */
export const percentile = ({ counts, count, maxUs }: Histogram, share: number): number => {
  const rank = Math.max(1, Math.ceil(count * share));
  let seen = 0;
  for (const [cell, inCell] of counts.entries()) {
    seen += inCell;
    if (inCell > 0 && seen >= rank) return Math.min(middleOf(cell), maxUs);
  }
  return 0;
};
