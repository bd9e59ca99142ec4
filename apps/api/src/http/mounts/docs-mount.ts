// Serves the documents and their page without a credential, since they contain only the contract. The first request for a document
// loads its builder and builds it.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenApiOptions } from '@muster/contract/openapi';
import type { AnyRouter } from '@trpc/server';
import type { Express, RequestHandler } from 'express';
import { loadAdminReference } from '../../admin/index.ts';
import { locate, readVersion, ServiceError } from '../../platform/index.ts';
import { mountGet } from '../request.ts';
import { ASK_FIRST, FOR_EVER, serveContent } from './static-content.ts';

type DocsMount = {
  historyAccess: NonNullable<OpenApiOptions['historyAccess']>;
  adminRouter: AnyRouter;
  /** Null when the companion endpoints are off. */
  companion: object | null;
};

const PAGE = locate('apps/api/src/http/mounts/page', 'page');
/** npm installs it at the root: no workspace wants another version. */
const LIBRARY = locate('node_modules/swagger-ui-dist', 'swagger-ui');

const loadBuilders = () => import('@muster/contract/openapi');

export const mountDocs = (
  app: Express,
  { historyAccess, adminRouter, companion }: DocsMount,
): void => {
  const mountDocument = (path: string, build: () => Promise<object>) => {
    const load = async () => Buffer.from(`${JSON.stringify(await build(), null, 2)}\n`);
    const contentType = 'application/json; charset=utf-8';
    mountGet(app, path, serveContent({ contentType, cacheControl: ASK_FIRST, load }));
  };
  const mountOwnFile = (file: string, type: string) => {
    const load = () => readFile(join(PAGE, file));
    const contentType = `${type}; charset=utf-8`;
    const serve = serveContent({ contentType, cacheControl: ASK_FIRST, load });
    mountGet(app, `/docs/assets/${file}`, serve);
  };
  const mountLibraryFile = (file: string, type: string) => {
    const load = () => readFile(join(LIBRARY, file));
    const contentType = `${type}; charset=utf-8`;
    const serve = serveContent({ contentType, cacheControl: FOR_EVER, load });
    mountGet(app, `/docs/assets/:version/${file}`, requireLibraryVersion, serve);
  };
  for (const [path, version] of PUBLIC_DOCUMENTS) {
    mountDocument(path, async () =>
      (await loadBuilders()).buildOpenApi({ version, historyAccess }),
    );
  }
  if (companion) {
    mountDocument('/openapi-companion.json', async () =>
      (await loadBuilders()).buildCompanionOpenApi({ version: '3.1.0' }),
    );
  }
  mountDocument('/admin/openapi.json', async () =>
    (await loadAdminReference()).buildAdminOpenApi(adminRouter, readVersion()),
  );
  mountGet(app, '/docs', servePage(companion !== null));
  mountOwnFile('docs.js', 'text/javascript');
  mountOwnFile('docs.css', 'text/css');
  mountLibraryFile('swagger-ui-bundle.js', 'text/javascript');
  mountLibraryFile('swagger-ui.css', 'text/css');
};

const PUBLIC_DOCUMENTS = [
  ['/openapi.json', '3.1.0'],
  ['/openapi-3.0.json', '3.0.3'],
] as const;

const readLibraryVersion = async (): Promise<string> =>
  JSON.parse(await readFile(join(LIBRARY, 'package.json'), 'utf8')).version;

/** During a rolling upgrade, a browser must not keep the wrong file for ever. */
const requireLibraryVersion: RequestHandler = async (request, _response, next) => {
  if (request.params.version !== (await readLibraryVersion())) {
    throw new ServiceError('route_not_found');
  }
  next();
};

const servePage = (hasCompanion: boolean): RequestHandler =>
  serveContent({
    contentType: 'text/html; charset=utf-8',
    cacheControl: ASK_FIRST,
    headers: PAGE_HEADERS,
    load: async () => Buffer.from(writePage(await readLibraryVersion(), hasCompanion)),
  });

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
