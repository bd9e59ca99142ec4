// Adds up what vitest wrote about each workspace's tests.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readIfPresent } from '../setup/fingerprint.mjs';
import { listWorkspaces, ROOT, readManifest } from '../setup/repository.mjs';

/** Relative to each workspace: vitest gets the same arguments everywhere. */
export const RESULTS_FILE = '.turbo/test-results.json';

/**
 * @typedef {{ workspace: string, passed: number, failed: number, skipped: number,
 *   failures: string[] }} WorkspaceResult
 * @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number,
 *   numTodoTests: number, testResults: { name: string, status: string, message?: string,
 *   assertionResults: { status: string, fullName: string }[] }[] }} VitestReport
 */

/** The folders of the workspaces that have tests to run. */
export function listTestedWorkspaces() {
  return listWorkspaces().filter((folder) => readManifest(folder).scripts?.test !== undefined);
}

export function removeOldResults() {
  for (const folder of listTestedWorkspaces()) {
    rmSync(join(ROOT, folder, RESULTS_FILE), { force: true });
  }
}

/** @returns {WorkspaceResult[]} */
export function collectResults() {
  return listTestedWorkspaces().map((folder) => {
    const text = readIfPresent(join(ROOT, folder, RESULTS_FILE));
    return text === '' ? reportMissing(folder) : readReport(folder, JSON.parse(text));
  });
}

/** No report means that the runner itself broke down: that counts as one failure.
 * @param {string} workspace @returns {WorkspaceResult} */
function reportMissing(workspace) {
  const failures = ['the test run ended before it wrote its results'];
  return { workspace, passed: 0, failed: 1, skipped: 0, failures };
}

/** @param {string} workspace @param {VitestReport} report @returns {WorkspaceResult} */
export function readReport(workspace, report) {
  const failures = report.testResults.flatMap((file) => listFailures(file));
  return {
    workspace,
    passed: report.numPassedTests,
    failed: failures.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures,
  };
}

/** A file that fails without a failed test (it does not load, a hook throws) is one failure.
 * @param {VitestReport['testResults'][number]} file */
function listFailures(file) {
  const failed = file.assertionResults.filter((test) => test.status === 'failed');
  if (file.status === 'failed' && failed.length === 0) return [file.name.replace(`${ROOT}/`, '')];
  return failed.map((test) => test.fullName);
}
