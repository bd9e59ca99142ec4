// join/latency: at half of the highest rate, at even spacing.
import type { Where } from '../results/report.ts';
import { findMeasurement } from '../results/report.ts';
import { median } from '../results/statistics.ts';
import type { BenchContext } from './bench-context.ts';
import { rotate } from './bench-context.ts';
import type { JoinBlock, JoinVariant } from './join-variants.ts';
import type { MeasuredLoad } from './measure-joins.ts';
import {
  addLatency,
  checkAllSeated,
  checkAllSent,
  measureLoad,
  prepareFor,
} from './measure-joins.ts';

const addPaced = (
  context: BenchContext,
  where: Where,
  measured: MeasuredLoad,
  asked: number,
): void => {
  addLatency(context, where, measured);
  context.results.add(where, 'rate', 'per second', measured.perSecond);
  checkAllSent(context, where, measured, asked);
  checkAllSeated(context, where, measured);
};

export const measureLatency = async (
  context: BenchContext,
  variant: JoinVariant,
  block: JoinBlock,
): Promise<void> => {
  const where = { benchmark: 'join/latency', variant: variant.name };
  const distinct = { ...where, benchmark: 'join/distinct' };
  const highest = findMeasurement(context.results.report, distinct, 'rate');
  if (!highest) return;
  const ratePerSecond = median(highest.rounds) / 2;
  await prepareFor(context, variant, block);
  const { rounds, roundSeconds, connections } = context.plan;
  const perRound = Math.min(
    Math.floor(ratePerSecond * roundSeconds),
    Math.floor(block.players / rounds),
  );
  for (let round = 0; round < rounds; round += 1) {
    context.checkTime();
    const measured = await measureLoad(context, variant.server, {
      connections,
      ratePerSecond,
      maxRequests: perRound,
      maxSeconds: roundSeconds * 2,
      firstRequest: round * perRound,
    });
    addPaced(context, where, measured, perRound);
  }
};

// join/alone: one join at a time, without other load.

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
      const job = { ...lap, connections: 1, firstRequest };
      const measured = await measureLoad(context, variant.server, job);
      addPaced(context, where, measured, lap.maxRequests);
    }
  }
};
