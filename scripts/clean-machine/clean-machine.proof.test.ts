// Needs root on Debian, and is left out elsewhere. With CLEAN_MACHINE=full the whole of `npm test` runs on the clean machine,
// otherwise one file of each project.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from '../setup/repository.mjs';
import { isRootOnDebian } from '../test/provide-programs.ts';

const run = promisify(execFile);
const PROGRAM = join(ROOT, 'scripts/run.mjs');
const TIMEOUT_MS = 3_600_000;

/** Pure code, a service with a database, a packed package, a page in a browser. */
const SHORT = [
  'packages/contract/src/strings',
  'packages/client/test/real-service',
  'packages/contract/test/packed',
  'apps/api/test/docs-page',
];

test.runIf(isRootOnDebian())(
  'npm start installs at most 450 MB, and it and npm test work, on a Debian with Node.js, npm and nothing else (left out unless root on Debian)',
  async () => {
    const patterns = process.env.CLEAN_MACHINE === 'full' ? [] : SHORT;
    const options = { cwd: ROOT, maxBuffer: 2 ** 26 };
    const outcome = await run(
      process.execPath,
      [PROGRAM, 'clean-machine', ...patterns],
      options,
    ).catch((e) => e);
    expect(outcome.code, `${outcome.stdout}${outcome.stderr}`).toBeUndefined();
    expect(outcome.stdout).toMatch(/\d+ passed, 0 failed\s*$/);
  },
  TIMEOUT_MS,
);
