// The Express application: what a request passes, from the outside to the routes and back.
import { contract } from '@muster/contract';
import type { AnyRouter } from '@trpc/server';
import { createExpressEndpoints } from '@ts-rest/express';
import type { Express, RequestHandler } from 'express';
import express from 'express';
import type { AdminAuthentication, Authenticate } from '../auth/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Logger, Metrics, MetricsSource, Readiness } from '../observability/index.ts';
import { observeRequests } from '../observability/index.ts';
import type { ExportService, ImportService } from '../transfer/index.ts';
import type { AccountsMount } from './accounts-mount.ts';
import { mountAccounts } from './accounts-mount.ts';
import { mountAdmin } from './admin-mount.ts';
import { mountDocs } from './docs-mount.ts';
import type { IsOutage } from './error-answer.ts';
import { mountExport } from './export-mount.ts';
import { createFrontDoor, parseQuery } from './front-door.ts';
import { createErrorHandler } from './handle-error.ts';
import { mountImport } from './import-mount.ts';
import { mountHealth, mountMetrics } from './operator-routes.ts';
import type { RequestLocals } from './request-context.ts';
import { chooseRequestId, setStandardHeaders } from './request-context.ts';
import { mountWeb } from './web-mount.ts';
import { writeJson } from './write-json.ts';

/** One handler per route of the contract. */
export type PublicRoutes = Parameters<typeof createExpressEndpoints<typeof contract>>[1];

export type AppOptions = {
  routes: PublicRoutes;
  adminRouter: AnyRouter;
  authenticate: Authenticate;
  adminAuthentication: AdminAuthentication;
  accounts: AccountsMount;
  /** Which proxies say truly who the client is; none by default. */
  trustProxy?: number | string[];
  transfer: { exports: ExportService; imports: ImportService };
  historyAccess: 'authenticated' | 'public';
  logger: Logger;
  metrics: Metrics;
  readiness: Readiness;
  isOutage: IsOutage;
  /** False when the metrics have a port of their own. */
  serveMetrics: boolean;
  /** Checks every answer against the contract: for tests, since it costs time. */
  responseValidation: boolean;
  /** Absent: requests are not traced. */
  traceRequests?: RequestHandler;
};

export const createApp = (options: AppOptions): Express => {
  const { authenticate, logger, metrics, readiness, isOutage } = options;
  const app = createBareApp(readiness);
  if (options.trustProxy !== undefined) app.set('trust proxy', options.trustProxy);
  if (options.traceRequests) app.use(options.traceRequests);
  app.use(observeRequests(logger, metrics));
  app.use(refuseOddHost);
  app.use(createFrontDoor(options));
  createExpressEndpoints(contract, options.routes, app, {
    jsonQuery: false,
    logInitialization: false,
    responseValidation: options.responseValidation,
    requestValidationErrorHandler: (error, _request, _response, next) => next(error),
  });
  mountHealth(app, readiness);
  if (options.serveMetrics) mountMetrics(app, metrics, authenticate);
  mountDocs(app);
  const { identifyAdmin } = options.adminAuthentication;
  const { accounts } = options;
  mountAccounts(app, accounts);
  mountAdmin(app, {
    ...{ router: options.adminRouter, identifyAdmin, logger, isOutage },
    ...(accounts.publicUrl && { publicUrl: accounts.publicUrl }),
  });
  const { authenticateAdmin } = options.adminAuthentication;
  mountExport(app, { exports: options.transfer.exports, authenticateAdmin, logger });
  mountImport(app, { imports: options.transfer.imports, authenticateAdmin });
  mountWeb(app);
  app.use(refuseUnknownRoute);
  app.use(createErrorHandler(logger, isOutage));
  return app;
};

export type MetricsAppOptions = Pick<AppOptions, 'logger' | 'readiness' | 'isOutage'> & {
  metrics: MetricsSource;
};

/** The metrics alone, without a credential: for a port that only the monitoring can reach. */
export const createMetricsApp = ({
  logger,
  metrics,
  readiness,
  isOutage,
}: MetricsAppOptions): Express => {
  const app = createBareApp(readiness);
  mountMetrics(app, metrics);
  app.use(refuseUnknownRoute);
  app.use(createErrorHandler(logger, isOutage));
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
    const locals = response.locals as RequestLocals;
    locals.requestId = chooseRequestId(request);
    locals.routePattern = 'unmatched';
    setStandardHeaders(response, locals.requestId);
    if (readiness.isStopping()) response.setHeader('Connection', 'close');
    next();
  };

/**
 * RFC 9112 section 3.2: one Host, no more and no less. The server itself would refuse a missing one with an empty answer, and
 * take the first of several, where a proxy before it may have looked at another one.
 */
const refuseOddHost: RequestHandler = ({ httpVersion, headers, rawHeaders }, _response, next) => {
  const isMissing = httpVersion === '1.1' && headers.host === undefined;
  next(isMissing || hasSecondHost(rawHeaders) ? new ServiceError('request_malformed') : undefined);
};

/** Names and values take turns. */
const hasSecondHost = (rawHeaders: string[]): boolean =>
  rawHeaders.filter((text, index) => index % 2 === 0 && /^host$/i.test(text)).length > 1;

const refuseUnknownRoute: RequestHandler = () => {
  throw new ServiceError('route_not_found');
};
