// @muster/contract/openapi: the contract as an OpenAPI document. An entry of its own, since only tools
// and documents need the library behind it.
export type { OpenApiDocument, OpenApiOptions } from './build-openapi.ts';
export { buildOpenApi } from './build-openapi.ts';
