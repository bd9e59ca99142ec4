#!/usr/bin/env node
// npm run openapi: writes the OpenAPI documents in contracts/ anew (--check: only compares them).
import { runEntry } from './run/run-entry.mjs';
import { runScript } from './setup/repository.mjs';

await runScript(() => runEntry({ file: 'scripts/openapi/write-documents.ts' }));
