// What operators and their machines ask: liveness, readiness, metrics.
import { permits } from '@muster/contract';
import type { Express, RequestHandler, Response } from 'express';
import type { Authenticate } from '../auth/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { MetricsSource, Readiness } from '../observability/index.ts';
import { allowMethods } from './method-not-allowed.ts';
import type { RequestLocals } from './request-context.ts';

const GET = allowMethods('GET', 'HEAD');

/** Names the route for logs and metrics. */
export const named =
  (pattern: string): RequestHandler =>
  (_request, response, next) => {
    (response.locals as RequestLocals).routePattern = pattern;
    next();
  };

export const mountHealth = (app: Express, readiness: Readiness): void => {
  app.all('/healthz', named('/healthz'), GET, (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.all('/readyz', named('/readyz'), GET, async (_request, response) => {
    const ready = await readiness.isReady();
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'unavailable' });
  });
};

/** With `authenticate`, only callers with `metrics:view` see the metrics. */
export const mountMetrics = (
  app: Express,
  metrics: MetricsSource,
  authenticate?: Authenticate,
): void => {
  app.all('/metrics', named('/metrics'), GET, async (request, response) => {
    if (authenticate) {
      const caller = await authenticate(request.headers.authorization);
      (response.locals as RequestLocals).caller = caller;
      if (!permits(caller.permissions, ['metrics:view'])) {
        throw new ServiceError('insufficient_permissions');
      }
    }
    await sendMetrics(response, metrics);
  });
};

const sendMetrics = async (response: Response, { registry }: MetricsSource): Promise<void> => {
  response.setHeader('Content-Type', registry.contentType);
  response.end(await registry.metrics());
};
