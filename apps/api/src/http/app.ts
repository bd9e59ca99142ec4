// The Express application: what a request passes, from the outside to the routes and back.
import { contract, permits } from '@muster/contract';
import type { AnyRouter } from '@trpc/server';
import { createExpressEndpoints } from '@ts-rest/express';
import type { ErrorRequestHandler, Express, RequestHandler, Response } from 'express';
import express from 'express';
import type { QueryShares } from '../admin/index.ts';
import type { AdminAuthentication, Authenticate } from '../auth/index.ts';
import type { ExportService, ImportService } from '../catalogue/index.ts';
import type { Logger, Metrics, MetricsSource, Readiness } from '../platform/index.ts';
import { createRounds, ServiceError, writeBody } from '../platform/index.ts';
import type { AccountsMount } from './accounts-mount.ts';
import { mountAccounts } from './accounts-mount.ts';
import type { OnQueryRefused } from './admin-mount.ts';
import { mountAdmin } from './admin-mount.ts';
import type { Admission } from './admission.ts';
import type { PaceAnswer } from './answer-pace.ts';
import { mountDocs } from './docs-mount.ts';
import type { IsOutage } from './error-answers.ts';
import { createErrorHandler } from './error-answers.ts';
import type { JoinShare } from './join-share.ts';
import { LICENSES_FILE, mountLicenses } from './licenses-mount.ts';
import { createPublicRequestMiddleware, parseQuery } from './public-request.ts';
import {
  allowMethods,
  chooseRequestId,
  hasFaultyHeaders,
  localsOf,
  named,
  setStandardHeaders,
} from './request.ts';
import { observeRequests } from './request-log.ts';
import { mountExport, mountImport } from './transfer-mount.ts';
import type { OnTooMany } from './transfer-slots.ts';
import { mountWeb } from './web-mount.ts';

/** One handler per route of the contract. */
export type PublicRoutes = Parameters<typeof createExpressEndpoints<typeof contract>>[1];

export type AppOptions = {
  routes: PublicRoutes;
  adminRouter: AnyRouter;
  /** For the queries of people and players; absent: they run at once. */
  queryShares?: QueryShares;
  onQueryRefused?: OnQueryRefused;
  authenticate: Authenticate;
  adminAuthentication: AdminAuthentication;
  accounts: AccountsMount;
  /** Which proxies are trusted to name the client; none by default. */
  trustProxy?: number | string[];
  transfer: { exports: ExportService; imports: ImportService; onTooMany?: OnTooMany };
  historyAccess: 'authenticated' | 'public';
  logger: Logger;
  metrics: Metrics;
  readiness: Readiness;
  isOutage: IsOutage;
  /** Absent: refusals are answered at once, however many there are. */
  paceAnswer?: PaceAnswer;
  /** Told how far each request is; absent: nothing bounds them. */
  admission?: Pick<Admission, 'bodies' | 'identify' | 'keepWhile'>;
  /** Absent: any number of joins of one player are in work. */
  joinShare?: JoinShare;
  /** False when the metrics have a port of their own. */
  serveMetrics: boolean;
  /** Checks every answer against the contract: for tests, since it costs time. */
  responseValidation: boolean;
  /** Absent: requests are not traced. */
  traceRequests?: RequestHandler;
};

export const createApp = (options: AppOptions): Express => {
  const { accounts, adminAuthentication, authenticate, isOutage, logger, transfer } = options;
  const { authenticateAdmin, identifyAdmin } = adminAuthentication;
  const app = createBareApp(options.readiness);
  if (options.trustProxy !== undefined) app.set('trust proxy', options.trustProxy);
  app.use(observeRequests(logger, options.metrics));
  app.use(refuseFaultyHeaders);
  if (options.traceRequests) app.use(options.traceRequests);
  app.use(createPublicRequestMiddleware(options));
  mountPublicRoutes(app, options);
  mountHealth(app, options.readiness);
  if (options.serveMetrics) mountMetrics(app, options.metrics, authenticate);
  mountDocs(app, options.historyAccess);
  const bodyRoom = options.admission && { bodyRoom: options.admission.bodies };
  mountAccounts(app, { ...accounts, ...bodyRoom, logger, isOutage });
  mountAdmin(app, {
    ...{ router: options.adminRouter, shares: options.queryShares },
    onQueryRefused: options.onQueryRefused,
    ...(options.paceAnswer && { paceAnswer: options.paceAnswer }),
    ...bodyRoom,
    ...{ identifyAdmin, logger, isOutage },
    ...(accounts.publicUrl && { publicUrl: accounts.publicUrl }),
  });
  mountExport(app, { ...transfer, authenticateAdmin, logger });
  mountImport(app, { ...transfer, authenticateAdmin });
  mountLicenses(app, LICENSES_FILE);
  mountWeb(app);
  app.use(refuseUnknownRoute);
  if (options.paceAnswer) app.use(paceErrors(options.paceAnswer));
  app.use(createErrorHandler(logger, isOutage));
  return app;
};

export type MetricsAppOptions = Pick<AppOptions, 'logger' | 'readiness' | 'isOutage'> & {
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

/** Those of the public endpoints and of signing in, which the error handler gets unchanged. */
const paceErrors =
  (paceAnswer: PaceAnswer): ErrorRequestHandler =>
  async (error, _request, response, next) => {
    const { routeName, caller } = localsOf(response);
    if (routeName || caller === null) await paceAnswer(error, response);
    next(error);
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
    setStandardHeaders(response, locals.requestId);
    if (readiness.isStopping()) response.setHeader('Connection', 'close');
    next();
  };

/** Before anything else looks at the headers. */
const refuseFaultyHeaders: RequestHandler = (request, _, next) => {
  next(hasFaultyHeaders(request) ? new ServiceError('request_malformed') : undefined);
};

/** The middleware has validated the request: ts-rest gets no request schemas, and the handlers get the validated input. */
const mountPublicRoutes = (
  app: Express,
  { routes, responseValidation, admission }: AppOptions,
): void => {
  const noSchemas = {
    pathParams: undefined,
    headers: undefined,
    query: undefined,
    body: undefined,
  };
  const endpoints = Object.entries(contract).map(([name, route]) => [
    name,
    { ...route, ...noSchemas },
  ]);
  const handlers = Object.entries<unknown>(routes).map(([name, handle]) => [
    name,
    (args: { res: Response }) => {
      const input = { ...args, ...localsOf(args.res).input };
      const work = (handle as (args: object) => Promise<unknown>)(input);
      admission?.keepWhile(args.res, work);
      return work;
    },
  ]);
  createExpressEndpoints(
    Object.fromEntries(endpoints) as typeof contract,
    Object.fromEntries(handlers) as PublicRoutes,
    app,
    { jsonQuery: false, logInitialization: false, responseValidation },
  );
};

const GET = allowMethods('GET', 'HEAD');

const mountHealth = (app: Express, readiness: Readiness): void => {
  app.all('/healthz', named('/healthz'), GET, (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.all('/readyz', named('/readyz'), GET, async (_request, response) => {
    const ready = await readiness.isReady();
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'unavailable' });
  });
};

/** With `authenticate`, only callers with `metrics:view` see the metrics. */
const mountMetrics = (
  app: Express,
  { registry }: MetricsSource,
  authenticate?: Authenticate,
): void => {
  app.all('/metrics', named('/metrics'), GET, async (request, response) => {
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
 * client can have a fresh copy of an answer that may not be stored.
 */
export function writeJson(this: Response, body: unknown): Response {
  if (!this.hasHeader('Content-Type')) {
    this.setHeader('Content-Type', 'application/json; charset=utf-8');
  }
  const write = () => {
    const bytes = writeBody(body);
    this.setHeader('Content-Length', bytes.length);
    this.end(bytes);
  };
  const { answerBytes = 0 } = localsOf(this);
  if (answerBytes < LARGE_ANSWER_BYTES) write();
  else inLargeRounds(write);
  return this;
}

/** A join of a full session is answered with all of it, which takes up to half a millisecond to write, and one batch answers dozens. */
const LARGE_ANSWER_BYTES = 16_384;
const inLargeRounds = createRounds(1);
