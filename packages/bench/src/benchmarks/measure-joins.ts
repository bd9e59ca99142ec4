// join/distinct and join/rejoin: players join many sessions, then the same players join again.

import type { LoadJob, LoadResult } from '../load/load-job.ts';
import { readCpuSeconds, settle } from '../machine.ts';
import type { Plan } from '../options.ts';
import type { ServerProcess } from '../peers/start-peers.ts';
import { countSeats } from '../postgres/join-data.ts';
import { findPgbench, runPgbench } from '../postgres/run-pgbench.ts';
import type { Where } from '../results/report.ts';
import type { BenchContext } from './bench-context.ts';
import type { JoinBlock, JoinVariant } from './join-variants.ts';
import { databaseOf, toJoinPlan } from './join-variants.ts';

/** The block of Colyseus' requests: its rooms are the same in every round, since a seat more costs it nothing. */
const toRoomBlock = (block: JoinBlock, rooms: number): JoinBlock => ({
  ...block,
  sessions: { ...block.sessions, first: 0, count: rooms },
});

export const prepareFor = async (
  context: BenchContext,
  { requests: kind, rooms }: Pick<JoinVariant, 'requests' | 'rooms'>,
  block: JoinBlock,
): Promise<void> => {
  const own = rooms === undefined ? block : toRoomBlock(block, rooms);
  await context.load.prepare({ kind, joins: toJoinPlan(context, own) });
};

/** Joins for the length of a round and holds the seats that are stored against the answers. */
export const runJoins = async (
  context: BenchContext,
  variant: JoinVariant,
  block: JoinBlock,
  benchmark: string,
  maxSeconds = context.plan.roundSeconds,
): Promise<MeasuredLoad> => {
  const where = { benchmark, variant: variant.name };
  const job = { firstRequest: 0, maxRequests: block.players, maxSeconds };
  const { measured, newSeats } = await measureSeats(context, variant, block, where, job);
  if (newSeats !== null) {
    const holds = newSeats === countAnswers(measured, 200);
    context.results.check(where, 'seats that are kept equal answers 200', holds);
  }
  return measured;
};

export const runRejoins = async (
  context: BenchContext,
  variant: JoinVariant,
  block: JoinBlock,
  joined: number,
): Promise<void> => {
  const where = { benchmark: 'join/rejoin', variant: variant.name };
  const { newSeats } = await measureSeats(context, variant, block, where, {
    firstRequest: 0,
    span: joined,
    maxRequests: Number.MAX_SAFE_INTEGER,
    maxSeconds: context.plan.roundSeconds * 0.6,
  });
  if (newSeats !== null) context.results.check(where, 'no seat came or went', newSeats === 0);
};

/** `newSeats` is null for a variant that keeps none. */
const measureSeats = async (
  context: BenchContext,
  variant: JoinVariant,
  block: JoinBlock,
  where: Where,
  job: Omit<LoadJob, 'port' | 'connections'>,
) => {
  const { connections } = context.plan;
  const before = await variant.countSeats?.(block.sessions);
  const measured = await measureLoad(context, variant.server, { ...job, connections });
  addLoad(context, where, measured);
  checkAllSeated(context, where, measured);
  const after = await variant.countSeats?.(block.sessions);
  return { measured, newSeats: before && after ? after.seats - before.seats : null };
};

// join/hot: thousands of players storm one session; a hundred of them get its seats.

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

// The joins of pgbench: what PostgreSQL does when nothing stands before it.

/** The lowest proportion of transactions that must take a seat: 64 clients pick among 500 sessions or more. */
const PGBENCH_MEETS_ITSELF = 0.8;

export const measurePgbench = async (context: BenchContext, block: JoinBlock): Promise<void> => {
  const { plan, postgres, results } = context;
  const where = { benchmark: 'join/distinct', variant: 'pgbench' };
  const program = await findPgbench();
  if (!program) {
    results.note(
      'pgbench is left out: this machine has none (on Debian: apt install postgresql-contrib).',
    );
    return;
  }
  const database = databaseOf('pgbench');
  const joins = {
    clients: plan.connections,
    firstPlayer: block.firstPlayer,
    firstSession: block.sessions.first,
    sessions: block.sessions.count,
  };
  const countTaken = async () => (await countSeats(postgres, database, block.sessions)).seats;
  const before = await countTaken();
  await settle();
  const { transactions, perSecond, version } = await runPgbench(
    program,
    postgres.urlOf(database),
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

// How full the sessions are in the middle of the rounds: the ceiling answers a session like that.

type Rounds = Pick<Plan, 'sessions' | 'rounds' | 'roundSeconds' | 'joinsPerRound'>;

/**
 * What the answer to a join shows, rounded: the seat of the first join of each session, the seats of half of the other
 * rounds at this rate, and the player's own.
 */
export const countSeatsHalfWay = (plan: Rounds, joinsPerSecond: number): number => {
  const perRound = Math.min(joinsPerSecond * plan.roundSeconds, plan.joinsPerRound);
  const joinsBefore = (perRound * (plan.rounds - 1)) / 2;
  return Math.round(1 + joinsBefore / plan.sessions + 1);
};

// One run against one variant: rate, latency, and the CPU time that the service and PostgreSQL spent on it.

export type MeasuredLoad = LoadResult & {
  /** CPU time per request in microseconds; null where the system does not tell. */
  serviceUs: number | null;
  databaseUs: number | null;
};

export const measureLoad = async (
  { load, postgres }: Pick<BenchContext, 'load' | 'postgres'>,
  server: Pick<ServerProcess, 'pid' | 'port'>,
  job: Omit<LoadJob, 'port'>,
): Promise<MeasuredLoad> => {
  const whole = { ...job, port: server.port };
  const processes = [[server.pid], [postgres.pid]];
  const { result, cpuUs } = await measureProcesses(load, whole, processes);
  const [serviceUs = null, databaseUs = null] = cpuUs;
  return { ...result, serviceUs, databaseUs };
};

/** With the CPU time per request of each group of processes, by their ids; their children included. */
export const measureProcesses = async (
  load: BenchContext['load'],
  job: LoadJob,
  groups: readonly (readonly number[])[],
) => {
  await settle();
  const before = await Promise.all(groups.map(readAll));
  const result = await load.run(job);
  const after = await Promise.all(groups.map(readAll));
  const cpuUs = groups.map((_, at) =>
    perRequest(before[at] ?? null, after[at] ?? null, result.requests),
  );
  return { result, cpuUs };
};

const readAll = async (pids: readonly number[]): Promise<number | null> => {
  const all = await Promise.all(pids.map(readCpuSeconds));
  return all.some((seconds) => seconds === null)
    ? null
    : all.reduce<number>((sum, seconds) => sum + (seconds ?? 0), 0);
};

const perRequest = (before: number | null, after: number | null, requests: number) =>
  before === null || after === null || requests === 0 ? null : ((after - before) / requests) * 1e6;

/** In milliseconds: half of the answers came sooner than the one, all but one in a hundred than the other. */
export const addLatency = (
  { results }: BenchContext,
  where: Where,
  { p50Us, p99Us }: Pick<LoadResult, 'p50Us' | 'p99Us'>,
): void => {
  results.add(where, 'p50', 'ms', p50Us / 1_000);
  results.add(where, 'p99', 'ms', p99Us / 1_000);
};

/** CPU time per request. */
export const addCpu = ({ results }: BenchContext, where: Where, measured: MeasuredLoad): void => {
  results.add(where, 'service CPU', 'µs', measured.serviceUs);
  results.add(where, 'database CPU', 'µs', measured.databaseUs);
};

/** The columns that every table of joins has. */
const addLoad = (context: BenchContext, where: Where, measured: MeasuredLoad): void => {
  const { results, say } = context;
  say(`${where.benchmark}, ${where.variant}: ${Math.round(measured.perSecond)} per second`);
  results.add(where, 'rate', 'per second', measured.perSecond);
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

export const countAnswers = ({ statuses }: LoadResult, status: number): number =>
  statuses[String(status)] ?? 0;

export const checkAllSeated = (context: BenchContext, where: Where, measured: LoadResult): void => {
  const holds = countAnswers(measured, 200) === measured.requests;
  context.results.check(where, 'every answer is a 200', holds);
  if (!holds)
    context.say(`! ${where.benchmark} ${where.variant}: ${JSON.stringify(measured.statuses)}`);
};

/** A run that its time has ended was a smaller one than what the page says. */
export const checkAllSent = (
  { results }: BenchContext,
  where: Where,
  { requests }: LoadResult,
  asked: number,
): void => results.check(where, 'all requests were sent', requests === asked);
