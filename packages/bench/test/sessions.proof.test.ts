import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BenchContext } from '../src/benchmarks/bench-context.ts';
import { measureSessions } from '../src/benchmarks/measure-sessions.ts';
import { QUICK } from '../src/options.ts';
import { judge, listTargets } from '../src/results/targets.ts';
import { closeContext, openContext } from './open-context.ts';

let context: BenchContext;
beforeAll(async () => {
  const small = { rounds: 1, connections: 8, sessions: 80, joinsPerRound: 400 };
  context = await openContext({ ...QUICK, ...small });
});
afterAll(() => context && closeContext(context));

test('admin calls of sessions are answered, and their cost is compared with a join', async () => {
  await measureSessions(context);
  const { report } = context.results;
  const targets = listTargets(report.sizes, ['sessions']);
  const missing = targets.filter((target) => judge(report, target).value === null);
  expect(missing).toEqual([]);
  expect(report.checks.filter(({ holds }) => !holds)).toEqual([]);
});
