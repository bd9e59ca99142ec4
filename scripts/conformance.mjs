#!/usr/bin/env node
// npm run conformance -- --base-url URL: proves a running service against the interface.
import { runEntry } from './run/run-entry.mjs';
import { runScript } from './setup/repository.mjs';

await runScript(() => runEntry({ file: 'packages/conformance/src/main.ts' }));
