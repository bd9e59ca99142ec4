#!/usr/bin/env node
// npm run runtimes [-- --only bun,deno]: the service and the conformance suite on every runtime that it supports.
import { runEntry } from './run/run-entry.mjs';
import { buildWeb } from './setup/build-web.mjs';
import { runScript } from './setup/repository.mjs';

await runScript(() => runEntry({ file: 'scripts/runtimes/main.ts', prepare: buildWeb }));
