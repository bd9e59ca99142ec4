#!/usr/bin/env node
// npm run distribute [-- --dry-run]: distributes the schema over a Citus cluster.
import { runEntry } from './run/run-entry.mjs';
import { runScript } from './setup/repository.mjs';

await runScript(() =>
  runEntry({ file: 'packages/database/src/distribution/distribute-command.ts' }),
);
