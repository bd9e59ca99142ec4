// The contract for readers: two OpenAPI documents and a page to read and try them.
export { createDocsRoutes } from './docs-routes.ts';
