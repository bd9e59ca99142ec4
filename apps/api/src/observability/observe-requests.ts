// One log line and one measurement per answered request.
import type { RequestHandler, Response } from 'express';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import { PROBES } from './metrics.ts';

/** What the edge knows about a request when it is over. */
export type Observed = {
  requestId: string;
  routePattern: string;
  caller?: { accountId: string } | null;
  /** Of the trace that the request belongs to, where requests are traced. */
  traceId?: string;
};

/** Methods outside this set share one label, so that clients cannot make new ones. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Neither the path nor the query is logged: they hold ids of players, and a query may hold anything. */
export const observeRequests =
  (logger: Logger, metrics: Metrics): RequestHandler =>
  (request, response, next) => {
    const startedAt = performance.now();
    response.once('close', () => {
      const durationMs = performance.now() - startedAt;
      const method = METHODS.has(request.method) ? request.method : 'other';
      const observed = response.locals as Observed;
      const status = statusOf(response);
      metrics.observeRequest({ method, route: observed.routePattern, status }, durationMs / 1000);
      const level = PROBES.has(observed.routePattern) ? 'debug' : 'info';
      if (logger.isLevelEnabled(level)) {
        logger[level](describe(observed, method, status, durationMs), 'request');
      }
    });
    next();
  };

/** 499 is what proxies log for a client that left before its answer was complete. */
const statusOf = (response: Response): string =>
  response.writableFinished ? String(response.statusCode) : '499';

const describe = (observed: Observed, method: string, status: string, durationMs: number) => ({
  method,
  route: observed.routePattern,
  status: Number(status),
  durationMs: Math.round(durationMs * 100) / 100,
  requestId: observed.requestId,
  ...(observed.traceId && { traceId: observed.traceId }),
  ...(observed.caller && { accountId: observed.caller.accountId }),
});
