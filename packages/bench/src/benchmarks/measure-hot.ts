// join/hot: thousands of players storm one session; a hundred of them get its seats.
import type { BenchContext } from './bench-context.ts';
import type { JoinBlock } from './join-blocks.ts';
import { toJoinPlan } from './join-blocks.ts';
import type { JoinVariant } from './join-variants.ts';
import { addLoad, countAnswers, measureLoad } from './measure-load.ts';

/** One session after the other; a slow variant is asked less often. */
export const runStorms = async (
  context: BenchContext,
  variant: JoinVariant,
  block: JoinBlock,
  maxRequests: number,
): Promise<void> => {
  const { hot, connections } = context.plan;
  const where = { benchmark: 'join/hot', variant: variant.name };
  const joins = { ...toJoinPlan(context, block), stormSize: hot.players };
  await context.load.prepare({ kind: 'joins', joins });
  const job = { connections, firstRequest: 0, maxRequests, maxSeconds: 60 };
  const measured = await measureLoad(context, variant.server, job);
  addLoad(context, where, measured);

  const storms = Math.ceil(maxRequests / hot.players);
  const found = await variant.countSeats?.({ ...block.sessions, count: storms });
  const seats = storms * hot.seats;
  const answers = { seated: countAnswers(measured, 200), refused: countAnswers(measured, 409) };
  const isExact = found?.seats === seats && found.fullest === hot.seats;
  context.results.check(where, `exactly ${hot.seats} seats per session`, isExact);
  const isKept = found?.seats === answers.seated;
  context.results.check(where, 'seats that are kept equal answers 200', isKept);
  const restRefused =
    answers.refused === maxRequests - seats && measured.refusalsWithoutRetryAfter === 0;
  context.results.check(where, 'every other answer is a 409 with Retry-After', restRefused);
};
