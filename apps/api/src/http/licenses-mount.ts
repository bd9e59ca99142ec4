// Serves the licences of the third-party software in the web app; in the installed package also those of the service and its pages.
import { readFile } from 'node:fs/promises';
import type { Express } from 'express';
import { locate, ServiceError } from '../platform/index.ts';
import { allowMethods, named } from './request.ts';
import { serveContent } from './static-content.ts';

const PATH = '/THIRD-PARTY-LICENSES.txt';

/** Written by the build of the web app, and by that of the package. */
export const LICENSES_FILE = locate(
  'apps/web/dist/THIRD-PARTY-LICENSES.txt',
  '../THIRD-PARTY-LICENSES.txt',
);

/** No credential is needed. Without the file, because the web app has not been built, the answer is 404. */
export const mountLicenses = (app: Express, file: string): void => {
  const serve = serveContent({
    contentType: 'text/plain; charset=utf-8',
    cacheControl: 'no-cache',
    load: () => readLicenses(file),
  });
  app.all(PATH, named(PATH), allowMethods('GET', 'HEAD'), serve);
};

const readLicenses = (file: string): Promise<Buffer> =>
  readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new ServiceError('route_not_found') : error;
  });
