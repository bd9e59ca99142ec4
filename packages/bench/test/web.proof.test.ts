import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BenchContext } from '../src/benchmarks/bench-context.ts';
import { measureWeb } from '../src/benchmarks/measure-web.ts';
import { QUICK } from '../src/options.ts';
import { judge, listTargets } from '../src/results/targets.ts';
import { closeContext, openContext } from './open-context.ts';

let context: BenchContext;
beforeAll(async () => {
  context = await openContext({ ...QUICK, web: { records: 5, warmUps: 0, rounds: 1 } });
});
afterAll(() => context && closeContext(context));

test('every list of the web app is opened with and without rows, and has a value to judge', async () => {
  await measureWeb(context);
  const { report } = context.results;
  expect(report.measurements.map(({ benchmark, variant }) => `${benchmark} ${variant}`)).toEqual([
    'web/items empty',
    'web/items rows',
    'web/history empty',
    'web/history rows',
  ]);
  for (const target of listTargets(report.sizes, ['web'])) {
    expect(judge(report, target).value?.median).toBeGreaterThan(0);
  }
}, 300_000);
