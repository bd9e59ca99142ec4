// The command npm run bench: measures, prints, and writes the results.
// Exit codes: 0 measured and every check held, 1 a check failed, 2 wrong usage,
// 128 + its number where a signal has stopped the run.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BenchOptions } from './options.ts';
import { FULL, QUICK, readOptions, USAGE, UsageError } from './options.ts';
import type { Report } from './results/report.ts';
import { replaceGenerated } from './results/report.ts';
import { composeMarkdown, writeMarkdown } from './results/write-markdown.ts';
import { runBenchmarks } from './run-benchmarks.ts';
import { REPOSITORY } from './start-server.ts';
import { stopOnSignals, stopSignal } from './stopping.ts';

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const startedAt = performance.now();

const say = (sentence: string): void => {
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  process.stderr.write(`${String(seconds).padStart(4)} s  ${sentence}\n`);
};

/** After each group: what a run has measured is not lost with it. */
const writeJson = async ({ jsonFile }: BenchOptions, report: Report): Promise<void> => {
  await mkdir(dirname(jsonFile), { recursive: true });
  await writeFile(jsonFile, `${JSON.stringify(report, null, 2)}\n`);
};

const PAGE = join(REPOSITORY, 'docs/benchmarks.md');

const measure = async (options: BenchOptions): Promise<number> => {
  // A page without the markers ends the run before it measures anything.
  if (options.writeMarkdown) replaceGenerated(await readFile(PAGE, 'utf8'), '');
  const { only, dataDir, maxMinutes } = options;
  const plan = options.quick ? QUICK : FULL;
  const report = await runBenchmarks({
    plan,
    only,
    say,
    maxMinutes,
    ...(dataDir && { dataDir }),
    keep: (measured) => writeJson(options, measured),
  });
  if (options.writeMarkdown) await writeMarkdown(PAGE, report);
  print(composeMarkdown(report));
  return report.checks.every(({ holds }) => holds) ? 0 : 1;
};

const main = async (): Promise<number> => {
  const options = readOptions(process.argv.slice(2), REPOSITORY);
  if (!options.help) return measure(options);
  print(USAGE);
  return 0;
};

const running = main();
stopOnSignals(running, say);
try {
  process.exitCode = await running;
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message} (--help lists the options).\n`);
    process.exitCode = 2;
  } else if (!stopSignal.aborted) throw error;
}
