// Prints the OpenAPI document of the admin API. For scripts/openapi/write-documents.ts.
import { buildAdminOpenApi } from '../src/admin/reference/build-admin-openapi.ts';
import { createRouterOutline } from '../src/admin/testing/list-procedures.ts';
import { readVersion } from '../src/platform/index.ts';

const document = buildAdminOpenApi(createRouterOutline(), readVersion());
process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
