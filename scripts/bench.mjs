#!/usr/bin/env node
// npm run bench: measures the service against its peers and writes docs/benchmarks.md.
import { runEntry } from './run/run-entry.mjs';
import { runScript } from './setup/repository.mjs';

await runScript(() => runEntry({ file: 'packages/bench/src/main.ts', scope: 'development' }));
