// Counts what this process does, by minute, until metric-history.ts stores the counts. Counting costs the same however much was counted.

/** Sums by name, such as `requests`, `join:team_full` or `latency:17`. */
export type Counts = Record<string, number>;

export type ActivityCounter = ReturnType<typeof createActivityCounter>;

export const MINUTE_MS = 60_000;
/** While the database is unavailable, this many minutes are kept. */
const MAX_MINUTES = 60;

/** `now` in milliseconds since 1970. */
export const createActivityCounter = (now: () => number = Date.now) => {
  let minutes = new Map<number, Counts>();

  const countsOf = (minute: number): Counts => {
    const known = minutes.get(minute);
    if (known) return known;
    const counts: Counts = {};
    minutes.set(minute, counts);
    const [oldest] = minutes.keys();
    if (minutes.size > MAX_MINUTES && oldest !== undefined) minutes.delete(oldest);
    return counts;
  };
  const current = () => countsOf(Math.floor(now() / MINUTE_MS));

  return {
    recordRequest(durationMs: number, isError: boolean): void {
      const counts = current();
      increase(counts, 'requests', 1);
      if (isError) increase(counts, 'errors', 1);
      increase(counts, LATENCY + cellOf(durationMs), 1);
    },
    recordJoin(outcome: string): void {
      increase(current(), JOIN + outcome, 1);
    },
    recordStatement(durationMs: number): void {
      const counts = current();
      increase(counts, 'statements', 1);
      increase(counts, 'statement_ms', durationMs);
    },
    /** Everything counted since the last call, oldest first: minutes since 1970 and their counts. */
    take(): [minute: number, counts: Counts][] {
      const taken = [...minutes];
      minutes = new Map();
      return taken;
    },
    /** Puts back what could not be stored. */
    add(minute: number, counts: Counts): void {
      const known = countsOf(minute);
      for (const [name, count] of Object.entries(counts)) increase(known, name, count);
    },
  };
};

const increase = (counts: Counts, name: string, by: number): void => {
  counts[name] = (counts[name] ?? 0) + by;
};

export const JOIN = 'join:';
const LATENCY = 'latency:';

// Durations are counted in cells that grow by a fifth each, so that a quantile is at most a fifth too high.

const SMALLEST_MS = 0.25;
const GROWTH = 1.2;
/** The last cell ends beyond thirty seconds; what is longer counts there. */
const CELLS = 66;

const cellOf = (durationMs: number): number => {
  if (durationMs <= SMALLEST_MS) return 0;
  const cell = Math.ceil(Math.log(durationMs / SMALLEST_MS) / Math.log(GROWTH));
  return Math.min(CELLS - 1, cell);
};

/** The end of the cell in which the quantile (0 to 1) lies, in milliseconds; undefined where no duration was counted. */
export const readQuantile = (counts: Counts, share: number): number | undefined => {
  const cells = Array.from({ length: CELLS }, (_, cell) => counts[LATENCY + cell] ?? 0);
  const total = cells.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const rank = Math.ceil(share * total);
  let passed = 0;
  const found = cells.findIndex((count) => {
    passed += count;
    return passed >= rank;
  });
  return Math.round(SMALLEST_MS * GROWTH ** found * 1000) / 1000;
};
