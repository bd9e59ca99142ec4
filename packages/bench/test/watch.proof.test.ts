import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BenchContext } from '../src/benchmarks/bench-context.ts';
import { measureWatch } from '../src/benchmarks/measure-watch.ts';
import { QUICK } from '../src/options.ts';
import { judge, listTargets } from '../src/results/targets.ts';
import { closeContext, openContext } from './open-context.ts';

let context: BenchContext;
beforeAll(async () => {
  context = await openContext(QUICK);
});
afterAll(() => context && closeContext(context));

test('the cost of waiting callers and the time until they are answered are measured', async () => {
  await measureWatch(context);
  const { report } = context.results;
  expect(report.checks.filter(({ holds }) => !holds)).toEqual([]);
  const targets = listTargets(report.sizes, ['watch']);
  expect(targets).toHaveLength(5);
  for (const target of targets) expect(judge(report, target).value).not.toBeNull();
});
