// The contract for readers: two OpenAPI documents and a page to read and try them.
export type { DocsRoute } from './docs-routes.ts';
export { createDocsRoutes } from './docs-routes.ts';
