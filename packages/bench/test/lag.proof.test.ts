import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BenchContext } from '../src/benchmarks/bench-context.ts';
import { measureLag } from '../src/benchmarks/measure-lag.ts';
import { QUICK } from '../src/options.ts';
import { judge, listTargets } from '../src/results/targets.ts';
import { closeContext, openContext } from './open-context.ts';

let context: BenchContext;
beforeAll(async () => {
  context = await openContext({ ...QUICK, lag: { rows: 200, bytes: 200_000, rounds: 1 } });
});
afterAll(() => context && closeContext(context));

test('the answers of /healthz are timed during each kind of long work', async () => {
  await measureLag(context);
  const { report } = context.results;
  const targets = listTargets(report.sizes, ['lag']);
  expect(targets).toHaveLength(7);
  for (const target of targets) expect(judge(report, target).value?.median).toBeGreaterThan(0);
  expect(report.checks.filter(({ holds }) => !holds)).toEqual([]);
});
