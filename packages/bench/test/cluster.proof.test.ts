import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BenchContext } from '../src/benchmarks/bench-context.ts';
import { measureCluster } from '../src/benchmarks/measure-cluster.ts';
import { QUICK } from '../src/options.ts';
import { judge, listTargets } from '../src/results/targets.ts';
import { closeContext, openContext } from './open-context.ts';

let context: BenchContext;
beforeAll(async () => {
  const small = { rounds: 1, connections: 8, sessions: 80, joinsPerRound: 100 };
  context = await openContext({ ...QUICK, ...small });
});
afterAll(() => context && closeContext(context));

test('joins on a cluster are counted, and their cost is compared with one node', async ({
  skip,
}) => {
  await measureCluster(context);
  const { report } = context.results;
  if (report.measurements.length === 0)
    skip(`Left out: joins on a cluster. ${report.notes.join(' ')}`);
  const targets = listTargets(report.sizes, ['cluster']);
  expect(targets).toHaveLength(4);
  for (const target of targets) expect(judge(report, target).value?.median).toBeGreaterThan(0);
  expect(report.checks).toHaveLength(16);
  expect(report.checks.filter(({ holds }) => !holds)).toEqual([]);
});
