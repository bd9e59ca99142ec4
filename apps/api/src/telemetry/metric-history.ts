// The activity of all processes together, in PostgreSQL by minute, for the charts of the admin app. Prometheus is for everything else.

import { repeat } from '../platform/index.ts';
import type { ActivityCounter, Counts } from './activity-counter.ts';
import { JOIN, MINUTE_MS, readQuantile } from './activity-counter.ts';
import type { IntervalSums, MetricHistoryStore } from './metric-history-store.ts';

type HistoryPoint = {
  /** RFC 3339, the beginning of the interval. */
  at: string;
  requests_per_second: number;
  /** Responses with a status of 500 or more. */
  errors_per_second: number;
  joins_per_second: number;
  /** Joins decided in the interval, by outcome. */
  outcomes: Record<string, number>;
  /** At most a fifth above the true one; absent where nothing was answered. */
  p50_ms?: number;
  p99_ms?: number;
  /** The mean of a statement of the database; absent without one. */
  database_ms?: number;
  /** The means of the interval; absent where nothing was measured. */
  live_sessions?: number;
  seated_players?: number;
  webhook_backlog_seconds?: number;
};

export type MetricHistory = ReturnType<typeof createMetricHistory>;

type MetricHistoryOptions = {
  store: MetricHistoryStore;
  activity: Pick<ActivityCounter, 'take' | 'add'>;
  /** Values of the whole service by name. */
  measureGauges: () => Promise<Counts>;
  onFailure: (error: unknown) => void;
  /** Milliseconds since 1970. */
  now?: () => number;
};

export const MAX_HISTORY_MINUTES = 7 * 24 * 60;

const STORE_EVERY_MS = 15_000;
/** Until then every process has stored what it counted in a minute. */
const SETTLED_AFTER_MS = STORE_EVERY_MS + 5_000;

export const createMetricHistory = ({
  store,
  activity,
  measureGauges,
  onFailure,
  now = Date.now,
}: MetricHistoryOptions) => {
  /**
   * One process measures the gauges of a minute: the first that stores its counts of it. If it fails, they are not measured
   * again, since that is expensive.
   */
  const flush = async (): Promise<void> => {
    const current = Math.floor(now() / MINUTE_MS);
    const taken = new Map<number, Counts>(activity.take());
    if (!taken.has(current)) taken.set(current, {});
    for (const [minute, counts] of taken) {
      try {
        await store.add(minute, counts);
        taken.delete(minute);
        if (minute === current && (await store.claimGauges(minute))) {
          await store.setGauges(minute, await measureGauges());
        }
      } catch (error) {
        for (const [left, unsaved] of taken) activity.add(left, unsaved);
        throw error;
      }
    }
  };

  return {
    flush,
    /** Stores every 15 seconds. The result stops that, and stores what is left. */
    start: () => {
      const stop = repeat(flush, { intervalMs: STORE_EVERY_MS, onFailure });
      return async () => {
        await stop();
        await flush().catch(onFailure);
      };
    },
    /** Whole intervals of the last minutes, oldest first. */
    async read(minutes: number): Promise<{ interval_seconds: number; points: HistoryPoint[] }> {
      const step = chooseStep(minutes);
      const until = Math.floor((now() - SETTLED_AFTER_MS) / MINUTE_MS / step) * step;
      const from = until - Math.ceil(minutes / step) * step;
      const sums = await store.read(from, until, step);
      const points = sums.map((interval, index) => toPoint(from + index * step, step, interval));
      return { interval_seconds: step * 60, points };
    },
  };
};

/** Minutes in one point, so that a chart has at most 168. */
const chooseStep = (minutes: number): number => {
  if (minutes <= 120) return 1;
  return minutes <= 24 * 60 ? 10 : 60;
};

const toPoint = (minute: number, step: number, { counts, gauges }: IntervalSums): HistoryPoint => {
  const perSecond = (count = 0) => count / (step * 60);
  const outcomes = Object.fromEntries(
    Object.entries(counts)
      .filter(([name]) => name.startsWith(JOIN))
      .map(([name, count]) => [name.slice(JOIN.length), count]),
  );
  const p50 = readQuantile(counts, 0.5);
  const p99 = readQuantile(counts, 0.99);
  const { statements = 0, statement_ms = 0 } = counts;
  return {
    at: new Date(minute * MINUTE_MS).toISOString(),
    requests_per_second: perSecond(counts.requests),
    errors_per_second: perSecond(counts.errors),
    joins_per_second: perSecond(Object.values(outcomes).reduce((sum, count) => sum + count, 0)),
    outcomes,
    ...(p50 !== undefined && { p50_ms: p50 }),
    ...(p99 !== undefined && { p99_ms: p99 }),
    ...(statements > 0 && { database_ms: statement_ms / statements }),
    ...gauges,
  };
};
