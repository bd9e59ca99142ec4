// overload: the highest rate of joins, then ten times that rate from far more clients than can be served. Measures the
// proportion of the highest rate that is still served, its latency, and the responses to rejected joins.
import type { ServerProcess } from '../peers/start-peers.ts';
import { createJoinDatabase } from '../postgres/join-data.ts';
import type { BenchContext } from './bench-context.ts';
import { rotate, withService } from './bench-context.ts';
import type { MeasuredLoad } from './measure-joins.ts';
import { countAnswers, measureLoad } from './measure-joins.ts';

const DATABASE = 'bench_overload';
const TIMES = 10;
const HIGHEST = { benchmark: 'overload', variant: 'highest rate' };
const OVERLOADED = { benchmark: 'overload', variant: `${TIMES} times that rate` };

export const measureOverload = async (context: BenchContext): Promise<void> => {
  const { plan, postgres, say } = context;
  const { rounds, sessions, joins } = plan.overload;
  say(`Making ${sessions} sessions for the overload …`);
  await createJoinDatabase(postgres, DATABASE, {
    // Two blocks of players a round, and one to warm up.
    players: joins * (2 * rounds + 1),
    sessions: [{ first: 0, count: sessions, teams: 2, teamSize: 100 }],
  });
  await withService(context, DATABASE, (server) => measureRounds(context, server));
};

/** The sessions grow with every block, and answers with them: so each of the two goes first in turn. */
const measureRounds = async (context: BenchContext, server: ServerProcess): Promise<void> => {
  const { rounds } = context.plan.overload;
  let block = 0;
  const nextBlock = () => block++;
  let highest = await measureHighest(context, server, nextBlock());
  const runHighest = async () => {
    highest = await measureHighest(context, server, nextBlock());
    addServed(context, HIGHEST, highest);
  };
  const runOverloaded = async () => {
    const overloaded = await measureOverloaded(context, server, nextBlock(), highest);
    addServed(context, OVERLOADED, overloaded);
    addOverloaded(context, overloaded);
    checkAnswers(context, overloaded);
  };
  for (let round = 0; round < rounds; round += 1) {
    context.checkTime();
    for (const run of rotate([runHighest, runOverloaded], round)) await run();
  }
};

/** Every block has players of its own, who join the same sessions. */
const prepareBlock = async (
  { load, plan, secret, expiresAt }: BenchContext,
  block: number,
): Promise<void> => {
  const { joins: count, sessions } = plan.overload;
  const players = { firstPlayer: block * count, count, firstSession: 0, sessions, teams: 2 };
  await load.prepare({ kind: 'joins', joins: { ...players, secret, expiresAt } });
};

const measureHighest = async (
  context: BenchContext,
  server: ServerProcess,
  block: number,
): Promise<MeasuredLoad> => {
  const { connections, overload } = context.plan;
  await prepareBlock(context, block);
  return measureLoad(context, server, {
    connections,
    firstRequest: 0,
    maxSeconds: overload.seconds,
    maxRequests: Number.MAX_SAFE_INTEGER,
  });
};

const measureOverloaded = async (
  context: BenchContext,
  server: ServerProcess,
  block: number,
  highest: MeasuredLoad,
): Promise<MeasuredLoad> => {
  const { connections: most, seconds } = context.plan.overload;
  const connections = Math.min(most, Math.ceil(2 * highest.served.perSecond));
  await prepareBlock(context, block);
  return measureLoad(context, server, {
    connections,
    firstRequest: 0,
    maxSeconds: seconds,
    whenBusy: 'giveUp' as const,
    ratePerSecond: highest.served.perSecond * TIMES,
    maxRequests: Number.MAX_SAFE_INTEGER,
  });
};

const addServed = (
  { results, say }: BenchContext,
  where: typeof HIGHEST,
  { served, serviceUs, databaseUs, requests, cpuSeconds }: MeasuredLoad,
): void => {
  say(`${where.variant}: ${Math.round(served.perSecond)} served per second`);
  results.add(where, 'served', 'per second', served.perSecond);
  results.add(where, 'p50 of the served', 'ms', served.p50Us / 1_000);
  results.add(where, 'p99 of the served', 'ms', served.p99Us / 1_000);
  const busy = (us: number | null) => (us === null ? null : (us * requests) / served.seconds / 1e4);
  results.add(where, 'service busy', '%', busy(serviceUs));
  results.add(where, 'database busy', '%', busy(databaseUs));
  results.add(where, 'load generator busy', '%', (cpuSeconds / served.seconds) * 100);
};

const addOverloaded = ({ results }: BenchContext, measured: MeasuredLoad): void => {
  const { requests, givenUp, served } = measured;
  // The last rejections arrive up to two seconds after the last request, so the rates use the time of served joins.
  const perSecond = (count: number) => count / served.seconds;
  results.add(OVERLOADED, 'offered', 'per second', perSecond(requests + givenUp));
  const refused = requests - countAnswers(measured, 200);
  results.add(OVERLOADED, 'refused', 'per second', perSecond(refused));
  results.add(OVERLOADED, 'found every connection busy', 'per second', perSecond(givenUp));
  results.add(OVERLOADED, 'slowest answer', 'ms', measured.maxUs / 1_000);
};

const checkAnswers = ({ results, say }: BenchContext, measured: MeasuredLoad): void => {
  const known = countAnswers(measured, 200) + countAnswers(measured, 409);
  const holds = known === measured.requests && measured.refusalsWithoutRetryAfter === 0;
  results.check(OVERLOADED, 'every response is a 200, or a 409 with Retry-After', holds);
  if (!holds) say(`! overload: ${JSON.stringify(measured.statuses)}`);
};
