// `node scripts/run.mjs runtimes` with all options, one runtime at a time.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from '../setup/repository.mjs';
import { RUNTIME_NAMES } from './install-runtimes.ts';

const run = promisify(execFile);
const PROGRAM = join(ROOT, 'scripts/run.mjs');
const TIMEOUT_MS = 1_200_000;

test.each(RUNTIME_NAMES)(
  'the service, the conformance suite, the packages and a clone work on %s',
  async (name) => {
    const args = [PROGRAM, 'runtimes', '--only', name, '--tests', '--clones'];
    const outcome = await run(process.execPath, args, { cwd: ROOT }).catch((error) => error);
    expect(outcome.code, `${outcome.stdout}${outcome.stderr}`).toBeUndefined();
  },
  TIMEOUT_MS,
);
