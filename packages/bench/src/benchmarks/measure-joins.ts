// What is measured of joins: each function is one run against one variant, and holds the stored seats against the answers.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoadJob } from '../load/load-job.ts';
import type { Plan } from '../options.ts';
import type { SessionBlock } from '../postgres/join-data.ts';
import { countSeats } from '../postgres/join-data.ts';
import { joinPathOf, planJoins, writeJoinBody } from '../requests/join-requests.ts';
import type { Where } from '../results/report.ts';
import { findMeasurement } from '../results/report.ts';
import { median } from '../results/statistics.ts';
import type { ServerProcess } from '../start-server.ts';
import { ceilingProgram, musterProgram, startServerProcess } from '../start-server.ts';
import type { BenchContext } from './bench-context.ts';
import type { JoinBlock } from './join-blocks.ts';
import { prepareJoins, toJoinPlan } from './join-blocks.ts';
import type { MeasuredLoad } from './measure-load.ts';
import {
  addCpu,
  addLatency,
  addRate,
  checkAll200,
  checkAllSent,
  countAnswers,
  measureLoad,
} from './measure-load.ts';

export type JoinVariant = {
  name: string;
  server: ServerProcess;
  /** Counts the seats that are taken in a block of sessions; null for a variant that keeps none. */
  countSeats: ((block: SessionBlock) => Promise<{ seats: number; fullest: number }>) | null;
};

export const JOIN_DATABASE = 'bench_join';

const settingsOf = ({ postgres, secret, scratch }: BenchContext, name: string) => ({
  databaseUrl: postgres.urlOf(JOIN_DATABASE),
  secret,
  dataDir: join(scratch, name),
});

export const startMuster = async (context: BenchContext): Promise<JoinVariant> => ({
  name: 'muster',
  server: await startServerProcess(musterProgram(settingsOf(context, 'muster'))),
  countSeats: (block) => countSeats(context.postgres, JOIN_DATABASE, block),
});

/** Answers what the service answered to the last of `seats` joins of one session. */
export const startCeiling = async (
  context: BenchContext,
  muster: ServerProcess,
  block: JoinBlock,
  seats: number,
): Promise<JoinVariant> => {
  const file = join(context.scratch, 'session.json');
  await writeFile(file, await joinOneByOne(context, muster, block, seats));
  const server = await startServerProcess(ceilingProgram(settingsOf(context, 'ceiling'), file));
  return { name: 'ceiling', server, countSeats: null };
};

/** Returns the last response. */
const joinOneByOne = async (
  context: BenchContext,
  { port }: ServerProcess,
  block: JoinBlock,
  players: number,
): Promise<string> => {
  const joinAt = planJoins(toJoinPlan(context, block));
  let text = '';
  for (let player = 0; player < players; player += 1) {
    const each = joinAt(player);
    const response = await fetch(`http://127.0.0.1:${port}${joinPathOf(each)}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${each.token}`, 'content-type': 'application/json' },
      body: writeJoinBody(each),
    });
    text = await response.text();
    if (response.status !== 200)
      throw new Error(`The service answered a join ${response.status}: ${text}`);
  }
  return text;
};

type Rounds = Pick<Plan, 'sessions' | 'rounds' | 'roundSeconds' | 'joinsPerRound'>;

/**
 * How full the sessions are in the middle of the rounds, rounded: the seat of the first join of each session, the seats
 * of half of the other rounds at this rate, and the player's own. The ceiling answers a session like that.
 */
export const countSeatsHalfWay = (plan: Rounds, joinsPerSecond: number): number => {
  const perRound = Math.min(joinsPerSecond * plan.roundSeconds, plan.joinsPerRound);
  const joinsBefore = (perRound * (plan.rounds - 1)) / 2;
  return Math.round(1 + joinsBefore / plan.sessions + 1);
};

/** Joins for the length of a round. */
export const runJoins = async (
  context: BenchContext,
  variant: JoinVariant,
  block: JoinBlock,
  benchmark: string,
  maxSeconds = context.plan.roundSeconds,
): Promise<MeasuredLoad> => {
  const where = { benchmark, variant: variant.name };
  const job = { maxRequests: block.players, maxSeconds };
  const { measured, newSeats } = await measureSeats(context, variant, block, where, job);
  if (newSeats !== null) {
    const holds = newSeats === countAnswers(measured, 200);
    context.results.check(where, 'seats that are kept equal answers 200', holds);
  }
  return measured;
};

/** The first `joined` players of the block join again. */
export const runRejoins = async (
  context: BenchContext,
  variant: JoinVariant,
  block: JoinBlock,
  joined: number,
): Promise<void> => {
  const where = { benchmark: 'join/rejoin', variant: variant.name };
  const job = { span: joined, maxSeconds: context.plan.roundSeconds * 0.6 };
  const { newSeats } = await measureSeats(context, variant, block, where, job);
  if (newSeats !== null) context.results.check(where, 'no seat came or went', newSeats === 0);
};

/** `newSeats` is null for a variant that keeps none. */
const measureSeats = async (
  context: BenchContext,
  variant: JoinVariant,
  block: JoinBlock,
  where: Where,
  job: Partial<LoadJob>,
) => {
  const before = await variant.countSeats?.(block.sessions);
  const measured = await measureLoad(context, variant.server, job);
  addLoad(context, where, measured);
  checkAll200(context, where, measured);
  const after = await variant.countSeats?.(block.sessions);
  return { measured, newSeats: before && after ? after.seats - before.seats : null };
};

/** Thousands of players join one session after the other; a hundred of them get the seats of each. */
export const runStorms = async (
  context: BenchContext,
  variant: JoinVariant,
  block: JoinBlock,
): Promise<void> => {
  const { hot } = context.plan;
  const where = { benchmark: 'join/hot', variant: variant.name };
  const joins = { ...toJoinPlan(context, block), stormSize: hot.players };
  await context.load.prepare({ kind: 'joins', joins });
  const job = { maxRequests: block.players, maxSeconds: 60 };
  const measured = await measureLoad(context, variant.server, job);
  addLoad(context, where, measured);

  const found = await variant.countSeats?.(block.sessions);
  const seats = block.sessions.count * hot.seats;
  const isExact = found?.seats === seats && found.fullest === hot.seats;
  context.results.check(where, `exactly ${hot.seats} seats per session`, isExact);
  const isKept = found?.seats === countAnswers(measured, 200);
  context.results.check(where, 'seats that are kept equal answers 200', isKept);
  const othersRefused =
    countAnswers(measured, 409) === block.players - seats &&
    measured.refusalsWithoutRetryAfter === 0;
  context.results.check(where, 'every other answer is a 409 with Retry-After', othersRefused);
};

/** Joins at half of the highest rate, at even spacing. */
export const measureLatency = async (
  context: BenchContext,
  variant: JoinVariant,
  block: JoinBlock,
): Promise<void> => {
  const { plan, results } = context;
  const where = { benchmark: 'join/latency', variant: variant.name };
  const highest = findMeasurement(results.report, { ...where, benchmark: 'join/distinct' }, 'rate');
  if (!highest) return;
  const ratePerSecond = median(highest.rounds) / 2;
  await prepareJoins(context, block);
  const maxRequests = Math.floor(
    Math.min(ratePerSecond * plan.roundSeconds, block.players / plan.rounds),
  );
  for (let round = 0; round < plan.rounds; round += 1) {
    context.checkTime();
    const measured = await measureLoad(context, variant.server, {
      ratePerSecond,
      maxRequests,
      maxSeconds: plan.roundSeconds * 2,
      firstRequest: round * maxRequests,
    });
    addLatency(context, where, measured);
    results.add(where, 'rate', 'per second', measured.perSecond);
    checkAllSent(context, where, measured, maxRequests);
    checkAll200(context, where, measured);
  }
};

/** The columns that every table of joins has. */
const addLoad = (context: BenchContext, where: Where, measured: MeasuredLoad): void => {
  const { results } = context;
  addRate(context, where, measured);
  addLatency(context, where, measured);
  results.add(where, 'answer', 'bytes', measured.answerBytes);
  addCpu(context, where, measured);
  const generator = (measured.cpuSeconds / measured.requests) * 1e6;
  results.add(where, 'load generator CPU', 'µs', generator);
  const busy = measured.cpuSeconds / measured.seconds;
  results.add(where, 'load generator busy', '%', busy * 100);
  if (busy > BUSY) {
    results.note(
      `${where.benchmark}, ${where.variant}: the load generator was busy for more than ${BUSY * 100} % of a processor; with a faster one, the rate might be higher.`,
    );
  }
};

/** It has one thread: from here on, it may be what bounds a rate. */
const BUSY = 0.9;
