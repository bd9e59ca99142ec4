// Medians and ratios of rounds. A median of few rounds says more than a mean: one disturbed round does not move it.

export type Spread = { median: number; low: number; high: number };

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
};

export const spreadOf = (values: readonly number[]): Spread => ({
  median: median(values),
  low: Math.min(...values),
  high: Math.max(...values),
});

/**
 * The ratio of two variants whose rounds took turns: each round is compared with its neighbour, so that a machine that
 * slows down for a while slows both. Where the numbers of rounds differ, every value is compared with the other's median.
 */
export const ratioOf = (above: readonly number[], below: readonly number[]): Spread => {
  const base = median(below);
  const paired = above.length === below.length;
  return spreadOf(above.map((value, round) => value / (paired ? (below[round] ?? base) : base)));
};

/** Such as "10 million" or "100 thousand"; numbers that are no whole thousands stay figures. */
export const countInWords = (count: number): string => {
  if (count >= 1_000_000 && count % 100_000 === 0) return `${count / 1_000_000} million`;
  return count % 1_000 === 0 ? `${count / 1_000} thousand` : String(count);
};
