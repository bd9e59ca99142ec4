// The tests of the packages, run by the same vitest on another runtime.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../../run/run-program.mjs';
import { ROOT, report } from '../../setup/repository.mjs';
import { projectEnvironment } from '../../setup/runtime.mjs';
import type { Runtime, RuntimeName } from '../install-runtimes.ts';

const VITEST = 'node_modules/vitest/vitest.mjs';
const CONFIG = 'scripts/runtimes/tests/vitest.config.ts';

const ARGUMENTS: Partial<Record<RuntimeName, string[]>> = { node26: [], bun: ['--bun'], deno: [] };

/** Answers what is wrong, one sentence each; nothing for Node.js 22 and 24: `npm test` runs them. */
export const runPackageTests = async ({ name, command, args }: Runtime): Promise<string[]> => {
  const first = ARGUMENTS[name];
  if (!first) return [];
  const folder = mkdtempSync(join(tmpdir(), 'muster-runtimes-tests-'));
  const results = join(folder, 'results.json');
  const vitest = [VITEST, 'run', '--config', CONFIG, '--reporter=json', `--outputFile=${results}`];
  const code = await runProgram({
    command,
    args: [...first, ...args, ...vitest],
    cwd: ROOT,
    env: projectEnvironment(),
    stdio: ['ignore', 2, 2],
  });
  try {
    return judge(name, code, JSON.parse(readFileSync(results, 'utf8')) as Results);
  } catch (error) {
    return [`the tests of the packages gave no result: ${(error as Error).message}`];
  } finally {
    rmSync(folder, { recursive: true });
  }
};

type Results = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
};

const judge = (name: RuntimeName, code: number, results: Results): string[] => {
  report(
    `${name}: ${results.numPassedTests} tests of the packages passed, ${results.numFailedTests} failed`,
  );
  const failed = results.testResults.flatMap((file) =>
    file.assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0]}`),
  );
  if (results.numPassedTests === 0) return ['no test of the packages was run'];
  return failed.length > 0 || code === 0
    ? failed
    : [`vitest ended with ${code}`, ...results.testResults.flatMap(({ message }) => message || [])];
};
