// Serves the web app under its own first path segments only: whatever else is unknown stays the JSON 404 of the
// interface.
import { fileURLToPath } from 'node:url';
import type { Express } from 'express';
import { createWebHandlers } from '../web/index.ts';
import { allowMethods, refuseMethod } from './method-not-allowed.ts';
import { named } from './operator-routes.ts';
import type { RequestLocals } from './request-context.ts';
import { splitTarget } from './request-target.ts';

/** The first segments of the routes in apps/web/src/router/router.ts, besides the start page. */
const PAGES: ReadonlySet<string> = new Set([
  'login',
  'invite',
  's',
  'sessions',
  'session-types',
  'players',
  'keys',
  'people',
  'audit',
  'system',
  'settings',
]);

const BUILD = fileURLToPath(new URL('../../../web/dist/', import.meta.url));
const ASSET = '/assets/:name';
const METHODS = ['GET', 'HEAD'] as const;

/** `folder` holds what Vite built. Without it the service runs as well, and the pages say what is missing. */
export const mountWeb = (app: Express, folder = BUILD): void => {
  const { page, asset } = createWebHandlers(folder);
  app.all(ASSET, named(ASSET), allowMethods(...METHODS), asset);
  // Not a route: Express would decode the path first, and refuse an address that the page can explain.
  app.use((request, response, next) => {
    if (!isPage(splitTarget(request.url).path)) return next();
    (response.locals as RequestLocals).routePattern = 'web';
    refuseMethod(request, response, METHODS);
    return page(request, response, next);
  });
};

const isPage = (path: string): boolean => path === '/' || PAGES.has(path.split('/')[1] ?? '');
