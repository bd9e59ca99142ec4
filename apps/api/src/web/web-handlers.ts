// Answers for the web app: its page, its files, and a sentence where it was not built.
import type { Request, RequestHandler, Response } from 'express';
import { ServiceError } from '../errors/service-error.ts';
import { serveContent } from '../static-content/index.ts';
import { readWebBuild } from './web-build.ts';
import { composePage } from './web-page.ts';

/** The name of a file changes with its content. */
const FOR_EVER = 'public, max-age=31536000, immutable';

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

const MISSING =
  'The web app has not been built yet: run "npm run build:web" in the repository and load this page again.\n';

type Prepared = { html: string; assets: Map<string, RequestHandler> };

/** `folder` holds what Vite built; it is read by the first request, and again while it is missing. */
export const createWebHandlers = (folder: string) => {
  let reading: Promise<Prepared | null> | null = null;
  const prepare = async (): Promise<Prepared | null> => {
    reading ??= prepareBuild(folder);
    const prepared = await reading.catch(() => null);
    if (!prepared) reading = null;
    return prepared;
  };
  const page: RequestHandler = async (_request, response) => sendPage(await prepare(), response);
  const asset: RequestHandler = async (request, response, next) => {
    const serve = (await prepare())?.assets.get(nameOf(request));
    if (!serve) throw new ServiceError('route_not_found');
    return serve(request, response, next);
  };
  return { page, asset };
};

const nameOf = (request: Request): string => String(request.params.name);

const sendPage = (prepared: Prepared | null, response: Response): void => {
  if (!prepared) {
    response.status(503).type('text/plain').send(MISSING);
    return;
  }
  const { body, headers } = composePage(prepared.html);
  response.set(headers).send(body);
};

const prepareBuild = async (folder: string): Promise<Prepared | null> => {
  const build = await readWebBuild(folder);
  if (!build) return null;
  const assets = new Map<string, RequestHandler>();
  for (const [name, bytes] of build.assets) assets.set(name, serveAsset(name, bytes));
  return { html: build.html, assets };
};

const serveAsset = (name: string, bytes: Buffer): RequestHandler =>
  serveContent({
    contentType: TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    cacheControl: FOR_EVER,
    load: async () => bytes,
  });
