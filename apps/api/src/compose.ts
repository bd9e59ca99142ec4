// Wires the service around an open database, in the order of dependencies. main.ts and the tests serve the result.
import type { Database } from '@muster/database';
import { classifyDatabaseError, describeDatabaseError, isDatabaseTimeout } from '@muster/database';
import {
  createAdminRouter,
  createAuditExport,
  createAuditExportStore,
  createAuditService,
  createAuditStore,
  createOverviewService,
  createOverviewStore,
  createPushedAudit,
  createSystemService,
  createSystemStore,
  describeProcess,
} from './admin/index.ts';
import type { SigningKeys } from './auth/index.ts';
import { createAccounts, createAdminAuthentication, createAuthenticate } from './auth/index.ts';
import {
  createCatalogue,
  createChangeSetScheduler,
  createHistoryRoutes,
} from './catalogue/index.ts';
import { composeRetention, composeSandboxPurge } from './compose-jobs.ts';
import { composeMetricHistory, composeMetrics } from './compose-metrics.ts';
import { createEventFeed, createFeedStore } from './events/index.ts';
import type { CircuitBreaker } from './flow/index.ts';
import { createCircuitBreaker } from './flow/index.ts';
import type { AppOptions, HttpServerOptions } from './http/index.ts';
import {
  createApp,
  createCors,
  createFindRoute,
  createMetricsApp,
  createProtection,
  createSimulateRequest,
  logUnreadable,
  toJoinErrorCode,
} from './http/index.ts';
import type { Maintenance } from './operations/index.ts';
import { createMaintenance } from './operations/index.ts';
import type { Config, Logger } from './platform/index.ts';
import { createReadiness, ServiceError } from './platform/index.ts';
import {
  createAnswerJoin,
  createCompanionRoutes,
  createCompanionService,
  createExpiryStore,
  createJoinRoutes,
  createJoinService,
  createPlayerService,
  createPlayerSessionStore,
  createPlayerStore,
  createRefusalRecorder,
  createRefusedJoins,
  createSessionAdminStore,
  createSessionCache,
  createSessionListStore,
  createSessionService,
  createSessionStore,
  createSessionSweeper,
  createSessionTypeService,
  createSessionWatch,
  createTryJoin,
  limitRefusals,
  limitUpdates,
  SessionQueue,
} from './sessions/index.ts';
import type { Metrics, Tracing } from './telemetry/index.ts';
import { createWebhooks } from './webhooks/index.ts';

export type ServiceOptions = {
  config: Pick<
    Config,
    | 'accounts'
    | 'auth'
    | 'companionEndpoints'
    | 'corsOrigins'
    | 'deletedSandboxDays'
    | 'historyAccess'
    | 'host'
    | 'limits'
    | 'logSuccessSample'
    | 'metricsPort'
    | 'retention'
    | 'webhooksAllowPrivate'
    | 'workerIndex'
  >;
  keys: SigningKeys;
  accountsSecret: string;
  database: Database;
  /** Another database that may serve the pages of histories. */
  replica?: Pick<Database, 'pool' | 'observeStatements'>;
  logger: Logger;
  /** Joins, histories and companion requests in the process. */
  maxPublicRequests: number;
  /** Measures the process too. Only one service per process may. */
  processMetrics: boolean;
  /** Checks every answer against the contract: for tests, since it costs time. */
  responseValidation: boolean;
  checkAdminAnswer?: AppOptions['checkAdminAnswer'];
  tracing?: Tracing;
  /** Routes that replace those of the services: for measuring what the HTTP edge alone costs. */
  instead?: Partial<AppOptions['routes']>;
};

/** True for errors of an unavailable database: it does not answer, or refuses to log in or to write. */
export const isOutage = (error: unknown): boolean =>
  ['unavailable', 'timeout'].includes(classifyDatabaseError(error));

export const createService = (options: ServiceOptions) => {
  const { config, database, logger, tracing } = options;
  const metrics = composeMetrics(options);
  const breaker = createCircuitBreaker({
    ping: database.ping,
    isTimeout: isDatabaseTimeout,
    onChange: (isOpen, error) => {
      const reason = describeDatabaseError(error);
      if (isOpen) {
        logger.error({ reason }, 'the database is unavailable; requests are rejected');
        return;
      }
      logger.info('the database is available again');
      database.renewConnections();
    },
  });
  database.observeOutages(breaker.noteFailure);
  // An idle service sends no other statement, and a read-only database answers reads. A single failed ping opens no circuit.
  const pingDatabase = async () => {
    if (breaker.isOpen()) throw new ServiceError('service_unavailable');
    await database.ping();
  };
  metrics.observeDatabase(pingDatabase);
  const readiness = createReadiness({ pingDatabase });
  const protection = createProtection({
    limits: { ...config.limits, maxPublicRequests: options.maxPublicRequests },
    logger,
    metrics,
    readiness,
  });
  const { accounts, authenticate, adminAuthentication } = composeAuth(options, metrics, breaker);
  const maintenance = createMaintenance({
    database,
    onFailure: (err) => logger.warn({ err }, 'the state of maintenance could not be read'),
  });
  metrics.observeMaintenance(maintenance.isOn);
  const parts = { metrics, breaker, maintenance };
  const { answerJoin, finishRefusals, ...sessions } = composeSessions(options, parts);
  const tryJoin = createTryJoin(answerJoin, createSimulateRequest(isOutage));
  const { deletedSandboxDays } = config;
  const catalogue = createCatalogue({
    database,
    replica: observeReplica(options),
    deletedSandboxDays,
  });
  const events = createEventFeed({
    store: createFeedStore(database),
    onFailure: (err) => logger.warn({ err }, 'old events of the feed could not be deleted'),
  });
  metrics.observeFeed(events.measureDelay);
  const retention = composeRetention(options, metrics);
  const sandboxPurge = composeSandboxPurge(options);
  const changeSetScheduler = createChangeSetScheduler({
    steps: catalogue.scheduledSteps,
    readPermissions: accounts.readPermissions,
    isMaintained: maintenance.isOn,
    onStepFailed: metrics.countScheduleFailure,
    onFailure: (err) => logger.warn({ err }, 'scheduled change sets could not run for a moment'),
  });
  const audit = createAuditService(createAuditStore(database));
  const auditExport = createAuditExport(createAuditExportStore(database), audit);
  const webhooks = createWebhooks(options, events, createPushedAudit(auditExport));
  const { measureBacklog } = webhooks;
  metrics.observeWebhooks(measureBacklog);
  const history = composeMetricHistory({ database, logger, metrics, measureBacklog });

  const adminRouter = createAdminRouter({
    accounts: accounts.services,
    catalogue,
    tryJoin,
    events,
    maintenance,
    webhooks: webhooks.service,
    players: sessions.players,
    refusedJoins: sessions.refusedJoins,
    sessions: sessions.service,
    sessionTypes: sessions.types,
    audit,
    overview: createOverviewService(createOverviewStore(database)),
    system: createSystemService({
      store: createSystemStore(database),
      service: describeProcess(new Date()),
      metrics,
      history,
    }),
  });
  const { publicUrl, trustProxy } = config.accounts;
  const { companionEndpoints, historyAccess } = config;
  const appOptions: AppOptions = {
    routes: {
      ...createHistoryRoutes({ reader: catalogue.reader, access: historyAccess, breaker }),
      ...createJoinRoutes(answerJoin),
      ...options.instead,
    },
    companion: companionEndpoints
      ? createCompanionRoutes(sessions.companion, maintenance.refuseChanges)
      : null,
    protection,
    adminRouter,
    authenticate,
    adminAuthentication,
    historyAccess,
    logger,
    logSuccessSample: config.logSuccessSample,
    metrics,
    recordKeyUse: accounts.recordKeyUse,
    readiness,
    isOutage,
    refuseChanges: maintenance.refuseChanges,
    recordRefusedJoin: sessions.refusedJoins.record,
    auditExport,
    transfer: { exports: catalogue.exports, imports: catalogue.imports },
    accounts: {
      auth: { handle: (...asked) => breaker.run(() => accounts.auth.handle(...asked)) },
      publicUrl,
    },
    trustProxy,
    // One of several workers would show only its own metrics.
    serveMetrics: config.metricsPort === undefined && config.workerIndex === undefined,
    responseValidation: options.responseValidation,
    ...(options.checkAdminAnswer && { checkAdminAnswer: options.checkAdminAnswer }),
    ...(tracing && { traceRequests: tracing.traceRequests }),
  };
  return {
    app: createApp(appOptions),
    /** For the server that serves `app`. */
    serverOptions: {
      limits: config.limits,
      protection,
      onUnreadable: (requestId, refusal) => logUnreadable(logger, requestId, refusal),
      ...(config.corsOrigins.length > 0 && {
        shareAcrossOrigins: createCors(config.corsOrigins, createFindRoute(companionEndpoints)),
      }),
    } satisfies HttpServerOptions,
    metricsApp: createMetricsApp(appOptions),
    metrics,
    history,
    readiness,
    retention,
    sandboxPurge,
    changeSetScheduler,
    breaker,
    sweeper: sessions.sweeper,
    watch: sessions.watch,
    maintenance,
    events,
    webhookDispatcher: webhooks.dispatcher,
    /** The service is about to stop: it is no longer ready, and requests that wait for a change get their responses. */
    prepareStop: () => {
      readiness.markStopping();
      protection.longPolls.end();
    },
    signInCleanup: accounts.cleanup,
    /** Resolves when all background writes have ended. */
    finish: async () => {
      await Promise.all([finishRefusals(), accounts.finish()]);
    },
  };
};

const composeAuth = (
  { accountsSecret, config, database, keys, logger }: ServiceOptions,
  metrics: Metrics,
  breaker: CircuitBreaker,
) => {
  const accounts = createAccounts({
    database,
    config,
    secret: accountsSecret,
    warn: (message, err) => logger.warn({ ...(err !== undefined && { err }) }, message),
  });
  const { keys: _, ...tokenRules } = config.auth;
  const authenticate = createAuthenticate({
    ...tokenRules,
    keys,
    verifyKey: (key) => breaker.run(() => accounts.verifyKey(key)),
    observeCache: (countEntries) => metrics.observeCache('tokens', countEntries),
  });
  const { publicUrl } = config.accounts;
  const { findPerson } = accounts;
  const adminAuthentication = createAdminAuthentication({
    authenticate,
    findPerson,
    breaker,
    publicUrl,
  });
  return { accounts, authenticate, adminAuthentication };
};

type SessionParts = { metrics: Metrics; breaker: CircuitBreaker; maintenance: Maintenance };

const composeSessions = (
  { config, database, logger, tracing }: ServiceOptions,
  { metrics, breaker, maintenance }: SessionParts,
) => {
  const playerStore = createPlayerStore(database);
  const types = createSessionTypeService(database);
  const store = createSessionStore(database, { onBatch: metrics.observeWriteBatch });
  const cache = createSessionCache();
  const watch = createSessionWatch({
    store,
    onFailure: (err) => logger.warn({ err }, 'the watched sessions could not be compared'),
  });
  const queue = new SessionQueue({
    store,
    cache,
    maxSessionBytes: config.limits.maxSessionBytes,
    onLook: metrics.observeCache('sessions', cache.count),
    onWritten: watch.noteChange,
    onConflict: metrics.countWriteConflict,
    onDecided: metrics.countDecision,
  });
  metrics.observeQueue(() => queue.waiting);
  const service = createSessionService({
    store,
    queue,
    watch,
    maxSessionBytes: config.limits.maxSessionBytes,
    adminStore: createSessionAdminStore(database),
    listStore: createSessionListStore(database),
    findDefaultTeams: async (type) => (await types.findType(type))?.default_teams ?? [],
    findPlayer: playerStore.findPlayer,
  });
  const refusedJoins = createRefusedJoins(database, metrics, (err) =>
    logger.warn({ err }, 'refused joins could not be stored'),
  );
  const refusals = createRefusalRecorder(database, {
    countRecorded: metrics.countRefusalsRecorded,
    countDropped: metrics.countRefusalsDropped,
    onFailure: (err) => logger.warn({ err }, 'refused joins could not be recorded'),
  });
  const limitEvents = limitUpdates(metrics.countUpdateCapped);
  const joins = createJoinService({
    sessions: store,
    players: playerStore,
    queue,
    breaker,
    refusals: limitRefusals(refusals, metrics.countRefusalCapped),
    limitEvents,
    observeCache: (countEntries) => metrics.observeCache('platform_sessions', countEntries),
  });
  const companion = createCompanionService({
    sessions: service,
    store: createPlayerSessionStore(database),
    watch,
    limitEvents,
    breaker,
  });
  const answerJoin = createAnswerJoin({
    joins,
    refuseChanges: maintenance.refuseChanges,
    trace: tracing?.trace,
    countOutcome: metrics.countJoinOutcome,
    nameFailure: (error) => toJoinErrorCode(error, isOutage),
  });
  const sweeper = createSessionSweeper({
    store: createExpiryStore(database),
    queue,
    endOutlived: service.endOutlived,
    endedSessionDays: config.retention.endedSessionDays,
    counters: metrics,
    onFailure: (err) => logger.warn({ err }, 'the sweep of sessions ended early'),
  });
  return {
    answerJoin,
    companion,
    finishRefusals: () => Promise.all([refusals.flush(), refusedJoins.flush()]),
    players: createPlayerService(playerStore, service, refusedJoins),
    refusedJoins,
    service,
    sweeper,
    types,
    watch,
  };
};

const observeReplica = ({ replica, logger }: ServiceOptions) =>
  replica && {
    replica,
    onChange: (isAway: boolean, err?: unknown) =>
      isAway
        ? logger.warn({ err }, 'the replica does not answer; histories are read from the primary')
        : logger.info('the replica answers again'),
  };
