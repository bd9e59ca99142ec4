// Puts the service together around an open database: what main.ts serves and what the tests serve.
import type { Database } from '@muster/database';
import type { SigningKeys } from '../auth/index.ts';
import { createAuthenticate } from '../auth/index.ts';
import type { Config } from '../config/index.ts';
import { createServices } from '../create-services.ts';
import type { AppOptions } from '../http/index.ts';
import { createApp, createMetricsApp } from '../http/index.ts';
import type { Logger } from '../observability/index.ts';
import { createMetrics, createReadiness } from '../observability/index.ts';

export type ServiceOptions = {
  config: Pick<Config, 'auth' | 'historyAccess' | 'metricsPort'>;
  keys: SigningKeys;
  database: Database;
  logger: Logger;
  isOutage: AppOptions['isOutage'];
  /** Measure the process too; one service per process may. */
  processMetrics: boolean;
  responseValidation: boolean;
};

export const createService = (options: ServiceOptions) => {
  const { config, keys, database, logger } = options;
  const { keys: _, ...tokenRules } = config.auth;
  const authenticate = createAuthenticate({ ...tokenRules, keys });
  const metrics = createMetrics({ pool: database.pool, process: options.processMetrics });
  const readiness = createReadiness({ askDatabase: () => database.pool.query('SELECT 1') });
  const { routes, adminRouter, finish } = createServices({
    database,
    historyAccess: config.historyAccess,
    metrics,
  });
  const appOptions: AppOptions = {
    routes,
    adminRouter,
    authenticate,
    historyAccess: config.historyAccess,
    logger,
    metrics,
    readiness,
    isOutage: options.isOutage,
    serveMetrics: config.metricsPort === undefined,
    responseValidation: options.responseValidation,
  };
  return {
    app: createApp(appOptions),
    metricsApp: createMetricsApp(appOptions),
    readiness,
    /** Resolves when what is written in the background is written. */
    finish,
  };
};
