// Serves the documents and their page: no credential, since they say only what the contract says.
import type { Express } from 'express';
import { createDocsRoutes } from '../docs/index.ts';
import { allowMethods } from './method-not-allowed.ts';
import { named } from './operator-routes.ts';

const GET = allowMethods('GET', 'HEAD');

export const mountDocs = (app: Express): void => {
  for (const { path, handle } of createDocsRoutes()) app.all(path, named(path), GET, handle);
};
