#!/usr/bin/env node
// npm run generate: makes every generated file anew (now: the database client, even if unchanged).
import { removeStamp } from './setup/fingerprint.mjs';
import { runScript } from './setup/repository.mjs';
import { setUp } from './setup/set-up.mjs';

await runScript(async () => {
  removeStamp('prisma-client');
  await setUp();
  return 0;
});
