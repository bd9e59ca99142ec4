// The last hour of this process in buckets of five seconds, for the charts of the admin app. It forgets on restart and
// knows nothing of other processes: Prometheus is for that. Recording costs the same however much was recorded.

export type SeriesPoint = {
  /** RFC 3339, the beginning of the interval. */
  at: string;
  requests_per_second: number;
  joins_per_second: number;
  /** Joins decided in the interval, by outcome. */
  outcomes: Record<string, number>;
  /** At most a fifth above the true one; absent where nothing was answered. */
  p50_ms?: number;
  p99_ms?: number;
};

export type RequestSeries = ReturnType<typeof createRequestSeries>;

export const INTERVAL_SECONDS = 5;
export const MAX_SERIES_MINUTES = 60;

const INTERVAL_MS = INTERVAL_SECONDS * 1000;
/** One more than the hour has, for the interval that is not over. */
const SLOTS = (MAX_SERIES_MINUTES * 60) / INTERVAL_SECONDS + 1;

type Bucket = {
  /** Number of the interval since 1970; a slot with another one is from an hour ago. */
  interval: number;
  requests: number;
  joins: Map<string, number>;
  latencies: ReturnType<typeof createLatencyHistogram>;
};

/** `now` in milliseconds since 1970. */
export const createRequestSeries = (now: () => number = Date.now) => {
  const ring: (Bucket | undefined)[] = new Array(SLOTS).fill(undefined);
  const currentInterval = () => Math.floor(now() / INTERVAL_MS);

  const openBucket = (): Bucket => {
    const interval = currentInterval();
    const slot = interval % SLOTS;
    const known = ring[slot];
    if (known?.interval === interval) return known;
    const latencies = createLatencyHistogram();
    const bucket: Bucket = { interval, requests: 0, joins: new Map(), latencies };
    ring[slot] = bucket;
    return bucket;
  };

  return {
    recordRequest(durationMs: number): void {
      const bucket = openBucket();
      bucket.requests += 1;
      bucket.latencies.record(durationMs);
    },
    recordJoin(outcome: string): void {
      const { joins } = openBucket();
      joins.set(outcome, (joins.get(outcome) ?? 0) + 1);
    },
    /** Whole intervals only, oldest first, ending with the newest one that is over. */
    read(minutes: number): SeriesPoint[] {
      const count = Math.min(SLOTS - 1, Math.floor((minutes * 60) / INTERVAL_SECONDS));
      const current = currentInterval();
      return Array.from({ length: count }, (_, index) => {
        const interval = current - count + index;
        const bucket = ring[interval % SLOTS];
        return toPoint(interval, bucket?.interval === interval ? bucket : undefined);
      });
    },
  };
};

const toPoint = (interval: number, bucket: Bucket | undefined): SeriesPoint => {
  const at = new Date(interval * INTERVAL_MS).toISOString();
  if (!bucket) return { at, requests_per_second: 0, joins_per_second: 0, outcomes: {} };
  const joins = [...bucket.joins.values()].reduce((sum, count) => sum + count, 0);
  return {
    at,
    requests_per_second: bucket.requests / INTERVAL_SECONDS,
    joins_per_second: joins / INTERVAL_SECONDS,
    outcomes: Object.fromEntries(bucket.joins),
    ...(bucket.requests > 0 && {
      p50_ms: bucket.latencies.quantile(0.5),
      p99_ms: bucket.latencies.quantile(0.99),
    }),
  };
};

// Counts durations in cells that grow by a fifth each, so that a quantile is at most a fifth too high.

const SMALLEST_MS = 0.25;
const GROWTH = 1.2;
/** The last cell ends beyond thirty seconds; what is longer counts there. */
const CELLS = 66;

const createLatencyHistogram = () => {
  const counts = new Uint32Array(CELLS);
  let total = 0;
  return {
    record(durationMs: number): void {
      const cell = cellOf(durationMs);
      counts[cell] = (counts[cell] ?? 0) + 1;
      total += 1;
    },
    /** The end of the cell in which the quantile lies, in milliseconds. Something has been recorded. */
    quantile(share: number): number {
      const rank = Math.ceil(share * total);
      let passed = 0;
      const cell = counts.findIndex((count) => {
        passed += count;
        return passed >= rank;
      });
      return Math.round(SMALLEST_MS * GROWTH ** cell * 1000) / 1000;
    },
  };
};

const cellOf = (durationMs: number): number => {
  if (durationMs <= SMALLEST_MS) return 0;
  const cell = Math.ceil(Math.log(durationMs / SMALLEST_MS) / Math.log(GROWTH));
  return Math.min(CELLS - 1, cell);
};
