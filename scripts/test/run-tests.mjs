// Runs the tests of all workspaces and ends with one line that counts them.
import { availableParallelism } from 'node:os';
import { runProgram } from '../run/run-program.mjs';
import { buildWeb } from '../setup/build-web.mjs';
import { projectEnvironment } from '../setup/runtime.mjs';
import { collectResults, RESULTS_FILE, removeOldResults } from './collect-results.mjs';
import { provideBrowser } from './provide-browser.mjs';

/** vitest already uses every core: workspaces run side by side only where there are cores to spare. */
const WORKSPACES_AT_ONCE = Math.max(1, Math.floor(availableParallelism() / 4));

/** @param {string[]} vitestArgs go to the vitest of every workspace @returns {Promise<number>} */
export async function runTests(vitestArgs) {
  const browser = await provideBrowser();
  if (browser !== 0) return browser;
  await buildWeb();
  const startedAt = performance.now();
  removeOldResults();
  const code = await runProgram({
    command: 'turbo',
    args: [...turboArgs(), '--', ...reporterArgs(), ...vitestArgs],
    env: projectEnvironment(),
  });
  const results = collectResults();
  printSummary(results, performance.now() - startedAt);
  const total = sum(results, 'passed') + sum(results, 'failed');
  if (total === 0) console.log('No test was run, which counts as a failure.');
  console.log(countLine(results));
  return code === 0 && total > 0 && sum(results, 'failed') === 0 ? 0 : code || 1;
}

function turboArgs() {
  const output = ['--output-logs=full', '--log-order=stream'];
  return ['run', 'test', '--continue=always', `--concurrency=${WORKSPACES_AT_ONCE}`, ...output];
}

function reporterArgs() {
  const reporters = ['--reporter=default', '--reporter=json'];
  return [...reporters, `--outputFile.json=${RESULTS_FILE}`, '--passWithNoTests'];
}

/** @typedef {import('./collect-results.mjs').WorkspaceResult} WorkspaceResult */

/** @param {WorkspaceResult[]} results @param {number} durationMs */
function printSummary(results, durationMs) {
  console.log(`\nTests of ${results.length} workspaces in ${(durationMs / 1000).toFixed(1)} s`);
  for (const result of results) {
    console.log(`  ${result.workspace.padEnd(24)} ${countLine([result])}`);
    for (const failure of result.failures) console.log(`    failed: ${failure}`);
  }
}

/** The closing line is for machines too: `12 passed, 0 failed`, with `, 1 skipped` where some were.
 * @param {WorkspaceResult[]} results */
export function countLine(results) {
  const skipped = sum(results, 'skipped');
  const counted = `${sum(results, 'passed')} passed, ${sum(results, 'failed')} failed`;
  return skipped > 0 ? `${counted}, ${skipped} skipped` : counted;
}

/** @param {WorkspaceResult[]} results @param {'passed' | 'failed' | 'skipped'} key */
function sum(results, key) {
  return results.reduce((total, result) => total + result[key], 0);
}
