// The joins: all variants started once, rounds in which they take turns, then what only some of them are asked.

import { FEW_ROOMS } from '../peers/start-peers.ts';
import type { BenchContext } from './bench-context.ts';
import { checkIdle, rotate, using } from './bench-context.ts';
import type { JoinBlock, JoinBlocks, JoinVariant } from './join-variants.ts';
import {
  createJoinTemplate,
  dropJoinDatabases,
  planBlocks,
  shareJoins,
  startCeiling,
  startColyseus,
  startStored,
} from './join-variants.ts';
import type { MeasuredLoad } from './measure-joins.ts';
import {
  checkAllSent,
  countSeatsHalfWay,
  measurePgbench,
  prepareFor,
  runJoins,
  runRejoins,
  runStorms,
} from './measure-joins.ts';
import { measureAlone, measureLatency } from './measure-latency.ts';
import { measureMemory } from './measure-memory.ts';

type Variants = {
  muster: JoinVariant;
  idiomatic: JoinVariant;
  unbatched: JoinVariant;
  ceiling: JoinVariant;
  fewRooms: JoinVariant | null;
  manyRooms: JoinVariant | null;
};

/** A whole storm takes *idiomatic* a minute: the first of its players show the order of magnitude, in one round, which it begins. */
const IDIOMATIC_STORM = { round: 1, maxRequests: 1_000 };

export const measureJoins = async (context: BenchContext): Promise<void> => {
  const blocks = planBlocks(context.plan);
  await dropJoinDatabases(context);
  await createJoinTemplate(context, blocks);
  await withVariants(context, blocks, async (variants) => {
    for (const [round, block] of blocks.distinct.entries()) {
      context.checkTime();
      context.say(`Joins, round ${round + 1} of ${blocks.distinct.length} …`);
      await measureRound(context, variants, {
        round,
        block,
        first: blocks.first[round],
        hot: blocks.hot[round],
      });
    }
    context.say('Latency at half of the highest rate, and of one connection …');
    await measureLatency(context, variants.muster, blocks.latency);
    await measureAlone(context, [variants.muster, variants.unbatched], blocks.alone);
  });
  context.say(`Memory over ${context.plan.memoryJoins} joins …`);
  const muster = await startStored(context, 'muster');
  await using(muster.server, () => measureMemory(context, muster, blocks.memory));
};

const withVariants = async (
  context: BenchContext,
  blocks: JoinBlocks,
  work: (variants: Variants) => Promise<void>,
): Promise<void> => {
  context.say('Starting the services …');
  const started: JoinVariant[] = [];
  const keep = <Variant extends JoinVariant | null>(variant: Variant): Variant => {
    if (variant) started.push(variant);
    return variant;
  };
  try {
    const muster = keep(await startStored(context, 'muster'));
    await warmUp(context, muster, blocks.coldWarmUp);
    const cold = await measureCold(context, muster, blocks.cold);
    const seats = countSeatsHalfWay(context.plan, cold.perSecond);
    const variants = {
      muster,
      idiomatic: keep(await startStored(context, 'idiomatic')),
      unbatched: keep(await startStored(context, 'unbatched')),
      ceiling: keep(await startCeiling(context, muster.server, blocks.ceiling, seats)),
      fewRooms: keep(await startColyseus(context, FEW_ROOMS)),
      manyRooms: keep(await startColyseus(context, context.plan.sessions)),
    };
    context.say('Warming all of them up …');
    for (const variant of started) await warmUp(context, variant, blocks.warmUp);
    await shareJoins(context, blocks.cold.sessions);
    await checkIdle(context, 'join/distinct', started);
    await work(variants);
  } finally {
    await Promise.all(started.map(({ server }) => server.stop()));
  }
};

/** Compilers and caches get going before anything counts, for the same time in each variant, however many joins that are. */
const warmUp = async (
  context: BenchContext,
  variant: JoinVariant,
  block: JoinBlock,
): Promise<void> => {
  await prepareFor(context, variant, block);
  await context.load.run({
    port: variant.server.port,
    connections: context.plan.connections,
    firstRequest: 0,
    maxRequests: Number.MAX_SAFE_INTEGER,
    maxSeconds: context.plan.roundSeconds,
  });
};

type Round = {
  round: number;
  block: JoinBlock;
  first: JoinBlock | undefined;
  hot: JoinBlock | undefined;
};

const measureRound = async (
  context: BenchContext,
  variants: Variants,
  { round, block, first, hot }: Round,
): Promise<void> => {
  const { muster, idiomatic, unbatched, ceiling, fewRooms, manyRooms } = variants;
  await prepareFor(context, muster, block);
  let joined = 0;
  for (const variant of rotate([muster, idiomatic, ceiling, unbatched], round)) {
    const measured = await runJoins(context, variant, block, 'join/distinct');
    if (variant === muster) joined = measured.requests;
  }
  for (const variant of rotate([muster, ceiling], round)) {
    await runRejoins(context, variant, block, joined);
  }
  await measurePgbench(context, block);
  for (const rooms of [fewRooms, manyRooms]) {
    if (!rooms) continue;
    await prepareFor(context, rooms, block);
    await runJoins(context, rooms, block, 'join/distinct');
  }
  if (first) await measureFirst(context, rotate([muster, idiomatic], round), first);
  if (hot) await measureHot(context, variants, hot, round);
};

const measureHot = async (
  context: BenchContext,
  { muster, idiomatic }: Variants,
  block: JoinBlock,
  round: number,
): Promise<void> => {
  const { storms, players } = context.plan.hot;
  if (round === IDIOMATIC_STORM.round) {
    const maxRequests = Math.min(players, IDIOMATIC_STORM.maxRequests);
    await runStorms(context, idiomatic, block, maxRequests);
  }
  await runStorms(context, muster, block, storms * players);
};

const measureFirst = async (
  context: BenchContext,
  variants: readonly JoinVariant[],
  block: JoinBlock,
): Promise<void> => {
  for (const variant of variants) {
    await prepareFor(context, variant, block);
    await runJoins(context, variant, block, 'join/first', context.plan.roundSeconds * 0.6);
  }
};

/** The first join of each session, which the process has never seen. Afterwards it has, as where sessions are made and joined. */
const measureCold = async (
  context: BenchContext,
  muster: JoinVariant,
  block: JoinBlock,
): Promise<MeasuredLoad> => {
  context.say('The first join of each session …');
  await prepareFor(context, muster, block);
  const measured = await runJoins(context, muster, block, 'join/cold', COLD_SECONDS);
  const where = { benchmark: 'join/cold', variant: muster.name };
  checkAllSent(context, where, measured, block.players);
  return measured;
};

/** It ends by its joins: a bound for what hangs. */
const COLD_SECONDS = 600;
