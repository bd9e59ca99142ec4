#!/usr/bin/env node
// npm test: every test of every workspace, from a fresh clone on; arguments go to vitest.
import { runScript } from './setup/repository.mjs';
import { setUp } from './setup/set-up.mjs';
import { runTests } from './test/run-tests.mjs';

await runScript(async () => {
  await setUp();
  return runTests(process.argv.slice(2));
});
