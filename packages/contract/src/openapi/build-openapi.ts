// Builds the OpenAPI document from the router: nothing in it is written down twice.
import { createDocument } from 'zod-openapi';
import { contract } from '../router.ts';
import type { RouteName } from './contract-route.ts';
import { toPathTemplate } from './contract-route.ts';
import { describeOperation } from './describe-operation.ts';
import { INFO, SECURITY_SCHEMES, SERVERS, TAGS } from './document-frame.ts';
import { polishParameters } from './polish-parameters.ts';
import { polishSchema } from './polish-schema.ts';
import { toOpenApi30 } from './to-openapi-30.ts';

export type OpenApiOptions = {
  /** 3.0.3 for generators that do not read 3.1 yet. */
  version: '3.1.0' | '3.0.3';
};

export type OpenApiDocument = ReturnType<typeof createDocument>;

/** The same input gives the same document, key by key. */
export const buildOpenApi = ({ version }: OpenApiOptions): OpenApiDocument => {
  const document = createDocument(
    {
      openapi: version,
      info: INFO,
      servers: SERVERS,
      tags: TAGS,
      security: [{ bearerAuth: [] }],
      paths: describePaths(),
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    { override: polishSchema },
  );
  polishParameters(document);
  return version === '3.0.3' ? toOpenApi30(document) : document;
};

const describePaths = () =>
  Object.fromEntries(
    (Object.keys(contract) as RouteName[]).map((name) => {
      const { method, path } = contract[name];
      return [toPathTemplate(path), { [method.toLowerCase()]: describeOperation(name) }];
    }),
  );
