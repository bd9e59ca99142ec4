// What is said when all tests are over: failures, the slowest files, projects over their budget, and the counts.
import { relative } from 'node:path';
import type { TestModule } from 'vitest/node';
import { ROOT } from '../setup/repository.mjs';

export type FileResult = {
  /** Relative to the repository. */
  path: string;
  project: string;
  passed: number;
  skipped: number;
  /** Full names of failed tests, or the path of a file that failed as a whole. */
  failures: string[];
  durationMs: number;
};

export type Run = {
  files: FileResult[];
  /** Failures outside of all test files: a global set-up, an uncaught error. */
  errors: string[];
  /** Paths of the files that did not end within the limit of time. */
  unfinished: string[];
  /** From the start of a project's first file to the end of its last one. */
  projectMs: ReadonlyMap<string, number>;
};

/** These run side by side. */
export const TOGETHER = 'integration and contract';

/** On two cores, for a run of the whole project. */
const BUDGET_SECONDS: Readonly<Record<string, number>> = {
  unit: 25,
  [TOGETHER]: 180,
  browser: 90,
};

const SLOWEST = 10;

export const readFile = (module: TestModule): FileResult => {
  const path = relative(ROOT, module.moduleId);
  const tests = [...module.children.allTests()];
  const count = (state: string) => tests.filter((test) => test.result().state === state).length;
  const failed = [...module.children.allTests('failed')];
  const failures = failed.map(({ fullName }) => `${path} > ${fullName}`);
  // A file may fail without a failed test: it does not load, or a hook throws.
  const isBroken = module.state() === 'failed' && failures.length === 0;
  const { setupDuration, collectDuration, duration } = module.diagnostic();
  return {
    path,
    project: module.project.name,
    passed: count('passed'),
    skipped: count('skipped'),
    failures: isBroken ? [path] : failures,
    durationMs: setupDuration + collectDuration + duration,
  };
};

/** The closing line is for machines too: `12 passed, 0 failed`, with `, 1 skipped` where some were. */
export const countLine = ({ files, errors }: Run): string => {
  const passed = files.reduce((sum, file) => sum + file.passed, 0);
  const failed = files.reduce((sum, file) => sum + file.failures.length, errors.length);
  const skipped = files.reduce((sum, file) => sum + file.skipped, 0);
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
};

export const hasFailed = ({ files, errors }: Run): boolean =>
  errors.length > 0 || files.length === 0 || files.some(({ failures }) => failures.length > 0);

/** A machine may be slower than the one that the budgets are made for: being over is said and fails nothing. */
export const composeSummary = (run: Run): string[] => [
  ...section('Failed', [...run.files.flatMap(({ failures }) => failures), ...run.errors]),
  ...section(`The slowest ${SLOWEST} files`, run.files.length > SLOWEST ? listSlowest(run) : []),
  ...section('Projects', [...run.projectMs].map(describeProject)),
  ...section('Not run, or not to the end, for lack of time', run.unfinished),
  '',
  ...(run.files.length === 0 ? ['No test was run, which counts as a failure.'] : []),
  countLine(run),
];

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];

const listSlowest = ({ files }: Run): string[] =>
  files
    .toSorted((a, b) => b.durationMs - a.durationMs)
    .slice(0, SLOWEST)
    .map(({ path, durationMs }) => `${formatSeconds(durationMs)}  ${path}`);

const describeProject = ([project, durationMs]: [string, number]): string => {
  const budget = BUDGET_SECONDS[project];
  const isOver = budget !== undefined && durationMs > budget * 1_000;
  const verdict = isOver ? `: over its budget of ${budget} s` : '';
  return `${formatSeconds(durationMs)}  ${project}${verdict}`;
};

const formatSeconds = (durationMs: number): string =>
  `${(durationMs / 1_000).toFixed(1).padStart(6)} s`;
