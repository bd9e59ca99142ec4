#!/usr/bin/env node
// npm run dev: the service, restarted whenever a file that it imports changes.
import { runEntry } from './run/run-entry.mjs';
import { runScript } from './setup/repository.mjs';

// Node's watcher follows the imports, workspace packages included, and waits for the old process
// to end after SIGTERM before it starts the next one, so that the database is stopped cleanly.
await runScript(() =>
  runEntry({ file: 'apps/api/src/main.ts', nodeOptions: ['--watch', '--watch-preserve-output'] }),
);
