#!/usr/bin/env node
// npm run format: formats every file and applies the linter's safe fixes.
import { runProgram } from './run/run-program.mjs';
import { runScript } from './setup/repository.mjs';
import { projectEnvironment } from './setup/runtime.mjs';
import { setUp } from './setup/set-up.mjs';

await runScript(async () => {
  await setUp();
  return runProgram({
    command: 'biome',
    args: ['check', '--write', '.'],
    env: projectEnvironment(),
  });
});
