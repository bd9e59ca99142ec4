// The metrics of a service, which observe the statements of its databases.
import type { Database } from '@muster/database';
import { setBatchTracer } from './flow/index.ts';
import type { Logger } from './platform/index.ts';
import type { Metrics, Tracing } from './telemetry/index.ts';
import { createMetricHistory, createMetricHistoryStore, createMetrics } from './telemetry/index.ts';

type Observed = {
  database: Database;
  replica?: Pick<Database, 'pool' | 'observeStatements'>;
  processMetrics: boolean;
  tracing?: Tracing;
};

export const composeMetrics = ({ database, replica, processMetrics, tracing }: Observed) => {
  const metrics = createMetrics({
    pools: {
      general: database.pool,
      keyed: database.keyedPool,
      ...(replica && { replica: replica.pool }),
    },
    process: processMetrics,
  });
  const observe: typeof metrics.observeStatement = tracing
    ? (statement) => {
        const end = metrics.observeStatement(statement);
        const endSpan = tracing.observeStatement(statement);
        return (error) => {
          end(error);
          endSpan(error);
        };
      }
    : metrics.observeStatement;
  for (const observed of [database, replica]) observed?.observeStatements(observe);
  if (tracing) setBatchTracer(tracing.batches);
  return metrics;
};

type Kept = {
  database: Database;
  logger: Logger;
  metrics: Metrics;
  measureBacklog: () => Promise<{ ageSeconds: number }>;
};

/** The metrics that are kept in the database. */
export const composeMetricHistory = ({ database, logger, metrics, measureBacklog }: Kept) => {
  const store = createMetricHistoryStore(database);
  return createMetricHistory({
    store,
    activity: metrics.activity,
    measureGauges: async () => {
      const { ageSeconds } = await measureBacklog();
      return { ...(await store.countPlayers()), webhook_backlog_seconds: ageSeconds };
    },
    onFailure: (err) => logger.warn({ err }, 'the metrics of the charts could not be stored'),
  });
};
