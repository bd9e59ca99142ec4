// Latency of joins before, during and after an attack, and how soon it is back to what it was before.

/** One request that was sent at a planned moment. */
export type Sample = {
  /** Milliseconds from the start of the measurement. */
  plannedMs: number;
  /** From the planned moment to the end of the response: a late request counts in full. */
  latencyMs: number;
  /** 0 where no response arrived before the deadline. */
  status: number;
};

export type Latency = { count: number; p50Ms: number; p99Ms: number };

export const summarise = (samples: readonly Sample[]): Latency => {
  const sorted = samples.map(({ latencyMs }) => latencyMs).toSorted((a, b) => a - b);
  return {
    count: sorted.length,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
  };
};

/** The smallest value that at least this share (0 to 1) does not exceed; NaN where there is none. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;

/** The samples that were planned from `fromMs` until before `toMs`. */
export const between = (samples: readonly Sample[], fromMs: number, toMs: number): Sample[] =>
  samples.filter(({ plannedMs }) => plannedMs >= fromMs && plannedMs < toMs);

/** Fifteen joins at 30 a second: a median of these does not move because of one slow join. */
const SLICE_MS = 500;
/** The median stays at the baseline for this long. A slow half second after it has another cause than the attack. */
const HEALTHY_MS = 1_000;
/** A median is back to the baseline within this factor or this many milliseconds, whichever is more. */
const BASELINE_FACTOR = 1.5;
const BASELINE_MARGIN_MS = 10;

/**
 * Seconds from the end of the attack until the median of each half second is at the baseline for one second, and no later join fails.
 * Null where the measurement ends before that.
 */
export const findRecovery = (
  samples: readonly Sample[],
  { p50Ms }: Latency,
  attackEndMs: number,
): number | null => {
  const boundMs = Math.max(p50Ms * BASELINE_FACTOR, p50Ms + BASELINE_MARGIN_MS);
  const after = between(samples, attackEndMs, Number.POSITIVE_INFINITY);
  const lastMs = after.at(-1)?.plannedMs ?? attackEndMs;
  const lastFailedMs = after.findLast(({ status }) => status !== 200)?.plannedMs ?? attackEndMs;
  let healthySinceMs = attackEndMs;
  for (let fromMs = attackEndMs; fromMs <= lastMs; fromMs += SLICE_MS) {
    const slice = between(after, fromMs, fromMs + SLICE_MS);
    const isHealthy =
      slice.every(({ status }) => status === 200) && summarise(slice).p50Ms <= boundMs;
    const untilMs = fromMs + SLICE_MS;
    if (!isHealthy) healthySinceMs = untilMs;
    if (untilMs - healthySinceMs >= HEALTHY_MS && lastFailedMs < untilMs) {
      return (healthySinceMs - attackEndMs) / 1_000;
    }
  }
  return null;
};
