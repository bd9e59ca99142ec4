// Serves the web app under its own first path segments. Any other unknown path is the JSON 404 of the interface, or a page of the app in
// a browser.

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Express, Request, RequestHandler, Response } from 'express';
import { memoize } from '../../flow/index.ts';
import { locate, ServiceError } from '../../platform/index.ts';
import { enterRoute, mountGet, READ_METHODS, splitTarget } from '../request.ts';
import { FOR_EVER, serveContent } from './static-content.ts';

/** The first segments of the routes in apps/web/src/main.tsx, besides the start page. */
const PAGES: ReadonlySet<string> = new Set([
  'login',
  'invite',
  's',
  'sessions',
  'session-types',
  'players',
  'refused-joins',
  'keys',
  'webhooks',
  'people',
  'audit',
  'system',
  'settings',
  'sandboxes',
]);

/** The first segments of paths that only programs request, with any Accept header. */
const INTERFACES: ReadonlySet<string> = new Set([
  'session',
  'v1',
  'admin',
  'assets',
  'docs',
  'metrics',
]);

const BUILD = locate('apps/web/dist', 'web');

/** Whether Vite has built the app. A build appears whole. */
export const isWebBuilt = (): boolean => existsSync(BUILD);

/** `folder` has the build of Vite. Without it the service runs, and each page explains what is missing, until a request finds it. */
export const mountWeb = (app: Express, folder = BUILD): void => {
  const read = memoize(() => readWebBuild(folder));
  const findBuild = (): Promise<WebBuild | null> => read().catch(() => null);
  mountGet(app, '/assets/:name', async (request, response, next) => {
    const serve = (await findBuild())?.assets.get(String(request.params.name));
    if (!serve) throw new ServiceError('route_not_found');
    return serve(request, response, next);
  });
  // Not a route: Express would decode the path first, and refuse an address that the page can explain.
  app.use(async (request, response, next) => {
    const { path } = splitTarget(request.url);
    const isKnown = isPage(path);
    if (!isKnown && !isReadByPerson(request, path)) return next();
    enterRoute(request, response, isKnown ? 'web' : 'unmatched', READ_METHODS);
    if (!isKnown) response.status(404);
    sendPage(await findBuild(), response);
  });
};

export const isPage = (path: string): boolean =>
  path === '/' || PAGES.has(path.split('/')[1] ?? '');

/** Programs accept anything, or JSON; only a navigation names HTML. */
const isReadByPerson = ({ method, headers }: Request, path: string): boolean =>
  method === 'GET' &&
  headers.accept?.includes('text/html') === true &&
  !INTERFACES.has(path.split('/')[1] ?? '');

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

const MISSING =
  'The web app has not been built yet: run "node scripts/run.mjs build:web" in the repository and load this page again.\n';

const serveAsset = (name: string, bytes: Buffer): RequestHandler =>
  serveContent({
    contentType: TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    cacheControl: FOR_EVER,
    load: async () => bytes,
  });

// The one HTML page of the web app. Each answer carries a nonce of its own, and a policy that trusts nothing else.

/** The placeholder of the nonce: `html.cspNonce` in apps/web/vite.config.ts. */
const NONCE_PLACEHOLDER = 'muster-nonce';

const writePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

const sendPage = (build: WebBuild | null, response: Response): void => {
  if (!build) {
    response.status(503).type('text/plain').send(MISSING);
    return;
  }
  const nonce = randomBytes(18).toString('base64');
  response.set({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': writePolicy(nonce),
    'Cross-Origin-Opener-Policy': 'same-origin',
    // Addresses of our pages name sandboxes and sessions; other sites need not know them.
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  });
  response.send(build.html.replaceAll(NONCE_PLACEHOLDER, nonce));
};

// Reads the built web app into memory, all of it at once: a newer build must not mix with an older page.

type WebBuild = {
  html: string;
  /** By the name in `/assets/<name>`. */
  assets: ReadonlyMap<string, RequestHandler>;
};

/** Rejects when there is no build in the folder. */
const readWebBuild = async (folder: string): Promise<WebBuild> => {
  const html = await readFile(join(folder, 'index.html'), 'utf8');
  const names = await readdir(join(folder, 'assets')).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const read = async (name: string) =>
    [name, serveAsset(name, await readFile(join(folder, 'assets', name)))] as const;
  return { html, assets: new Map(await Promise.all(names.map(read))) };
};
