import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TestModule } from 'vitest/node';
import { ROOT } from '../setup/repository.mjs';
import type { FileResult, Run } from './summary.ts';
import { composeSummary, countLine, hasFailed, readFile } from './summary.ts';

const FILE: FileResult = {
  path: 'a.test.ts',
  project: 'unit',
  durationMs: 1_000,
  passed: 2,
  skipped: 0,
  failures: [],
};

const runOf = (files: readonly Partial<FileResult>[], rest: Partial<Run> = {}): Run => ({
  files: files.map((file) => ({ ...FILE, ...file })),
  errors: [],
  unfinished: [],
  projectMs: new Map(),
  ...rest,
});

/** As vitest reports a file, with the names of its failed tests. */
const moduleOf = (state: 'passed' | 'failed', failed: readonly string[] = []) =>
  ({
    moduleId: join(ROOT, 'a.test.ts'),
    project: { name: 'unit' },
    state: () => state,
    children: {
      allTests: () => failed.map((fullName) => ({ fullName, result: () => ({ state: 'failed' }) })),
    },
    diagnostic: () => ({ setupDuration: 1, collectDuration: 2, duration: 3 }),
  }) as unknown as TestModule;

describe('the summary of a run', () => {
  test('counts a file that does not load as one failure, and one with failed tests as those', () => {
    expect(readFile(moduleOf('failed'))).toEqual({
      path: 'a.test.ts',
      project: 'unit',
      durationMs: 6,
      passed: 0,
      skipped: 0,
      failures: ['a.test.ts'],
    });
    expect(readFile(moduleOf('failed', ['x', 'y'])).failures).toEqual([
      'a.test.ts > x',
      'a.test.ts > y',
    ]);
    expect(readFile(moduleOf('passed')).failures).toEqual([]);
  });

  test('adds all files up, and names skipped tests only where there are some', () => {
    expect(countLine(runOf([{}]))).toBe('2 passed, 0 failed');
    const run = runOf([{ failures: ['gives a seat'] }, { skipped: 3 }]);
    expect(countLine(run)).toBe('4 passed, 1 failed, 3 skipped');
    expect(composeSummary(run)).toContain('  gives a seat');
  });

  test('names the files that had no time, which is no failure', () => {
    const run = runOf([{}], { unfinished: ['b.test.ts'] });
    expect(composeSummary(run)).toContain('  b.test.ts');
    expect(hasFailed(run)).toBe(false);
  });

  test('a run without tests and an error outside of tests are failures', () => {
    expect([runOf([{}]), runOf([]), runOf([{}], { errors: ['x'] })].map(hasFailed)).toEqual([
      false,
      true,
      true,
    ]);
    expect(countLine(runOf([{}], { errors: ['no database'] }))).toBe('2 passed, 1 failed');
  });

  test('names the ten slowest of many files, the slowest first', () => {
    const files = Array.from({ length: 12 }, (_, index) => ({
      path: `${index}.test.ts`,
      durationMs: index * 1_000,
    }));
    const lines = composeSummary(runOf(files));
    expect(lines.slice(2, 12).map((line) => line.trim())).toEqual(
      Array.from({ length: 10 }, (_, index) => `${11 - index}.0 s  ${11 - index}.test.ts`),
    );
  });

  test('names a project that exceeded its budget, without failing', () => {
    const run = runOf([{}], {
      projectMs: new Map([
        ['unit', 25_500],
        ['browser', 12_000],
      ]),
    });
    expect(composeSummary(run)).toContain('    25.5 s  unit: over its budget of 25 s');
    expect(composeSummary(run)).toContain('    12.0 s  browser');
    expect(hasFailed(run)).toBe(false);
  });
});
