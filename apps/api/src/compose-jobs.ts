// Jobs that delete what is no longer kept.
import type { Database } from '@muster/database';
import { createSandboxPurge, createSandboxPurgeStore } from './catalogue/index.ts';
import { createRetention, createRetentionStore } from './operations/index.ts';
import type { Config, Logger } from './platform/index.ts';
import type { Metrics } from './telemetry/index.ts';

type JobOptions = {
  config: Pick<Config, 'deletedSandboxDays' | 'retention'>;
  database: Database;
  logger: Logger;
};

export const composeSandboxPurge = ({ config, database, logger }: JobOptions) =>
  createSandboxPurge({
    store: createSandboxPurgeStore(database),
    keptDays: config.deletedSandboxDays,
    onPurged: (purged) => logger.info(purged, 'a deleted sandbox was purged'),
    onFailure: (err) => logger.warn({ err }, 'the purge of deleted sandboxes ended early'),
  });

export const composeRetention = ({ config, database, logger }: JobOptions, metrics: Metrics) =>
  createRetention({
    store: createRetentionStore(database),
    rules: config.retention,
    countDeleted: metrics.countRetentionDeleted,
    onDeleted: (deleted) => logger.info(deleted, 'rows past their retention were deleted'),
    onFailure: (err) => {
      metrics.countRetentionFailure();
      logger.warn({ err }, 'the retention ended early');
    },
  });
