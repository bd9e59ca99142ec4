import type { Express } from 'express';
import type { HttpServerOptions } from '../http/index.ts';
import { createHttpServer } from '../http/index.ts';
import { listen, prepareStop } from '../start/index.ts';
import type { ProcessParts } from './process-parts.ts';

/** Resolves with the port; the server ends with the process. */
export const listenOn = (
  { config: { host }, life }: ProcessParts,
  app: Express,
  port: number,
  options: HttpServerOptions,
): Promise<number> => {
  const server = createHttpServer(app, options);
  life.onStop('the HTTP server', prepareStop(server));
  return life.step(() => listen(server, host, port));
};

/** Asked to stop, it waits a moment only: it stops after the requests of clients, and all of it has ten seconds. */
const METRICS_GRACE_MS = 300;

/**
 * Prepares the server of the metrics, and answers what makes it listen. What is prepared before those who serve clients stops after
 * them: nobody who asks for metrics keeps them waiting, or shortens their time.
 */
export const prepareMetrics = (
  { config: { host, limits }, life }: ProcessParts,
  app: Express,
): ((port: number) => Promise<number>) => {
  const server = createHttpServer(app, { limits });
  life.onStop('the server of the metrics', prepareStop(server, METRICS_GRACE_MS));
  return (port) => life.step(() => listen(server, host, port));
};
