#!/usr/bin/env node
// npm run check: everything that must be true before a change is merged (--static: without tests).
import { runScript } from './setup/repository.mjs';
import { setUp } from './setup/set-up.mjs';

await runScript(async () => {
  await setUp();
  // Loaded only now: the steps use packages that the set-up may just have installed.
  const { runSteps } = await import('./check/run-steps.mjs');
  const { STATIC_STEPS, TEST_STEP } = await import('./check/steps.mjs');
  const isStatic = process.argv.includes('--static');
  return runSteps(isStatic ? STATIC_STEPS : [...STATIC_STEPS, TEST_STEP]);
});
