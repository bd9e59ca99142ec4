// The service, from its settings to its last request: all wiring in visible order.

import {
  classifyDatabaseError,
  EmbeddedPostgresError,
  MigrationHistoryError,
  migrateDatabase,
  openDatabase,
  startEmbeddedPostgres,
} from '@muster/database';
import type { Express } from 'express';
import { ensureFirstOwner } from './accounts/index.ts';
import { getSigningKeys } from './auth/index.ts';
import type { Config } from './config/index.ts';
import { getAccountsSecret, loadConfig } from './config/index.ts';
import { findDemoExamples, loadDemoData } from './demo/index.ts';
import type { HttpServerOptions } from './http/index.ts';
import { createHttpServer, createMetricsApp } from './http/index.ts';
import type { Logger } from './observability/index.ts';
import { createLogger, createReadiness } from './observability/index.ts';
import {
  checkConnection,
  composeWelcome,
  createService,
  explainFailure,
  listen,
  prepareStop,
  runService,
  toBaseUrl,
  warmUp,
} from './start/index.ts';
import {
  assertWorkersPossible,
  createWorkerMetrics,
  giveMetrics,
  superviseWorkers,
  tellReady,
} from './workers/index.ts';

const isOutage = (error: unknown): boolean =>
  ['unavailable', 'timeout'].includes(classifyDatabaseError(error));

const isExplained = (error: Error): boolean =>
  error instanceof EmbeddedPostgresError || error instanceof MigrationHistoryError;

const explain = <Result>(what: string, work: () => Promise<Result>) =>
  explainFailure(what, work, isExplained);

/** Its libraries are loaded here, and nowhere else: they take memory and time at the start. */
const loadTracing = async (options: NonNullable<Config['tracing']>, logger: Logger) => {
  const { openTracing } = await import('./observability/open-tracing.ts');
  const onFailure = (err: unknown) => logger.warn({ err }, 'traces could not be sent');
  return openTracing({ ...options, onFailure });
};

await runService(
  async (life) => {
    const { report, useLogger, onStop, step } = life;
    const config = loadConfig(process.env);
    const isWorker = config.workerIndex !== undefined;
    const supervises = config.workers > 1 && !isWorker;
    if (supervises) assertWorkersPossible();
    const logger = createLogger(config.logLevel);
    useLogger(logger);
    const cannotUse = `DATA_DIR ${config.dataDir} cannot be used`;
    const keys = await explain(cannotUse, () => getSigningKeys(config));
    const accountsSecret = await explain(cannotUse, () => getAccountsSecret(config));

    const tracing = config.tracing && (await loadTracing(config.tracing, logger));
    if (tracing) onStop('the traces', tracing.stop);

    const onProgress = (message: string) => report(`${message} …`);
    const startPostgres = async () => {
      const postgres = await startEmbeddedPostgres({
        ...{ dataDir: config.dataDir, onProgress },
        onTrouble: (message) => logger.error(message),
      });
      onStop('PostgreSQL', postgres.stop);
      return postgres.url;
    };
    const url = config.databaseUrl ?? (await step(startPostgres));
    const database = openDatabase({
      url,
      onConnectionError: (err) => logger.warn({ err }, 'database connection lost'),
    });
    onStop('the database connections', database.close);
    await step(() => checkConnection(url, () => database.pool.query('SELECT 1')));
    /** Once for all workers, before there are any. */
    const prepareDatabase = async () => {
      await step(() =>
        explain('The database cannot be migrated', () => migrateDatabase({ url, onProgress })),
      );
      const owner = await step(() => ensureFirstOwner(database, config.accounts.ownerEmail));
      if (config.demoData) await step(() => loadDemoData(database, { onProgress }));
      return owner;
    };
    const owner = isWorker ? null : await prepareDatabase();

    const { metricsPort, limits } = config;
    const listenOn = async (
      app: Express,
      port: number,
      options: HttpServerOptions = { limits },
    ) => {
      const server = createHttpServer(app, options);
      onStop('the HTTP server', prepareStop(server));
      return listen(server, config.host, port);
    };

    const startWorkers = async () => {
      const workers = superviseWorkers({
        count: config.workers,
        environment: { DATABASE_URL: url },
        onTrouble: (message) => logger.error(message),
      });
      onStop('the workers', workers.stop);
      const port = await step(() => workers.ready);
      if (metricsPort !== undefined) {
        const readiness = createReadiness({ askDatabase: database.ping });
        const metrics = createWorkerMetrics();
        const app = createMetricsApp({ logger, metrics, readiness, isOutage });
        await step(() => listenOn(app, metricsPort));
      }
      return { port, markReady: () => {} };
    };

    const openReplica = (replicaUrl: string) => {
      const replica = openDatabase({
        ...{ url: replicaUrl, applicationName: 'muster-replica' },
        onConnectionError: (err) => logger.warn({ err }, 'connection to the replica lost'),
      });
      onStop('the connections to the replica', replica.close);
      return replica;
    };

    const startService = async () => {
      const { replicaUrl } = config;
      const service = createService({
        ...{ config, keys, accountsSecret, database, logger, isOutage },
        ...{ processMetrics: true, responseValidation: false },
        ...(tracing && { tracing }),
        ...(replicaUrl !== undefined && { replica: openReplica(replicaUrl) }),
      });
      onStop('background writes', service.finish);
      onStop('the watch over the database', async () => service.watch.stop());
      // What is done once a minute for the whole database is done by one worker.
      if (!config.workerIndex) {
        onStop('the sweeper', service.sweeper.start());
        onStop('the retention', service.retention.start());
      }
      if (isWorker) giveMetrics(service.metrics);
      else if (metricsPort !== undefined)
        await step(() => listenOn(service.metricsApp, metricsPort));
      await step(() => warmUp(database));
      const port = await step(() => listenOn(service.app, config.port, service.serverOptions));
      onStop('readiness', async () => service.readiness.markStopping());
      return { port, markReady: service.readiness.markReady };
    };

    const { port, markReady } = await (supervises ? startWorkers() : startService());
    if (!isWorker) {
      const baseUrl = toBaseUrl(config.host, port);
      const examples = await findDemoExamples(database);
      process.stdout.write(await composeWelcome({ config, keys, baseUrl, examples, owner }));
    }
    markReady();
    if (isWorker) tellReady(port);
  },
  { isExplained },
);
