#!/usr/bin/env node
// npm run pacts: the tests of our own consumers write contracts/pacts anew (--check: only compares).
import { runScript } from './setup/repository.mjs';
import { setUp } from './setup/set-up.mjs';

await runScript(async () => {
  await setUp();
  const { checkPacts, writePacts } = await import('./pacts/write-pacts.mjs');
  return process.argv.includes('--check') ? checkPacts() : writePacts();
});
