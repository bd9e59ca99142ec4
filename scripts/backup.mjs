#!/usr/bin/env node
// npm run backup [-- --to <file>]: writes everything that the service keeps into one file, while it goes on serving.
import { runEntry } from './run/run-entry.mjs';
import { runScript } from './setup/repository.mjs';

await runScript(() => runEntry({ file: 'apps/api/src/backup.ts' }));
