// The process of WORKERS=n that answers no request of clients: it looks after those that do.
import { createMetricsApp } from '../http/index.ts';
import { createReadiness } from '../observability/index.ts';
import { createWorkerMetrics, superviseWorkers } from '../workers/index.ts';
import { isOutage } from './database-failures.ts';
import { prepareMetrics } from './listen-on.ts';
import type { ProcessParts, Serving } from './process-parts.ts';
import type { ReachedDatabase } from './reach-database.ts';

export const serveByWorkers = async (
  parts: ProcessParts,
  { url, database }: ReachedDatabase,
): Promise<Serving> => {
  const { config, logger, life } = parts;
  const readiness = createReadiness({ askDatabase: database.ping });
  const metrics = createWorkerMetrics();
  const listenForMetrics = prepareMetrics(
    parts,
    createMetricsApp({ logger, metrics, readiness, isOutage }),
  );
  const workers = superviseWorkers({
    count: config.workers,
    environment: { DATABASE_URL: url },
    onTrouble: (message) => logger.error(message),
  });
  life.onStop('the workers', workers.stop);
  const port = await life.step(() => workers.ready);
  if (config.metricsPort !== undefined) await listenForMetrics(config.metricsPort);
  return { port, markReady: () => {} };
};
