// The service, from its settings to its last request: all wiring in visible order.
import {
  classifyDatabaseError,
  EmbeddedPostgresError,
  MigrationHistoryError,
  migrateDatabase,
  openDatabase,
  startEmbeddedPostgres,
} from '@muster/database';
import { ensureFirstOwner } from './accounts/index.ts';
import { getSigningKeys } from './auth/index.ts';
import type { Config } from './config/index.ts';
import { getAccountsSecret, loadConfig } from './config/index.ts';
import { findDemoExamples, loadDemoData } from './demo/index.ts';
import type { HttpServerOptions } from './http/index.ts';
import { createHttpServer } from './http/index.ts';
import type { Logger } from './observability/index.ts';
import { createLogger } from './observability/index.ts';
import {
  checkConnection,
  composeWelcome,
  createService,
  explainFailure,
  listen,
  prepareStop,
  runService,
  toBaseUrl,
} from './start/index.ts';

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
  async ({ report, useLogger, onStop, step }) => {
    const config = loadConfig(process.env);
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
    await step(() =>
      explain('The database cannot be migrated', () => migrateDatabase({ url, onProgress })),
    );
    const owner = await step(() => ensureFirstOwner(database, config.accounts.ownerEmail));
    if (config.demoData) await step(() => loadDemoData(database, { onProgress }));

    const service = createService({
      config,
      keys,
      accountsSecret,
      database,
      logger,
      isOutage,
      processMetrics: true,
      responseValidation: false,
      ...(tracing && { tracing }),
    });
    onStop('background writes', service.finish);
    onStop('the watch over the database', async () => service.watch.stop());
    onStop('the sweeper', service.sweeper.start());
    onStop('the retention', service.retention.start());

    const serve = async (app: typeof service.app, port: number, options: HttpServerOptions) => {
      const server = createHttpServer(app, options);
      onStop('the HTTP server', prepareStop(server));
      return listen(server, config.host, port);
    };
    const { metricsPort, limits } = config;
    if (metricsPort !== undefined) {
      await step(() => serve(service.metricsApp, metricsPort, { limits }));
    }
    const port = await step(() => serve(service.app, config.port, service.serverOptions));
    onStop('readiness', async () => service.readiness.markStopping());

    const baseUrl = toBaseUrl(config.host, port);
    const examples = await findDemoExamples(database);
    process.stdout.write(await composeWelcome({ config, keys, baseUrl, examples, owner }));
    service.readiness.markReady();
  },
  { isExplained },
);
