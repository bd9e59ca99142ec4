// The joins: the service and its ceiling run side by side, in rounds in which they take turns.
import { createJoinDatabase } from '../postgres/join-data.ts';
import type { BenchContext } from './bench-context.ts';
import { rotate, using } from './bench-context.ts';
import type { JoinBlock, JoinBlocks } from './join-blocks.ts';
import { planBlocks, prepareJoins } from './join-blocks.ts';
import type { JoinVariant } from './measure-joins.ts';
import {
  countSeatsHalfWay,
  JOIN_DATABASE,
  measureLatency,
  runJoins,
  runRejoins,
  runStorms,
  startCeiling,
  startMuster,
} from './measure-joins.ts';
import type { MeasuredLoad } from './measure-load.ts';
import { checkAllSent, measureLoad } from './measure-load.ts';
import { measureMemory } from './measure-memory.ts';

export const measureJoins = async (context: BenchContext): Promise<void> => {
  const { say, plan } = context;
  const blocks = planBlocks(plan);
  say(`Making ${plan.sessions} sessions and ${blocks.data.players} players …`);
  await createJoinDatabase(context.postgres, JOIN_DATABASE, blocks.data);
  say('Starting the service …');
  const muster = await startMuster(context);
  await using(muster.server, async () => {
    await warmUp(context, muster, blocks.warmUp);
    const cold = await measureCold(context, muster, blocks.cold);
    const seats = countSeatsHalfWay(plan, cold.perSecond);
    const ceiling = await startCeiling(context, muster.server, blocks.ceiling, seats);
    await using(ceiling.server, async () => {
      await warmUp(context, ceiling, blocks.warmUp);
      await context.postgres.run(JOIN_DATABASE, 'VACUUM ANALYZE');
      for (let round = 0; round < plan.rounds; round += 1) {
        context.checkTime();
        say(`Joins, round ${round + 1} of ${plan.rounds} …`);
        await measureRound(context, [muster, ceiling], blocks, round);
      }
    });
    say('Latency at half of the highest rate …');
    await measureLatency(context, muster, blocks.latency);
  });
  say(`Memory over ${plan.memoryJoins} joins …`);
  const fresh = await startMuster(context);
  await using(fresh.server, () => measureMemory(context, fresh, blocks.memory));
};

/** Compilers and caches get going before anything counts, for the same time in each variant, however many joins that are. */
const warmUp = async (
  context: BenchContext,
  { server }: JoinVariant,
  block: JoinBlock,
): Promise<void> => {
  await prepareJoins(context, block);
  await measureLoad(context, server, {});
};

/** It ends by its joins: a bound for what hangs. */
const COLD_SECONDS = 600;

/** The first join of each session, which is not in the cache of the process yet. The later benchmarks find it there. */
const measureCold = async (
  context: BenchContext,
  muster: JoinVariant,
  block: JoinBlock,
): Promise<MeasuredLoad> => {
  context.say('The first join of each session …');
  await prepareJoins(context, block);
  const measured = await runJoins(context, muster, block, 'join/cold', COLD_SECONDS);
  const where = { benchmark: 'join/cold', variant: muster.name };
  checkAllSent(context, where, measured, block.players);
  return measured;
};

const measureRound = async (
  context: BenchContext,
  [muster, ceiling]: readonly [JoinVariant, JoinVariant],
  { distinct, first, hot }: JoinBlocks,
  round: number,
): Promise<void> => {
  const [block, newcomers, storm] = [distinct[round], first[round], hot[round]];
  if (!block || !newcomers || !storm) throw new Error(`Round ${round} has no players.`);
  const variants = rotate([muster, ceiling], round);
  await prepareJoins(context, block);
  let joined = 0;
  for (const variant of variants) {
    const measured = await runJoins(context, variant, block, 'join/distinct');
    if (variant === muster) joined = measured.requests;
  }
  for (const variant of variants) await runRejoins(context, variant, block, joined);
  await prepareJoins(context, newcomers);
  await runJoins(context, muster, newcomers, 'join/first', context.plan.roundSeconds * 0.6);
  await runStorms(context, muster, storm);
};
