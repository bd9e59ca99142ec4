// The Express application: the middleware in order, and the routes.
import { companionContract, contract, permits } from '@muster/contract';
import type { AnyRouter } from '@trpc/server';
import type { AppRoute } from '@ts-rest/core';
import type { AppRouteImplementation } from '@ts-rest/express';
import { createExpressEndpoints } from '@ts-rest/express';
import type { Express, RequestHandler, Response } from 'express';
import express from 'express';
import { z } from 'zod';
import type { AdminContext, AuditExport } from '../admin/index.ts';
import type { AdminAuthentication, Authenticate, KeyUse } from '../auth/index.ts';
import type { ExportService, ImportService } from '../catalogue/index.ts';
import { writeBody } from '../flow/index.ts';
import type { Logger, Readiness } from '../platform/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { CompanionRoutes, RefusedRequest } from '../sessions/index.ts';
import type { Metrics, MetricsSource } from '../telemetry/index.ts';
import { holdWhile } from './caller-limiter.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { IsOutage } from './error-answers.ts';
import { createErrorHandler } from './error-answers.ts';
import { COSTS } from './limits.ts';
import type { AccountsMount } from './mounts/accounts-mount.ts';
import { mountAccounts } from './mounts/accounts-mount.ts';
import { mountAdmin } from './mounts/admin-mount.ts';
import { mountAuditExport } from './mounts/audit-mount.ts';
import { mountDocs } from './mounts/docs-mount.ts';
import { mountLicenses } from './mounts/licenses-mount.ts';
import { mountExport, mountImport } from './mounts/transfer-mount.ts';
import { mountWeb } from './mounts/web-mount.ts';
import type { Protection } from './protection.ts';
import { createFindRoute, createPublicRequestMiddleware, parseQuery } from './public-request.ts';
import {
  chooseRequestId,
  hasFaultyHeaders,
  localsOf,
  mountGet,
  STANDARD_HEADERS,
} from './request.ts';
import { observeRequests } from './request-log.ts';

/** One handler per route of the contract. */
export type PublicRoutes = {
  [Name in keyof typeof contract]: AppRouteImplementation<(typeof contract)[Name]>;
};

export type AppOptions = {
  routes: PublicRoutes;
  /** Null when the companion endpoints are off. */
  companion: CompanionRoutes | null;
  adminRouter: AnyRouter;
  authenticate: Authenticate;
  adminAuthentication: AdminAuthentication;
  accounts: AccountsMount;
  /** Which proxies are trusted to name the client; none by default. */
  trustProxy: number | string[] | undefined;
  transfer: { exports: ExportService; imports: ImportService };
  auditExport: Pick<AuditExport, 'read'>;
  historyAccess: 'authenticated' | 'public';
  logger: Logger;
  /** The part of successful requests that is logged, from 0 to 1. */
  logSuccessSample: number;
  metrics: Metrics;
  recordKeyUse: KeyUse['record'];
  readiness: Readiness;
  isOutage: IsOutage;
  /** Throws during maintenance. Joins call it themselves, to count the outcome. */
  refuseChanges: () => void;
  recordRefusedJoin: (refused: RefusedRequest) => void;
  protection: Protection;
  /** False when the metrics have a port of their own. */
  serveMetrics: boolean;
  /** Checks every answer against the contract: for tests, since it costs time. */
  responseValidation: boolean;
  /** Compares the answers of the admin API with its reference: for tests as well. */
  checkAdminAnswer?: AdminContext['checkAnswer'];
  /** Absent: requests are not traced. */
  traceRequests?: RequestHandler;
};

export const createApp = (options: AppOptions): Express => {
  const { accounts, adminAuthentication, isOutage, logger, protection, refuseChanges, transfer } =
    options;
  const { authenticateAdmin, identifyAdmin } = adminAuthentication;
  const app = createBareApp(options.readiness);
  if (options.trustProxy !== undefined) app.set('trust proxy', options.trustProxy);
  const { metrics, logSuccessSample, recordKeyUse } = options;
  app.use(observeRequests(logger, metrics, logSuccessSample, recordKeyUse));
  app.use(refuseFaultyHeaders);
  if (options.traceRequests) app.use(options.traceRequests);
  const onError = createErrorHandler(logger, isOutage, options.recordRefusedJoin);
  const findRoute = createFindRoute(options.companion !== null);
  app.use(createPublicRequestMiddleware({ ...options, findRoute, onError }));
  mountContractRoutes(app, options);
  mountHealth(app, options.readiness);
  if (options.serveMetrics) mountMetrics(app, options.metrics, options.authenticate);
  mountDocs(app, options);
  mountAccounts(app, { ...accounts, limits: protection, logger, isOutage });
  mountAdmin(app, {
    router: options.adminRouter,
    identifyAdmin,
    protection,
    logger,
    isOutage,
    refuseChanges,
    checkAnswer: options.checkAdminAnswer,
    publicUrl: accounts.publicUrl,
  });
  mountExport(app, { ...transfer, authenticateAdmin, protection, logger });
  mountImport(app, { ...transfer, authenticateAdmin, protection, refuseChanges });
  mountAuditExport(app, { ...options, authenticateAdmin });
  mountLicenses(app);
  mountWeb(app);
  app.use(refuseUnknownRoute);
  app.use(onError);
  return app;
};

type MetricsAppOptions = Pick<AppOptions, 'logger' | 'readiness' | 'isOutage'> & {
  metrics: MetricsSource;
};

/** The metrics alone, without a credential: for a port that only the monitoring can reach. */
export const createMetricsApp = (options: MetricsAppOptions): Express => {
  const app = createBareApp(options.readiness);
  app.use(refuseFaultyHeaders);
  mountMetrics(app, options.metrics);
  app.use(refuseUnknownRoute);
  app.use(createErrorHandler(options.logger, options.isOutage));
  return app;
};

const createBareApp = (readiness: Readiness): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', parseQuery);
  app.response.json = writeJson;
  app.use(beginRequest(readiness));
  return app;
};

/** A stopping service asks its clients to connect elsewhere. */
const beginRequest =
  (readiness: Readiness): RequestHandler =>
  (request, response, next) => {
    const locals = localsOf(response);
    locals.requestId = chooseRequestId(request);
    locals.routePattern = 'unmatched';
    response.setHeader('X-Request-Id', locals.requestId);
    for (const [name, value] of Object.entries(STANDARD_HEADERS)) response.setHeader(name, value);
    if (readiness.isStopping()) response.setHeader('Connection', 'close');
    next();
  };

/** Runs before anything else reads the headers. */
const refuseFaultyHeaders: RequestHandler = (request, _, next) => {
  next(hasFaultyHeaders(request) ? new ServiceError('request_malformed') : undefined);
};

/**
 * ts-rest routes and types the handlers. It gets no request schemas: it would validate what Express has decoded, without bad escapes and
 * unreadable bodies, and the documented 422 lists all problems. The middleware has validated the request by the schemas of the contract.
 */
const mountContractRoutes = (
  app: Express,
  { routes, companion, authenticate, responseValidation, protection }: AppOptions,
): void => {
  const { slots } = protection;
  const options = { jsonQuery: false, logInitialization: false, responseValidation };
  createExpressEndpoints(
    {
      joinByPlatformSession: { ...toRouting(contract.joinByPlatformSession), body: z.unknown() },
      listItemHistory: toRouting(contract.listItemHistory),
      listXpHistory: toRouting(contract.listXpHistory),
    },
    {
      joinByPlatformSession: runInSlot(routes.joinByPlatformSession, slots.join),
      listItemHistory: runInSlot(routes.listItemHistory, slots.history),
      listXpHistory: runInSlot(routes.listXpHistory, slots.history),
    },
    app,
    options,
  );
  if (!companion) return;
  const readSession: typeof companion.readSession = (input) => {
    const { req, res } = input;
    const locals = localsOf(res);
    const holding = { kind: 'companion', slots: slots.companion, lease: locals.lease } as const;
    locals.longPoll = async (wait) => {
      const isCut = await protection.longPolls.run(res, holding, wait);
      if (!isCut) locals.caller = await authenticate(req.headers.authorization);
      return { isCut };
    };
    return companion.readSession(input);
  };
  createExpressEndpoints(
    {
      readSession: toRouting(companionContract.readSession),
      listPlayerSessions: toRouting(companionContract.listPlayerSessions),
      leaveSession: toRouting(companionContract.leaveSession),
    },
    {
      readSession: runInSlot(readSession, slots.companion),
      listPlayerSessions: runInSlot(companion.listPlayerSessions, slots.companion),
      leaveSession: runInSlot(companion.leaveSession, slots.companion),
    },
    app,
    options,
  );
};

const toRouting = <Route extends AppRoute>({ pathParams, headers, query, ...routing }: Route) =>
  routing;

/** The handler gets the validated input. It counts as in progress until it has settled, even if its client disconnects. */
const runInSlot =
  <Input, Answer>(handle: (input: Input) => Promise<Answer>, slots: ConcurrencyLimiter) =>
  (args: { res: Response }): Promise<Answer> => {
    const { input, lease } = localsOf(args.res);
    const work = () => handle({ ...args, ...input } as Input);
    return slots.run(args.res, () => holdWhile(lease, work));
  };

const mountHealth = (app: Express, readiness: Readiness): void => {
  mountGet(app, '/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  mountGet(app, '/readyz', async (_request, response) => {
    const ready = await readiness.isReady();
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'unavailable' });
  });
};

/** With `authenticate`, the metrics require `metrics:view`. */
const mountMetrics = (
  app: Express,
  { registry }: MetricsSource,
  authenticate?: Authenticate,
): void => {
  mountGet(app, '/metrics', async (request, response) => {
    if (authenticate) {
      const caller = await authenticate(request.headers.authorization);
      localsOf(response).caller = caller;
      if (!permits(caller.permissions, ['metrics:view'])) {
        throw new ServiceError('insufficient_permissions');
      }
    }
    response.setHeader('Content-Type', registry.contentType);
    response.end(await registry.metrics());
  });
};

const refuseUnknownRoute: RequestHandler = () => {
  throw new ServiceError('route_not_found');
};

/**
 * Replaces Express's `response.json`, and the `response.send` below it, which answers `If-None-Match: *` with a 304: no
 * client can have a copy of a response that may not be stored.
 */
export function writeJson(this: Response, body: unknown): Response {
  if (!this.hasHeader('Content-Type')) {
    this.setHeader('Content-Type', 'application/json; charset=utf-8');
  }
  const bytes = writeBody(body);
  localsOf(this).lease?.charge(bytes.length / COSTS.responseBytes);
  this.setHeader('Content-Length', bytes.length);
  this.end(bytes);
  return this;
}
