#!/usr/bin/env node
// npm start: the service and its web app with everything they need, from a fresh clone on.
import { HEAP_OPTIONS } from './run/heap-options.mjs';
import { runEntry } from './run/run-entry.mjs';
import { buildWeb } from './setup/build-web.mjs';
import { runScript } from './setup/repository.mjs';

await runScript(() =>
  runEntry({ file: 'apps/api/src/main.ts', nodeOptions: HEAP_OPTIONS, prepare: buildWeb }),
);
