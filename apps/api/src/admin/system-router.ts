// Facts about this process and its database, for operators.
import { z } from 'zod';
import { sandboxScopeOf } from '../auth/index.ts';
import { nameRuntime, readVersion } from '../platform/index.ts';
import type { JoinMetric, MetricHistory } from '../telemetry/index.ts';
import { MAX_HISTORY_MINUTES } from '../telemetry/index.ts';
import type { ChainHead, DatabaseFacts, SystemStore } from './system-store.ts';
import { NoInput, permittedProcedure, router } from './trpc.ts';

const SeriesInput = z
  .object({ minutes: z.int().min(1).max(MAX_HISTORY_MINUTES).default(60) })
  .prefault({});

export const createSystemRouter = (system: SystemService) => {
  const view = permittedProcedure('metrics:view');
  return router({
    get: view.input(NoInput).query(({ ctx }) => system.get(sandboxScopeOf(ctx.caller))),
    series: view.input(SeriesInput).query(({ input }) => system.readSeries(input.minutes)),
  });
};

type ServiceFacts = {
  version: string;
  /** Such as `Node.js 24.21.0`. */
  runtime: string;
  /** RFC 3339. */
  started: string;
  pid: number;
};

type SystemView = {
  service: ServiceFacts;
  database: DatabaseFacts;
  join_metrics: JoinMetric[];
  /** By name; the first 200 sandboxes. */
  chains: ChainHead[];
};

export type SystemService = ReturnType<typeof createSystemService>;

type SystemSources = {
  store: SystemStore;
  service: ServiceFacts;
  metrics: { readJoinMetrics(): Promise<JoinMetric[]> };
  history: Pick<MetricHistory, 'read'>;
};

const MAX_CHAINS = 200;

export const createSystemService = ({ store, service, metrics, history }: SystemSources) => ({
  /** When given, restricts the chains to these sandboxes. */
  async get(sandboxIds?: readonly string[]): Promise<SystemView> {
    const [database, join_metrics, chains] = await Promise.all([
      store.readDatabase(),
      metrics.readJoinMetrics(),
      store.listChains(MAX_CHAINS, sandboxIds),
    ]);
    return { service, database, join_metrics, chains };
  },
  /** The last minutes of all processes, in whole intervals. */
  readSeries: history.read,
});

export const describeProcess = (started: Date): ServiceFacts => ({
  version: readVersion(),
  runtime: nameRuntime(),
  started: started.toISOString(),
  pid: process.pid,
});
