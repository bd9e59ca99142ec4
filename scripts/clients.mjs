#!/usr/bin/env node
// npm run clients [-- --only go,rust | --serve]: generated clients, proven against a live service.
import { runEntry } from './run/run-entry.mjs';
import { runScript } from './setup/repository.mjs';

await runScript(() => runEntry({ file: 'scripts/clients/main.ts' }));
