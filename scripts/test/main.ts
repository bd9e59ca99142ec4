// Runs vitest with the arguments that it is given, and sums up what was tested. TEST_MINUTES limits the time: files that did not
// end within it are listed, and fail nothing.
import { relative } from 'node:path';
import type { CliOptions, TestModule, Vitest } from 'vitest/node';
import { createVitest, parseCLI } from 'vitest/node';
import { ROOT } from '../setup/repository.mjs';
import { provideFor } from './provide-programs.ts';
import type { Run } from './summary.ts';
import { composeSummary, hasFailed, readFile, TOGETHER } from './summary.ts';

type Span = { from: number; to: number };

const MINUTES = process.env.TEST_MINUTES;

const main = async (): Promise<void> => {
  const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)]);
  const spans = new Map<string, Span>();
  // Vitest's command line calls it so; its types know the name of the configuration only.
  const { reporter = ['default'], ...rest } = options as CliOptions & { reporter?: string[] };
  const vitest = await createVitest('test', {
    root: ROOT,
    ...rest,
    watch: false,
    reporters: [
      ...[reporter].flat(),
      { onTestModuleQueued: notice(spans), onTestModuleEnd: notice(spans) },
    ],
  });
  const errors: string[] = [];
  let run: Run | undefined;
  try {
    const specifications = await vitest.globTestSpecifications(filter);
    const paths = specifications.map(({ moduleId }) => relative(ROOT, moduleId));
    provideFor(paths);
    const end = () => {
      // Read now: tests that are stopped half-way may fail, and mean nothing.
      run = { ...readRun(vitest, spans, errors), unfinished: listUnfinished(vitest, paths) };
      return vitest.cancelCurrentRun('keyboard-input');
    };
    const timer = MINUTES ? setTimeout(end, Number(MINUTES) * 60_000) : undefined;
    await vitest.start(filter);
    clearTimeout(timer);
  } catch (error) {
    errors.push((error as Error).message);
  }
  run ??= readRun(vitest, spans, errors);
  // Failed tests have set the exit code. From here on, only global set-ups do, which are undone and may find something wrong.
  process.exitCode = 0;
  await vitest.close();
  console.log(composeSummary(run).join('\n'));
  if (hasFailed(run)) process.exitCode = 1;
  else if (process.exitCode) console.log('FAILED: a global set-up reported the problems above.');
};

/** Widens the span of a module's project to now. */
const notice =
  (spans: Map<string, Span>) =>
  ({ project }: TestModule): void => {
    const now = performance.now();
    const name = TOGETHER.split(' ').includes(project.name) ? TOGETHER : project.name;
    const span = spans.get(name) ?? { from: now, to: now };
    spans.set(name, { ...span, to: now });
  };

const readRun = (vitest: Vitest, spans: Map<string, Span>, errors: string[]): Run => ({
  files: vitest.state.getTestModules().map(readFile),
  errors: [
    ...errors,
    ...vitest.state.getUnhandledErrors().map((error) => (error as Error).message ?? String(error)),
  ],
  unfinished: [],
  projectMs: new Map([...spans].map(([name, { from, to }]) => [name, to - from])),
});

const listUnfinished = (vitest: Vitest, paths: readonly string[]): string[] => {
  const ended = vitest.state
    .getTestModules()
    .filter((module) => ['passed', 'failed', 'skipped'].includes(module.state()))
    .map(({ moduleId }) => relative(ROOT, moduleId));
  return paths.filter((path) => !ended.includes(path));
};

await main();
