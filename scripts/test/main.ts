// Runs vitest with the arguments that it is given, and sums up what was tested. TEST_MINUTES limits the time: files that did not
// end within it are listed, and fail nothing.
import { relative } from 'node:path';
import type { CliOptions, TestModule, Vitest } from 'vitest/node';
import { createVitest, parseCLI } from 'vitest/node';
import { ROOT } from '../setup/repository.mjs';
import { provideFor } from './provide-programs.ts';
import type { Run } from './summary.ts';
import { composeSummary, hasFailed, readFile, TOGETHER } from './summary.ts';
import type { TimeLimit } from './time-limit.ts';
import { createTimeLimit } from './time-limit.ts';

type Span = { from: number; to: number };

const main = async (): Promise<void> => {
  const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)]);
  const spans = new Map<string, Span>();
  const { TEST_MINUTES } = process.env;
  const limit = createTimeLimit(TEST_MINUTES ? Number(TEST_MINUTES) : undefined);
  // Vitest's command line calls it so; its types know the name of the configuration only.
  const { reporter = ['default'], ...rest } = options as CliOptions & { reporter?: string[] };
  const vitest = await createVitest('test', {
    root: ROOT,
    ...rest,
    watch: false,
    reporters: [
      ...[reporter].flat(),
      { onTestModuleQueued: notice(spans), onTestModuleEnd: notice(spans) },
      limit.reporter,
    ],
  });
  const errors: string[] = [];
  try {
    const files = await vitest.globTestSpecifications(filter);
    provideFor(files.map(({ moduleId }) => relative(ROOT, moduleId)));
    await vitest.start(filter);
  } catch (error) {
    errors.push((error as Error).message);
  }
  const run = readRun(vitest, limit, spans, errors);
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

const readRun = (
  vitest: Vitest,
  limit: TimeLimit,
  spans: Map<string, Span>,
  errors: string[],
): Run => {
  const modules = vitest.state.getTestModules();
  const messages = vitest.state
    .getUnhandledErrors()
    .map((error) => (error as Error).message ?? String(error));
  const unfinished = limit.isOver() ? modules.filter((module) => !limit.hasEnded(module)) : [];
  return {
    files: modules.map(readFile),
    errors: [...errors, ...messages],
    unfinished: unfinished.map(({ moduleId }) => relative(ROOT, moduleId)),
    projectMs: new Map([...spans].map(([name, { from, to }]) => [name, to - from])),
  };
};

await main();
