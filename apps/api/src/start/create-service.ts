// Puts the service together around an open database: what main.ts serves and what the tests serve.
import type { Database } from '@muster/database';
import { createAccounts } from '../accounts/index.ts';
import type { SigningKeys } from '../auth/index.ts';
import { createAdminAuthentication, createAuthenticate } from '../auth/index.ts';
import { setBatchTracer } from '../batching/index.ts';
import type { Config } from '../config/index.ts';
import { createServices } from '../create-services.ts';
import type { AppOptions } from '../http/index.ts';
import { createApp, createEdge, createMetricsApp } from '../http/index.ts';
import type { Logger, Tracing } from '../observability/index.ts';
import { createMetrics, createReadiness } from '../observability/index.ts';
import { createDatabaseWatch } from '../outage/index.ts';
import { limitRate } from '../rate-limit/index.ts';

export type ServiceOptions = {
  config: Pick<
    Config,
    | 'accounts'
    | 'auth'
    | 'historyAccess'
    | 'host'
    | 'limits'
    | 'metricsPort'
    | 'retention'
    | 'workerIndex'
  >;
  keys: SigningKeys;
  accountsSecret: string;
  database: Database;
  /** Where histories may be read as well. */
  replica?: Pick<Database, 'pool' | 'observeStatements'>;
  logger: Logger;
  isOutage: AppOptions['isOutage'];
  /** Measure the process too; one service per process may. */
  processMetrics: boolean;
  responseValidation: boolean;
  tracing?: Tracing;
  /** Answers these routes instead of the services: for measuring what the edge alone costs. */
  instead?: Partial<AppOptions['routes']>;
};

export const createService = (options: ServiceOptions) => {
  const { config, keys, database, logger, tracing } = options;
  const { keys: _, ...tokenRules } = config.auth;
  const accounts = createAccounts({
    ...{ database, config, secret: options.accountsSecret },
    warn: (message, err) => logger.warn({ ...(err !== undefined && { err }) }, message),
  });
  const metrics = createMetrics({
    pools: {
      ...{ general: database.pool, keyed: database.keyedPool },
      ...(options.replica && { replica: options.replica.pool }),
    },
    process: options.processMetrics,
  });
  const observe = observeAll(metrics.observeStatement, tracing?.observeStatement);
  for (const observed of [database, options.replica]) observed?.observeStatements(observe);
  if (tracing) setBatchTracer(tracing.batches);
  const { findPerson } = accounts;
  const watch = createDatabaseWatch({
    ping: database.ping,
    onChange: (isAway) => {
      metrics.noteDatabase(!isAway);
      if (isAway) logger.error('the database does not answer; requests are turned away');
      else logger.info('the database answers again');
    },
  });
  const verifyKey = (key: string) => watch.guard(() => accounts.verifyKey(key));
  const readiness = createReadiness({ askDatabase: database.ping });
  const edge = createEdge({ limits: config.limits, logger, metrics, readiness });
  const authenticate = limitRate(
    createAuthenticate({
      ...{ ...tokenRules, keys, verifyKey },
      observeCache: (countEntries) => metrics.observeCache('tokens', countEntries),
    }),
    config.limits.rateLimit,
    () => edge.noteRefused('any', 'rate'),
  );
  const { publicUrl, trustProxy } = config.accounts;
  const adminAuthentication = createAdminAuthentication({
    ...{ authenticate, findPerson },
    ...(publicUrl && { publicUrl }),
  });
  const { routes, adminRouter, retention, sweeper, transfer, finish, countWaitingJoins } =
    createServices({
      accounts: accounts.services,
      database,
      ...(options.replica && { replica: watchReplica(options.replica, logger) }),
      historyAccess: config.historyAccess,
      maxWaitingJoins: config.limits.maxWaitingJoins,
      metrics,
      isOutage: options.isOutage,
      guard: watch.guard,
      ...(tracing && { trace: tracing.trace }),
      onSweepFailure: (err) => logger.warn({ err }, 'the sweep of sessions ended early'),
      retention: {
        rules: config.retention,
        onDeleted: (deleted) => logger.info(deleted, 'what was past its retention is deleted'),
        onFailure: (err) => logger.warn({ err }, 'the retention ended early'),
      },
    });
  edge.observeWaitingJoins(countWaitingJoins);
  const appOptions: AppOptions = {
    routes: { ...routes, ...options.instead },
    adminRouter,
    authenticate,
    adminAuthentication,
    transfer,
    accounts: { auth: accounts.auth, ...(publicUrl && { publicUrl }) },
    ...(trustProxy !== undefined && { trustProxy }),
    historyAccess: config.historyAccess,
    logger,
    metrics,
    readiness,
    isOutage: options.isOutage,
    // One worker of several would show a share of what there is to see.
    serveMetrics: config.metricsPort === undefined && config.workerIndex === undefined,
    responseValidation: options.responseValidation,
    ...(tracing && { traceRequests: tracing.traceRequests }),
  };
  return {
    app: createApp(appOptions),
    /** For the server that serves `app`. */
    serverOptions: edge.serverOptions,
    metricsApp: createMetricsApp(appOptions),
    metrics,
    readiness,
    retention,
    sweeper,
    watch,
    /** Resolves when what is written in the background is written. */
    finish: async () => {
      await Promise.all([finish(), accounts.finish()]);
    },
  };
};

type ObserveStatement = Tracing['observeStatement'];

const observeAll = (first: ObserveStatement, second: ObserveStatement | undefined) =>
  second
    ? (statement: string) => {
        const ends = [first(statement), second(statement)];
        return (error?: unknown) => {
          for (const end of ends) end(error);
        };
      }
    : first;
const watchReplica = (replica: Pick<Database, 'pool'>, logger: Logger) => ({
  replica,
  onChange: (isAway: boolean, err?: unknown) =>
    isAway
      ? logger.warn({ err }, 'the replica does not answer; histories are read from the primary')
      : logger.info('the replica answers again'),
});
