// Serves the licences of the third-party software in the web app; in the installed package also those of the service and its pages.
import { readFile } from 'node:fs/promises';
import type { Express } from 'express';
import { locate, ServiceError } from '../../platform/index.ts';
import { mountGet } from '../request.ts';
import { ASK_FIRST, serveContent } from './static-content.ts';

/** Written by the build of the web app, and by that of the package. */
const LICENSES = locate('apps/web/dist/THIRD-PARTY-LICENSES.txt', '../THIRD-PARTY-LICENSES.txt');

/** No credential is needed. Without the file, because the web app has not been built, the answer is 404. */
export const mountLicenses = (app: Express, file = LICENSES): void => {
  const load = () =>
    readFile(file).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new ServiceError('route_not_found') : error;
    });
  const content = { contentType: 'text/plain; charset=utf-8', cacheControl: ASK_FIRST, load };
  mountGet(app, '/THIRD-PARTY-LICENSES.txt', serveContent(content));
};
