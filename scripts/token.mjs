#!/usr/bin/env node
// npm run -s token -- --sub <id> --permissions a,b: prints a token for the local service.
import { runEntry } from './run/run-entry.mjs';
import { runScript } from './setup/repository.mjs';

await runScript(() => runEntry({ file: 'apps/api/src/token.ts' }));
