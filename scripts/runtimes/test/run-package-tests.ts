// The tests of the packages, run by the same vitest on another runtime.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { ROOT } from '../../setup/repository.mjs';
import { projectEnvironment } from '../../setup/runtime.mjs';
import type { Runtime, RuntimeName } from './install-runtimes.ts';

const run = promisify(execFile);

/** What a runtime needs in front of the program. */
export const VITEST_ARGUMENTS: Partial<Record<RuntimeName, string[]>> = {
  node26: [],
  bun: ['--bun'],
  deno: [],
};

const VITEST = 'node_modules/vitest/vitest.mjs';
const CONFIG = 'scripts/runtimes/test/vitest.config.ts';

/** Vitest also fails when it finds no test. */
export const runPackageTests = async (
  { command, args }: Runtime,
  vitestArguments: string[],
): Promise<void> => {
  const vitest = [VITEST, 'run', '--config', CONFIG, '--reporter=dot'];
  const options = { cwd: ROOT, env: projectEnvironment(), maxBuffer: 2 ** 26 };
  const outcome = await run(command, [...vitestArguments, ...args, ...vitest], options).catch(
    (error) => error,
  );
  expect(outcome.code, `${outcome.stdout}${outcome.stderr}`).toBeUndefined();
};
