import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BenchContext } from '../src/benchmarks/bench-context.ts';
import { measureWebhooks } from '../src/benchmarks/measure-webhooks.ts';
import { QUICK } from '../src/options.ts';
import { judge, listTargets } from '../src/results/targets.ts';
import { closeContext, openContext } from './open-context.ts';

let context: BenchContext;
beforeAll(async () => {
  context = await openContext({ ...QUICK, rounds: 3 });
});
afterAll(() => context && closeContext(context));

/** A join that waits for the slow receiver takes over 100 times as long. The goals need long rounds on a quiet machine: `npm run bench`. */
const SLOWEST = 20;
const HEALTHY = 'healthy receiver';

test('joins do not wait for a receiver that is slow or fails', async () => {
  await measureWebhooks(context);
  const { report } = context.results;
  // A healthy receiver has no goal. Its deliveries are work for the same cores, and a slow machine rejects some joins (409).
  const failed = report.checks.filter(({ holds, variant }) => !holds && variant !== HEALTHY);
  expect(failed).toEqual([]);
  const outcomes = listTargets(report.sizes, ['webhooks']).map((target) => judge(report, target));
  expect(outcomes).toHaveLength(4);
  for (const { target, value } of outcomes) {
    const ratio = value?.median ?? Number.NaN;
    expect(target.bound === '≥' ? 1 / ratio : ratio).toBeLessThan(SLOWEST);
  }
});
