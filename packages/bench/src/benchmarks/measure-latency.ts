// join/latency: at half of the highest rate, at even spacing.
import { findMeasurement } from '../results/report.ts';
import { median } from '../results/statistics.ts';
import type { BenchContext } from './bench-context.ts';
import type { JoinBlock } from './join-blocks.ts';
import type { JoinVariant } from './join-variants.ts';
import { prepareFor } from './measure-distinct.ts';
import { checkAllSeated, checkAllSent, measureLoad } from './measure-load.ts';

export const addLatency = (
  { results }: BenchContext,
  where: { benchmark: string; variant: string },
  measured: { p50Us: number; p99Us: number; perSecond: number },
): void => {
  results.add(where, 'p50', 'ms', measured.p50Us / 1_000);
  results.add(where, 'p99', 'ms', measured.p99Us / 1_000);
  results.add(where, 'rate', 'per second', measured.perSecond);
};

export const measureLatency = async (
  context: BenchContext,
  variant: JoinVariant,
  block: JoinBlock,
): Promise<void> => {
  const where = { benchmark: 'join/latency', variant: variant.name };
  const highest = findMeasurement(
    context.results.report,
    { benchmark: 'join/distinct', variant: variant.name },
    'rate',
  );
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
      ...{ connections, ratePerSecond, maxRequests: perRound, maxSeconds: roundSeconds * 2 },
      firstRequest: round * perRound,
    });
    addLatency(context, where, measured);
    checkAllSent(context, where, measured, perRound);
    checkAllSeated(context, where, measured);
  }
};
