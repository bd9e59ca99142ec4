// What `node scripts/run.mjs runtimes` runs: the service, the tests of the packages and a fresh clone on each supported runtime.
// RUNTIMES names those to prove, all by default.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Runtime } from './test/install-runtimes.ts';
import { installRuntimes, RUNTIME_NAMES } from './test/install-runtimes.ts';
import { CLONE_COMMANDS, proveClone } from './test/prove-clone.ts';
import { proveService } from './test/prove-service.ts';
import { runPackageTests, VITEST_ARGUMENTS } from './test/run-package-tests.ts';

const { RUNTIMES = RUNTIME_NAMES.join() } = process.env;
const chosen = RUNTIME_NAMES.filter((name) => RUNTIMES.split(',').includes(name));
const TIMEOUT_MS = 600_000;

let runtimes: Runtime[];
beforeAll(async () => {
  runtimes = await installRuntimes();
}, TIMEOUT_MS);

test('each runtime that is named is a supported one', () => {
  expect(RUNTIMES.split(',').toSorted()).toEqual(chosen.toSorted());
});

describe.each(chosen)('on %s', (name) => {
  const find = () => runtimes.find((one) => one.name === name) as Runtime;
  const vitestArguments = VITEST_ARGUMENTS[name];
  const commands = CLONE_COMMANDS[name];

  test('the service', () => proveService(find()), TIMEOUT_MS);

  // `npm test` runs them on Node.js 22 and 24.
  if (vitestArguments) {
    test('the tests of the packages', () => runPackageTests(find(), vitestArguments), TIMEOUT_MS);
  }

  // As the README lists them.
  if (commands) test('a fresh clone', () => proveClone(find(), commands), TIMEOUT_MS);
});
