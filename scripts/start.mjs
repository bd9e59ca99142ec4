#!/usr/bin/env node
// npm start: the service with everything it needs, from a fresh clone on.
import { runEntry } from './run/run-entry.mjs';
import { runScript } from './setup/repository.mjs';

await runScript(() => runEntry({ file: 'apps/api/src/main.ts' }));
