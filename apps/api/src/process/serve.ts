// The process that answers requests: alone, or as one of several workers.
import type { Database } from '@muster/database';
import type { SigningKeys } from '../auth/index.ts';
import type { Tracing } from '../observability/index.ts';
import { createService, warmUp } from '../start/index.ts';
import { giveMetrics } from '../workers/index.ts';
import { isOutage } from './database-failures.ts';
import { listenOn, prepareMetrics } from './listen-on.ts';
import type { ProcessParts, Serving } from './process-parts.ts';
import { openReplica } from './reach-database.ts';

export type ServeOptions = {
  keys: SigningKeys;
  accountsSecret: string;
  database: Database;
  tracing?: Tracing | undefined;
};

export const serve = async (
  parts: ProcessParts,
  { tracing, ...options }: ServeOptions,
): Promise<Serving> => {
  const { config, logger, life } = parts;
  const { replicaUrl, metricsPort, workerIndex } = config;
  const service = createService({
    ...{ ...options, config, logger, isOutage },
    ...{ processMetrics: true, responseValidation: false },
    ...(tracing && { tracing }),
    ...(replicaUrl !== undefined && { replica: openReplica(parts, replicaUrl) }),
  });
  life.onStop('background writes', service.finish);
  life.onStop('the watch over the database', async () => service.watch.stop());
  // What is done once a minute for the whole database is done by one worker.
  if (!workerIndex) {
    life.onStop('the sweeper', service.sweeper.start());
    life.onStop('the retention', service.retention.start());
  }
  if (workerIndex !== undefined) giveMetrics(service.metrics);
  else if (metricsPort !== undefined) await prepareMetrics(parts, service.metricsApp)(metricsPort);
  await life.step(() => warmUp(options.database));
  const port = await listenOn(parts, service.app, config.port, service.serverOptions);
  life.onStop('readiness', async () => service.readiness.markStopping());
  return { port, markReady: service.readiness.markReady };
};
