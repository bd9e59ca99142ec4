#!/usr/bin/env node
// npm run restore -- --from <file>: fills an empty database, or an empty data folder, from a backup.
import { runEntry } from './run/run-entry.mjs';
import { runScript } from './setup/repository.mjs';

await runScript(() => runEntry({ file: 'apps/api/src/restore.ts' }));
