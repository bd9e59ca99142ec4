// @muster/contract/openapi: the contract as an OpenAPI document. An entry of its own, since only tools
// and documents need the library behind it.

// Other documents of this repository are made with the same library.
export { createDocument } from 'zod-openapi';
export type { OpenApiDocument, OpenApiOptions } from './build-openapi.ts';
export { buildCompanionOpenApi, buildOpenApi, polishSchema } from './build-openapi.ts';
export { polishMembers } from './polish-members.ts';
