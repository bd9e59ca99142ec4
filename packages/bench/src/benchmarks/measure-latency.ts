// join/latency: at half of the highest rate, at even spacing. join/alone: one player after the other, nobody else.
import { findMeasurement } from '../results/report.ts';
import { median } from '../results/statistics.ts';
import type { BenchContext } from './bench-context.ts';
import type { JoinBlock } from './join-blocks.ts';
import type { JoinVariant } from './join-variants.ts';
import { prepareFor } from './measure-distinct.ts';
import { checkAllSeated, measureLoad } from './measure-load.ts';

const addLatency = (
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
    Math.floor(block.players / 2 / rounds),
  );
  for (let round = 0; round < rounds; round += 1) {
    context.checkTime();
    const measured = await measureLoad(context, variant.server, {
      ...{ connections, ratePerSecond, maxRequests: perRound, maxSeconds: roundSeconds * 2 },
      firstRequest: round * perRound,
    });
    addLatency(context, where, measured);
    checkAllSeated(context, where, measured);
  }
};

/** The second half of the players of the block: the first has joined above. All variants are sent the same requests. */
export const measureAlone = async (
  context: BenchContext,
  variants: readonly [JoinVariant, ...JoinVariant[]],
  block: JoinBlock,
): Promise<void> => {
  const { rounds, roundSeconds } = context.plan;
  await prepareFor(context, variants[0], block);
  const first = Math.floor(block.players / 2);
  const perRound = Math.floor((block.players - first) / rounds);
  for (let round = 0; round < rounds; round += 1) {
    context.checkTime();
    for (const variant of variants) {
      const where = { benchmark: 'join/alone', variant: variant.name };
      const measured = await measureLoad(context, variant.server, {
        ...{ connections: 1, maxRequests: perRound, maxSeconds: roundSeconds / 2 },
        firstRequest: first + round * perRound,
      });
      addLatency(context, where, measured);
      checkAllSeated(context, where, measured);
    }
  }
};
