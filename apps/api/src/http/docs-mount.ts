// Serves the documents and their page without a credential, since they contain only the contract. The first request for a document
// builds it.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenApiOptions } from '@muster/contract/openapi';
import type { AnyRouter } from '@trpc/server';
import type { Express, RequestHandler } from 'express';
import { loadAdminReference } from '../admin/index.ts';
import { locate, readVersion, ServiceError } from '../platform/index.ts';
import { allowMethods, named } from './request.ts';
import { serveContent } from './static-content.ts';

const GET = allowMethods('GET', 'HEAD');

type HistoryAccess = NonNullable<OpenApiOptions['historyAccess']>;

type DocsMount = {
  historyAccess: HistoryAccess;
  adminRouter: AnyRouter;
  /** Null when the companion endpoints are off. */
  companion: object | null;
};

export const mountDocs = (
  app: Express,
  { historyAccess, adminRouter, companion }: DocsMount,
): void => {
  const mount = (path: string, handle: RequestHandler) => app.all(path, named(path), GET, handle);
  mount('/openapi.json', servePublicDocument({ version: '3.1.0', historyAccess }));
  mount('/openapi-3.0.json', servePublicDocument({ version: '3.0.3', historyAccess }));
  if (companion) mount('/openapi-companion.json', serveCompanionDocument());
  mount('/admin/openapi.json', serveAdminDocument(adminRouter));
  mount('/docs', servePage(companion !== null));
  mount('/docs/assets/docs.js', serveOwnAsset('docs.js', 'text/javascript'));
  mount('/docs/assets/docs.css', serveOwnAsset('docs.css', 'text/css'));
  for (const [file, type] of LIBRARY_FILES) {
    mount(`/docs/assets/:version/${file}`, serveLibraryAsset(file, type));
  }
};

/** Documents and page change with the service: a cached copy is used only after validation. */
const ASK_FIRST = 'no-cache';
/** The path contains the version. */
const FOR_EVER = 'public, max-age=31536000, immutable';

const PAGE = locate('apps/api/src/http/page', 'page');
/** npm installs it at the root: no workspace wants another version. */
const LIBRARY = locate('node_modules/swagger-ui-dist', 'swagger-ui');
const LIBRARY_FILES = [
  ['swagger-ui-bundle.js', 'text/javascript'],
  ['swagger-ui.css', 'text/css'],
] as const;

const readLibraryVersion = async (): Promise<string> =>
  JSON.parse(await readFile(join(LIBRARY, 'package.json'), 'utf8')).version;

/** The first request loads the builder. */
const serveDocument = (build: () => Promise<object>): RequestHandler =>
  serveContent({
    contentType: 'application/json; charset=utf-8',
    cacheControl: ASK_FIRST,
    load: async () => Buffer.from(`${JSON.stringify(await build(), null, 2)}\n`),
  });

const servePublicDocument = (options: OpenApiOptions): RequestHandler =>
  serveDocument(async () => {
    const { buildOpenApi } = await import('@muster/contract/openapi');
    return buildOpenApi(options);
  });

const serveCompanionDocument = (): RequestHandler =>
  serveDocument(async () => {
    const { buildCompanionOpenApi } = await import('@muster/contract/openapi');
    return buildCompanionOpenApi({ version: '3.1.0' });
  });

const serveAdminDocument = (adminRouter: AnyRouter): RequestHandler =>
  serveDocument(async () => {
    const { buildAdminOpenApi } = await loadAdminReference();
    return buildAdminOpenApi(adminRouter, readVersion());
  });

const servePage = (hasCompanion: boolean): RequestHandler =>
  serveContent({
    contentType: 'text/html; charset=utf-8',
    cacheControl: ASK_FIRST,
    headers: PAGE_HEADERS,
    load: async () => Buffer.from(writePage(await readLibraryVersion(), hasCompanion)),
  });

const serveOwnAsset = (file: string, type: string): RequestHandler =>
  serveContent({
    contentType: `${type}; charset=utf-8`,
    cacheControl: ASK_FIRST,
    load: () => readFile(join(PAGE, file)),
  });

const serveLibraryAsset = (file: string, type: string): RequestHandler => {
  const serve = serveContent({
    contentType: `${type}; charset=utf-8`,
    cacheControl: FOR_EVER,
    load: () => readFile(join(LIBRARY, file)),
  });
  return async (request, response, next) => {
    // During a rolling upgrade, a browser must not keep the wrong file for ever.
    if (request.params.version !== (await readLibraryVersion())) {
      throw new ServiceError('route_not_found');
    }
    return serve(request, response, next);
  };
};

// The page around Swagger UI. Scripts, styles and requests come from and go to this service only.

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS: Record<string, string> = {
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

/** `libraryVersion` is part of the addresses of the library's files. */
const writePage = (libraryVersion: string, hasCompanion: boolean): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Muster API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/assets/${libraryVersion}/swagger-ui.css">
    <link rel="stylesheet" href="/docs/assets/docs.css">
  </head>
  <body>
    <header class="documents">
      <strong>Muster API</strong>
      <nav aria-label="Documents">
        <a href="/docs">Public API</a>
        ${hasCompanion ? '<a href="/docs?api=companion">Companion endpoints</a>' : ''}
        <a href="/docs?api=admin">Admin API</a>
        <a href="/openapi.json">OpenAPI 3.1</a>
        <a href="/openapi-3.0.json">OpenAPI 3.0</a>
        ${hasCompanion ? '<a href="/openapi-companion.json">OpenAPI of the companion endpoints</a>' : ''}
        <a href="/admin/openapi.json">OpenAPI of the admin API</a>
        <a href="/THIRD-PARTY-LICENSES.txt">Licences</a>
      </nav>
    </header>
    <main id="api"><noscript>This page needs JavaScript; the documents above do not.</noscript></main>
    <script src="/docs/assets/${libraryVersion}/swagger-ui-bundle.js"></script>
    <script src="/docs/assets/docs.js"></script>
  </body>
</html>
`;
