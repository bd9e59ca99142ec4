#!/usr/bin/env node
// npm run screenshots: takes the pictures in docs/images anew, of the app as it is now.
import { join } from 'node:path';
import { runProgram } from './run/run-program.mjs';
import { ROOT, runScript } from './setup/repository.mjs';
import { projectEnvironment } from './setup/runtime.mjs';
import { setUp } from './setup/set-up.mjs';
import { provideBrowser } from './test/provide-browser.mjs';

await runScript(async () => {
  await setUp();
  const browser = await provideBrowser();
  if (browser !== 0) return browser;
  return runProgram({
    command: 'vitest',
    args: ['run', '--root', '.', '--config', 'test/screenshots/vitest.config.ts'],
    cwd: join(ROOT, 'apps/web'),
    env: projectEnvironment(),
  });
});
