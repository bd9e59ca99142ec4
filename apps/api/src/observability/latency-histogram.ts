// Counts durations in cells that grow by a fifth each, so that a quantile is at most a fifth too high.

const SMALLEST_MS = 0.25;
const GROWTH = 1.2;
/** The last cell ends beyond thirty seconds; what is longer counts there. */
const CELLS = 66;

export const createLatencyHistogram = () => {
  const counts = new Uint32Array(CELLS);
  let total = 0;
  return {
    record(durationMs: number): void {
      const cell = cellOf(durationMs);
      counts[cell] = (counts[cell] ?? 0) + 1;
      total += 1;
    },
    /** The end of the cell in which the quantile lies, in milliseconds; 0 when nothing was recorded. */
    quantile(share: number): number {
      const rank = Math.ceil(share * total);
      if (rank === 0) return 0;
      let passed = 0;
      const cell = counts.findIndex((count) => {
        passed += count;
        return passed >= rank;
      });
      return Math.round(SMALLEST_MS * GROWTH ** cell * 1000) / 1000;
    },
    clear(): void {
      counts.fill(0);
      total = 0;
    },
  };
};

const cellOf = (durationMs: number): number => {
  if (durationMs <= SMALLEST_MS) return 0;
  const cell = Math.ceil(Math.log(durationMs / SMALLEST_MS) / Math.log(GROWTH));
  return Math.min(CELLS - 1, cell);
};
