// The joins: all variants started once, rounds in which they take turns, then what only some of them are asked.
import { setTimeout as delay } from 'node:timers/promises';
import { countSeats } from '../postgres/join-data.ts';
import { findPgbench, runPgbench } from '../postgres/run-pgbench.ts';
import { FEW_ROOMS } from '../variants/colyseus-rooms.ts';
import type { BenchContext } from './bench-context.ts';
import { using } from './bench-context.ts';
import type { JoinBlock, JoinBlocks } from './join-blocks.ts';
import { createJoinTemplate, planBlocks } from './join-blocks.ts';
import type { JoinVariant } from './join-variants.ts';
import {
  copyTemplate,
  databaseOf,
  dropJoinDatabases,
  startCeiling,
  startColyseus,
  startStored,
} from './join-variants.ts';
import { prepareFor, runJoins, runRejoins } from './measure-distinct.ts';
import { runStorms } from './measure-hot.ts';
import { measureAlone, measureLatency } from './measure-latency.ts';
import { measureLoad } from './measure-load.ts';
import { measureMemory } from './measure-memory.ts';
import { rotate } from './rotate.ts';

type Variants = {
  muster: JoinVariant;
  idiomatic: JoinVariant;
  unbatched: JoinVariant;
  ceiling: JoinVariant;
  fewRooms: JoinVariant | null;
  manyRooms: JoinVariant | null;
};

/** A whole storm takes *idiomatic* a minute: the first of its players show the order of magnitude, in one round. */
const IDIOMATIC_STORM = { round: 0, maxRequests: 1_000 };

export const measureJoins = async (context: BenchContext): Promise<void> => {
  const blocks = planBlocks(context.plan);
  await dropJoinDatabases(context);
  await createJoinTemplate(context, blocks);
  await withVariants(context, blocks, async (variants) => {
    await warmUp(context, variants, blocks.warmUp);
    await measureCold(context, variants.muster, blocks.cold);
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
    await measureAlone(context, [variants.muster, variants.unbatched], blocks.latency);
  });
  context.say(`Memory over ${context.plan.memoryJoins} joins …`);
  await using(startStored(context, 'muster').then(stoppable), (muster) =>
    measureMemory(context, muster, blocks.memory),
  );
};

const stoppable = (variant: JoinVariant) => ({ ...variant, stop: variant.server.stop });

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
    await work({
      muster,
      idiomatic: keep(await startStored(context, 'idiomatic')),
      unbatched: keep(await startStored(context, 'unbatched')),
      ceiling: keep(await startCeiling(context, muster.server, blocks)),
      fewRooms: keep(await startColyseus(context, FEW_ROOMS)),
      manyRooms: keep(await startColyseus(context, context.plan.sessions)),
    });
  } finally {
    await Promise.all(started.map(({ server }) => server.stop()));
  }
};

/** Compilers and caches of each variant get going before anything counts. */
const warmUp = async (
  context: BenchContext,
  variants: Variants,
  block: JoinBlock,
): Promise<void> => {
  const { muster, idiomatic, unbatched, ceiling, fewRooms } = variants;
  for (const variant of [muster, idiomatic, unbatched, ceiling, ...(fewRooms ? [fewRooms] : [])]) {
    await prepareFor(context, variant, block);
    await measureLoad(context, variant.server, {
      ...{ connections: context.plan.connections, firstRequest: 0 },
      ...{ maxRequests: block.players, maxSeconds: context.plan.roundSeconds * 0.6 },
    });
  }
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
    await settle();
    const measured = await runJoins(context, variant, block, 'join/distinct');
    if (variant === muster) joined = measured.requests;
  }
  for (const variant of [muster, ceiling]) await runRejoins(context, variant, block, joined);
  await measurePgbench(context, block);
  for (const rooms of [fewRooms, manyRooms]) {
    if (!rooms) continue;
    await prepareFor(context, rooms, block);
    await runJoins(context, rooms, block, 'join/distinct');
  }
  if (first) await measureFirst(context, [muster, idiomatic], first);
  if (hot) {
    const { storms, players } = context.plan.hot;
    await runStorms(context, muster, hot, storms * players);
    if (round === IDIOMATIC_STORM.round) {
      await runStorms(context, idiomatic, hot, Math.min(players, IDIOMATIC_STORM.maxRequests));
    }
  }
};

/** What the last variant has left to do, such as collecting its garbage, is not measured with the next one. */
const settle = () => delay(200);

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
): Promise<void> => {
  context.say('The first join of each session …');
  await prepareFor(context, muster, block);
  await runJoins(context, muster, block, 'join/cold', COLD_SECONDS);
};

/** Long enough for all of them: 200 per second would do. */
const COLD_SECONDS = 100;

/** Of its transactions, at least so many take a seat: 64 clients pick among 500 sessions or more. */
const PGBENCH_MEETS_ITSELF = 0.8;

const measurePgbench = async (context: BenchContext, block: JoinBlock): Promise<void> => {
  const { plan, postgres, results } = context;
  const where = { benchmark: 'join/distinct', variant: 'pgbench' };
  const program = await findPgbench();
  if (!program) {
    results.note(
      'pgbench is left out: this machine has none (on Debian: apt install postgresql-contrib).',
    );
    return;
  }
  const url = await copyTemplate(context, 'pgbench');
  const joins = {
    clients: plan.connections,
    firstPlayer: block.firstPlayer,
    firstSession: block.sessions.first,
    sessions: block.sessions.count,
  };
  const countTaken = async () =>
    (await countSeats(postgres, databaseOf('pgbench'), block.sessions)).seats;
  const before = await countTaken();
  const { transactions, perSecond, version } = await runPgbench(
    program,
    url,
    joins,
    plan.roundSeconds,
  );
  results.report.versions.pgbench = version;
  // Where two of its clients meet in a session, the later one moves no version: a transaction, and no join.
  const kept = (await countTaken()) - before;
  results.add(where, 'rate', 'per second', (perSecond * kept) / transactions);
  const isPlausible = kept <= transactions && kept >= transactions * PGBENCH_MEETS_ITSELF;
  results.check(where, 'nearly every transaction takes a seat', isPlausible);
};
