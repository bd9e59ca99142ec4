// What operators want to know of this process and its database.
import type { JoinMetric, SeriesPoint } from '../observability/index.ts';
import { INTERVAL_SECONDS } from '../observability/index.ts';
import type { ChainHead, DatabaseFacts, SystemStore } from './system-store.ts';

export type ServiceFacts = {
  version: string;
  /** Such as `Node.js 24.21.0`. */
  runtime: string;
  /** RFC 3339. */
  started: string;
  pid: number;
};

export type SystemView = {
  service: ServiceFacts;
  database: DatabaseFacts;
  join_metrics: JoinMetric[];
  /** By name; the first 200 sandboxes. */
  chains: ChainHead[];
};

export type SystemService = {
  /** With the chains of these sandboxes only, where they are named. */
  get(sandboxIds?: readonly string[]): Promise<SystemView>;
  /** The last minutes of this process, in whole intervals. */
  readSeries(minutes: number): { interval_seconds: number; points: SeriesPoint[] };
};

export type SystemSources = {
  store: SystemStore;
  service: ServiceFacts;
  metrics: {
    readJoinMetrics(): Promise<JoinMetric[]>;
    series: { read(minutes: number): SeriesPoint[] };
  };
};

const MAX_CHAINS = 200;

export const createSystemService = ({ store, service, metrics }: SystemSources): SystemService => ({
  async get(sandboxIds) {
    const [database, join_metrics, chains] = await Promise.all([
      store.readDatabase(),
      metrics.readJoinMetrics(),
      store.listChains(MAX_CHAINS, sandboxIds),
    ]);
    return { service, database, join_metrics, chains };
  },
  readSeries: (minutes) => ({
    interval_seconds: INTERVAL_SECONDS,
    points: metrics.series.read(minutes),
  }),
});
