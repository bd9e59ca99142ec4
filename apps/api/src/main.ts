// The service, from its settings to its last request.
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@muster/database';
import {
  adviseOnDatabaseError,
  checkWritable,
  classifyDatabaseError,
  describeDatabaseError,
  describeEmbeddedRelease,
  describeMissingSearchIndexes,
  EmbeddedPostgresError,
  findMissingSearchIndexes,
  findPooling,
  findShards,
  isReadOnly,
  MigrationError,
  migrateDatabase,
  NEEDS_SESSION_POOLING,
  openDatabase,
  startEmbeddedPostgres,
  withClient,
} from '@muster/database';
import { getSigningKeys } from './auth/index.ts';
import { warnOfBuiltInPostgres } from './cli/built-in-postgres.ts';
import { findDemoExamples, loadDemoData } from './cli/demo/index.ts';
import { prepareFirstOwner } from './cli/owner-password.ts';
import { composeWelcome, mayShowSecrets, toBaseUrl } from './cli/welcome.ts';
import type { ServiceOptions } from './compose.ts';
import { createService, isOutage } from './compose.ts';
import { createHttpServer, createMetricsApp, isWebBuilt, LIMITS } from './http/index.ts';
import type { Config, Lifecycle, Logger } from './platform/index.ts';
import {
  assertWorkersPossible,
  createLogger,
  createReadiness,
  examineDataDir,
  findMisspeltSettings,
  getAccountsSecret,
  loadConfig,
  runService,
  StartError,
  superviseWorkers,
  tellReady,
  withUserMessage,
} from './platform/index.ts';
import {
  createWorkerMetrics,
  giveMetrics,
  startOtlpMetrics,
  startTracing,
} from './telemetry/index.ts';

/** The parts that each step of the start uses. */
type ProcessParts = { config: Config; logger: Logger; lifecycle: Lifecycle };

/** A process that listens and is not ready yet. */
type Serving = {
  port: number;
  /** From here on the load balancer may send requests. */
  markReady: () => void;
};

const hasUserMessage = (error: Error): boolean =>
  error instanceof EmbeddedPostgresError || error instanceof MigrationError;

const start = async (lifecycle: Lifecycle): Promise<void> => {
  const config = loadConfig(process.env);
  const isWorker = config.workerIndex !== undefined;
  const isSupervisor = config.workers > 1 && !isWorker;
  if (isSupervisor) assertWorkersPossible();
  const logger = createLogger(config.logLevel);
  lifecycle.useLogger(logger);
  if (!isWorker) for (const sentence of findMisspeltSettings(process.env)) logger.warn(sentence);
  const parts: ProcessParts = { config, logger, lifecycle };
  // A worker writes nothing there, and has to restart even when the disk has failed.
  if (!isWorker) await examineDataDir(config);
  const keys = await getSigningKeys(config);
  const accountsSecret = await getAccountsSecret(config);
  const tracing = config.tracing && (await startTracing(config.tracing, logger));
  if (tracing) lifecycle.onStop('the traces', tracing.stop);
  const { url, database } = await reachDatabase(parts);
  if (!isWorker) await prepareDatabase(parts, url, database);
  const { port, markReady } = isSupervisor
    ? await supervise(parts, url, database)
    : await serve(parts, { keys, accountsSecret, database, ...(tracing && { tracing }) });
  if (!isWorker) {
    // Only `npm start` in a fresh clone builds the web app at the same time.
    while (process.env.AWAIT_WEB_APP && !isWebBuilt()) await lifecycle.step(() => delay(50));
    const baseUrl = toBaseUrl(config.host, port);
    const refuse = refuseOutage(url);
    const examples = await findDemoExamples(database).catch(refuse);
    const showsSecrets = mayShowSecrets(config, examples, process.stdout.isTTY);
    // Last, since a failed start would lose the one-time password: only its hash is stored.
    const preparing = { database, config, showsSecrets };
    const owner = await lifecycle.step(() => prepareFirstOwner(preparing).catch(refuse));
    const welcome = { config, keys, baseUrl, examples, owner, showsSecrets };
    process.stdout.write(await composeWelcome(welcome));
  }
  markReady();
  if (isWorker) tellReady(port);
};

/** Opens the database of DATABASE_URL, or starts the PostgreSQL that the service brings along. */
const reachDatabase = async (parts: ProcessParts): Promise<{ url: string; database: Database }> => {
  const { config, lifecycle, logger } = parts;
  const url = config.databaseUrl ?? (await lifecycle.step(() => startPostgres(parts)));
  // A worker that is restarted during an outage serves the same answers as the others.
  if (config.workerIndex === undefined) await waitUntilWritable(lifecycle, url);
  const shards = await lifecycle.step(() => findShards(url).catch(refuseDatabase(url)));
  const database = openDatabase({
    url,
    ...shards,
    onConnectionError: (err) => logger.warn({ err }, 'database connection lost'),
  });
  lifecycle.onStop('the database connections', database.close);
  await lifecycle.step(() => database.pool.query('SELECT 1').catch(refuseDatabase(url)));
  return { url, database };
};

/** In milliseconds. A failover may start the service before it promotes the standby. */
const PROMOTION = { longest: 60_000, interval: 1_000 };

/** For one attempt. PgBouncer accepts a connection even while all its sessions are in use, and so does a frozen server. */
const LOOK_LIMITS = { connectionTimeoutMillis: 10_000, query_timeout: 10_000 };

/** Each attempt opens a new connection, since the address may lead to another server after a failover. Throws StartError. */
const waitUntilWritable = async ({ report, step }: Lifecycle, url: string): Promise<void> => {
  const deadline = performance.now() + PROMOTION.longest;
  const config = { connectionString: url, ...LOOK_LIMITS };
  let hasReported = false;
  for (;;) {
    const error = await step(() =>
      withClient(config, (client) => examineDatabase(client, url)).then(
        () => null,
        (reason: unknown) => reason,
      ),
    );
    if (error === null) return;
    // A promotion may end connections, or refuse them for a moment.
    const mayPass = isReadOnly(error) || (hasReported && isOutage(error));
    if (!mayPass || performance.now() > deadline) refuseDatabase(url)(error);
    if (!hasReported) report(`Waiting for a minute, since ${describeDatabaseError(error)} …`);
    hasReported = true;
    await step(() => delay(PROMOTION.interval));
  }
};

/** Rejects where a pooler shares sessions between clients, or the database takes no writes. */
const examineDatabase = async (
  client: Parameters<typeof findPooling>[0],
  url: string,
): Promise<void> => {
  if ((await findPooling(client, url)) === 'transaction') throw new Error(NEEDS_SESSION_POOLING);
  await checkWritable(client);
};

const startPostgres = async ({ config, logger, lifecycle }: ProcessParts): Promise<string> => {
  const postgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    onProgress: (message) => lifecycle.report(`${message} …`),
    onTrouble: (message) => logger.error(message),
  });
  lifecycle.onStop('PostgreSQL', postgres.stop);
  lifecycle.report(`The built-in ${describeEmbeddedRelease()}.`);
  const problem = warnOfBuiltInPostgres(config);
  if (problem) logger.warn(problem);
  return postgres.url;
};

/** Throws StartError with the address and the reason; the password is never part of it. */
const refuseDatabase =
  (url: string, setting = 'DATABASE_URL') =>
  (error: unknown): never => {
    const { host, pathname } = new URL(url);
    const advice =
      classifyDatabaseError(error) === 'timeout' ? FULL_POOL : adviseOnDatabaseError(error);
    throw new StartError(
      `${setting}: cannot use the database ${host}${pathname}: ${describeDatabaseError(error)}. ${advice}`.trim(),
      { cause: error },
    );
  };

const FULL_POOL =
  'If PgBouncer is in front of it, all its sessions may be in use: look at default_pool_size.';

/** The same for failures of the database. Others are faults of the program. */
const refuseOutage =
  (url: string) =>
  (error: unknown): never => {
    if (isOutage(error)) return refuseDatabase(url)(error);
    throw error;
  };

/** Runs once for all processes that start on the database. */
const prepareDatabase = async (
  { config, logger, lifecycle: { report, step } }: ProcessParts,
  url: string,
  database: Database,
): Promise<void> => {
  const onProgress = (message: string) => report(`${message} …`);
  await step(() =>
    withUserMessage(
      'The database cannot be migrated',
      () => migrateDatabase({ url, onProgress }),
      hasUserMessage,
    ),
  );
  const missing = await step(() =>
    findMissingSearchIndexes(database.pool).catch(refuseOutage(url)),
  );
  if (missing.length > 0) logger.warn(describeMissingSearchIndexes(missing));
  if (!config.demoData) return;
  await step(() => loadDemoData(database, { onProgress }).catch(refuseOutage(url)));
};

/** The process that answers requests: alone, or as one of several workers. */
const serve = async (
  parts: ProcessParts,
  options: Pick<ServiceOptions, 'keys' | 'accountsSecret' | 'database' | 'tracing'>,
): Promise<Serving> => {
  const { config, logger, lifecycle } = parts;
  const { replicaUrl, metricsPort, workerIndex } = config;
  const replica = replicaUrl === undefined ? null : await openReplica(parts, replicaUrl);
  const service = createService({
    ...options,
    config,
    logger,
    maxPublicRequests: LIMITS.publicRequests.value,
    processMetrics: true,
    responseValidation: false,
    ...(replica && { replica }),
  });
  lifecycle.onStop('background writes', service.finish);
  lifecycle.onStop('the circuit breaker', async () => service.breaker.stop());
  lifecycle.onStop('the watch', service.watch.start());
  lifecycle.onStop('the metrics of the charts', service.history.start());
  lifecycle.onStop('the reading of maintenance', service.maintenance.start());
  // Jobs that run once a minute for the whole database run in one worker.
  if (!workerIndex) {
    lifecycle.onStop('the sweeper', service.sweeper.start());
    lifecycle.onStop('the retention of the feed', service.events.start());
    lifecycle.onStop('the retention', service.retention.start());
    lifecycle.onStop('the purge of sandboxes', service.sandboxPurge.start());
    lifecycle.onStop('the clean-up of sign-ins', service.signInCleanup.start());
  }
  if (workerIndex !== undefined) giveMetrics(service.metrics);
  else if (metricsPort !== undefined) {
    await prepareMetricsServer(parts, service.metricsApp)(metricsPort);
  }
  if (config.otlpMetrics) {
    const stop = await startOtlpMetrics(config.otlpMetrics, service.metrics, logger);
    lifecycle.onStop('the metrics', stop);
  }
  await lifecycle.step(() => openConnections(options.database));
  await lifecycle.step(service.events.prepare);
  await lifecycle.step(service.maintenance.prepare);
  if (!workerIndex) {
    lifecycle.onStop('the webhooks', service.webhookDispatcher.start());
    lifecycle.onStop('the scheduled change sets', service.changeSetScheduler.start());
  }
  const server = createHttpServer(service.app, service.serverOptions);
  lifecycle.onStop('the HTTP server', server.stop);
  const port = await lifecycle.step(() => server.listen(config.host, config.port));
  lifecycle.onStop('readiness', async () => service.prepareStop());
  return { port, markReady: service.readiness.markReady };
};

/** The service also starts while the replica cannot be reached. */
const openReplica = async ({ logger, lifecycle }: ProcessParts, url: string): Promise<Database> => {
  const replica = openDatabase({
    url,
    applicationName: 'muster-replica',
    onConnectionError: (err) => logger.warn({ err }, 'connection to the replica lost'),
  });
  lifecycle.onStop('the connections to the replica', replica.close);
  const pooling = await lifecycle.step(() => findPooling(replica.pool, url).catch(() => null));
  if (pooling === 'transaction') {
    refuseDatabase(url, 'DATABASE_REPLICA_URL')(new Error(NEEDS_SESSION_POOLING));
  }
  return replica;
};

/**
 * Opens the connections of joins and of the circuit breaker before the first request. A load balancer sends a process as much as the
 * others as soon as it listens, and on a busy machine a connection may take longer to open than a join waits. Prisma loads its compiler
 * with the first query, which blocks the process for a tenth of a second. The start continues when the database is unavailable.
 */
const openConnections = async ({ keyedPool, ping, prisma }: Database): Promise<void> => {
  const queries = Array.from({ length: keyedPool.options.max }, () => keyedPool.query('SELECT 1'));
  await Promise.allSettled([ping(), ...queries, prisma.sandbox.findFirst()]);
};

/** The process of WORKERS=n that supervises the workers, which answer the requests. */
const supervise = async (
  parts: ProcessParts,
  url: string,
  database: Database,
): Promise<Serving> => {
  const { config, logger, lifecycle } = parts;
  const readiness = createReadiness({ pingDatabase: database.ping });
  const listenForMetrics = prepareMetricsServer(
    parts,
    createMetricsApp({ logger, metrics: createWorkerMetrics(), readiness, isOutage }),
  );
  const workers = superviseWorkers({
    count: config.workers,
    environment: { DATABASE_URL: url },
    onTrouble: (message) => logger.error(message),
  });
  lifecycle.onStop('the workers', workers.stop);
  const port = await lifecycle.step(() => workers.ready);
  if (config.metricsPort !== undefined) await listenForMetrics(config.metricsPort);
  return { port, markReady: () => {} };
};

/** It stops after the requests of clients, and the whole stop has ten seconds. */
const METRICS_GRACE_MS = 300;

/**
 * Prepares the server of the metrics; call the result to listen. A part that is prepared before the HTTP server stops after it, so that
 * requests for metrics do not delay the stop of the HTTP server.
 */
const prepareMetricsServer = (
  { config: { host, limits }, lifecycle }: ProcessParts,
  app: Parameters<typeof createHttpServer>[0],
): ((port: number) => Promise<number>) => {
  const server = createHttpServer(app, { limits, graceMs: METRICS_GRACE_MS });
  lifecycle.onStop('the server of the metrics', server.stop);
  return (port) => lifecycle.step(() => server.listen(host, port, 'METRICS_PORT'));
};

await runService(start, hasUserMessage);
