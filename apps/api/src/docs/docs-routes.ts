// What is served where. Nothing is read or built before someone asks for it, and then only once.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { RequestHandler } from 'express';
import { ServiceError } from '../errors/service-error.ts';
import { serveContent } from '../static-content/index.ts';
import { PAGE_HEADERS, writePage } from './docs-page.ts';

type DocsRoute = { path: string; handle: RequestHandler };

/** Documents and page change with the service: a cached copy is used only after asking. */
const ASK_FIRST = 'no-cache';
/** The version stands in the path. */
const FOR_EVER = 'public, max-age=31536000, immutable';

const require = createRequire(import.meta.url);

const readLibraryVersion = async (): Promise<string> =>
  JSON.parse(await readFile(require.resolve('swagger-ui-dist/package.json'), 'utf8')).version;

export const createDocsRoutes = (): DocsRoute[] => [
  { path: '/openapi.json', handle: serveDocument('3.1.0') },
  { path: '/openapi-3.0.json', handle: serveDocument('3.0.3') },
  { path: '/docs', handle: servePage() },
  { path: '/docs/assets/docs.js', handle: serveOwnAsset('docs.js', 'text/javascript') },
  { path: '/docs/assets/docs.css', handle: serveOwnAsset('docs.css', 'text/css') },
  {
    path: '/docs/assets/:version/swagger-ui-bundle.js',
    handle: serveLibraryAsset('swagger-ui-bundle.js', 'text/javascript'),
  },
  {
    path: '/docs/assets/:version/swagger-ui.css',
    handle: serveLibraryAsset('swagger-ui.css', 'text/css'),
  },
];

/** The builder is loaded by the first reader: a service that nobody reads about does without it. */
const serveDocument = (version: '3.1.0' | '3.0.3'): RequestHandler =>
  serveContent({
    contentType: 'application/json; charset=utf-8',
    cacheControl: ASK_FIRST,
    load: async () => {
      const { buildOpenApi } = await import('@muster/contract/openapi');
      return Buffer.from(`${JSON.stringify(buildOpenApi({ version }), null, 2)}\n`);
    },
  });

const servePage = (): RequestHandler =>
  serveContent({
    contentType: 'text/html; charset=utf-8',
    cacheControl: ASK_FIRST,
    headers: PAGE_HEADERS,
    load: async () => Buffer.from(writePage(await readLibraryVersion())),
  });

const serveOwnAsset = (file: string, type: string): RequestHandler =>
  serveContent({
    contentType: `${type}; charset=utf-8`,
    cacheControl: ASK_FIRST,
    load: () => readFile(new URL(`./page/${file}`, import.meta.url)),
  });

const serveLibraryAsset = (file: string, type: string): RequestHandler => {
  const serve = serveContent({
    contentType: `${type}; charset=utf-8`,
    cacheControl: FOR_EVER,
    load: () => readFile(require.resolve(`swagger-ui-dist/${file}`)),
  });
  return async (request, response, next) => {
    // While versions are replaced one process after the other, a browser must not keep the wrong file for ever.
    if (request.params.version !== (await readLibraryVersion())) {
      throw new ServiceError('route_not_found');
    }
    return serve(request, response, next);
  };
};
