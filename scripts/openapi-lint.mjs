#!/usr/bin/env node
// npm run openapi:lint: holds the OpenAPI documents in contracts/ against the rules of API documents.
import { lintDocuments } from './openapi/lint-documents.mjs';
import { runScript } from './setup/repository.mjs';
import { setUp } from './setup/set-up.mjs';

await runScript(async () => {
  await setUp();
  return lintDocuments();
});
