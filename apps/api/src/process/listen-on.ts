import type { Express } from 'express';
import type { HttpServerOptions } from '../http/index.ts';
import { createHttpServer } from '../http/index.ts';
import { listen, prepareStop } from '../start/index.ts';
import type { ProcessParts } from './process-parts.ts';

/** Resolves with the port; the server ends with the process. */
export const listenOn = async (
  { config: { host, limits }, life }: ProcessParts,
  app: Express,
  port: number,
  options: HttpServerOptions = { limits },
): Promise<number> => {
  const server = createHttpServer(app, options);
  life.onStop('the HTTP server', prepareStop(server));
  return life.step(() => listen(server, host, port));
};
