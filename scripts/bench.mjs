#!/usr/bin/env node
// npm run bench: measures the service against its peers and writes docs/benchmarks.md.
import { HEAP_OPTIONS } from './run/heap-options.mjs';
import { runEntry } from './run/run-entry.mjs';
import { runScript } from './setup/repository.mjs';

// The service is measured as `npm start` runs it.
process.env.SERVICE_NODE_OPTIONS = HEAP_OPTIONS.join(' ');

await runScript(() => runEntry({ file: 'packages/bench/src/main.ts', scope: 'development' }));
