#!/usr/bin/env node
// npm run build:web: the web app into apps/web/dist, when its sources changed since the last time.
import { buildWeb } from './setup/build-web.mjs';
import { runScript } from './setup/repository.mjs';
import { setUp } from './setup/set-up.mjs';

await runScript(async () => {
  // Tests call this in a repository that is set up; installing under their feet would break them.
  if (!process.argv.includes('--only')) await setUp('runtime');
  await buildWeb();
  return 0;
});
