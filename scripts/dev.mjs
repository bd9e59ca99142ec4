#!/usr/bin/env node
// npm run dev: the service, restarted whenever a file that it imports changes, and Vite in front of the web app.
import { runEntry } from './run/run-entry.mjs';
import { runVite } from './run/run-vite.mjs';
import { runScript } from './setup/repository.mjs';
import { setUp } from './setup/set-up.mjs';

// Node's watcher follows the imports, workspace packages included, and waits for the old process
// to end after SIGTERM before it starts the next one, so that the database is stopped cleanly.
await runScript(async () => {
  await setUp('runtime');
  const vite = runVite();
  const code = await runEntry({
    file: 'apps/api/src/main.ts',
    nodeOptions: ['--watch', '--watch-preserve-output'],
  });
  vite.stop();
  return code;
});
