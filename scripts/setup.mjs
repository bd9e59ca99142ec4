#!/usr/bin/env node
// npm run setup: installs the packages and generates the database client, when that is needed.
import { runScript } from './setup/repository.mjs';
import { setUp } from './setup/set-up.mjs';

await runScript(async () => {
  await setUp();
  return 0;
});
