// join/alone: one player after the other, nobody else.
import type { BenchContext } from './bench-context.ts';
import type { JoinBlock } from './join-blocks.ts';
import type { JoinVariant } from './join-variants.ts';
import { prepareFor } from './measure-distinct.ts';
import { addLatency } from './measure-latency.ts';
import { checkAllSeated, checkAllSent, measureLoad } from './measure-load.ts';
import { rotate } from './rotate.ts';

/** A lap always ends by its joins: a bound for what hangs. */
const MAX_SECONDS = 60;

/**
 * One lap round the sessions of the block per round, after an unmeasured one by all connections: at every moment, each variant
 * has seen the same sessions as often, with the same players in them.
 */
export const measureAlone = async (
  context: BenchContext,
  variants: readonly [JoinVariant, ...JoinVariant[]],
  block: JoinBlock,
): Promise<void> => {
  const { load, plan } = context;
  const lap = { maxRequests: block.sessions.count, maxSeconds: MAX_SECONDS };
  await prepareFor(context, variants[0], block);
  for (const { name, server } of variants) {
    const job = { ...lap, connections: plan.connections, firstRequest: 0 };
    const before = await load.run({ ...job, port: server.port });
    checkAllSent(context, { benchmark: 'join/alone', variant: name }, before, lap.maxRequests);
  }
  for (let round = 0; round < plan.rounds; round += 1) {
    context.checkTime();
    const firstRequest = (round + 1) * lap.maxRequests;
    for (const variant of rotate(variants, round)) {
      const where = { benchmark: 'join/alone', variant: variant.name };
      const measured = await measureLoad(context, variant.server, {
        ...{ ...lap, connections: 1, firstRequest },
      });
      addLatency(context, where, measured);
      checkAllSent(context, where, measured, lap.maxRequests);
      checkAllSeated(context, where, measured);
    }
  }
};
