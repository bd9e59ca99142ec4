import { describe, expect, test } from 'vitest';
import { readReport } from './collect-results.mjs';
import { countLine } from './run-tests.mjs';

const COUNTS = { numPassedTests: 2, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };

describe('counting tests', () => {
  test('counts a file that does not load as one failure', () => {
    const file = { name: 'a.test.ts', status: 'failed', assertionResults: [] };
    const result = readReport('apps/api', { ...COUNTS, testResults: [file] });
    expect(countLine([result])).toBe('2 passed, 1 failed');
  });

  test('adds all workspaces up, and names skipped tests only where there are some', () => {
    const test = { status: 'failed', fullName: 'gives a seat' };
    const file = { name: 'a.test.ts', status: 'failed', assertionResults: [test] };
    const failing = readReport('a', { ...COUNTS, numFailedTests: 1, testResults: [file] });
    const skipping = readReport('b', { ...COUNTS, numPendingTests: 3, testResults: [] });
    expect(countLine([failing, skipping])).toBe('4 passed, 1 failed, 3 skipped');
    expect(failing.failures).toEqual(['gives a seat']);
  });
});
