// overload: the highest rate of joins, then ten times that rate from far more clients than can be served. Measures the
// proportion of the highest rate that is still served, its latency, and the responses to rejected joins.
import type { LoadJob } from '../load/load-job.ts';
import { createJoinDatabase } from '../postgres/join-data.ts';
import type { ServerProcess } from '../start-server.ts';
import type { BenchContext } from './bench-context.ts';
import { rotate, withService } from './bench-context.ts';
import type { JoinBlock } from './join-blocks.ts';
import { createAllocator, prepareJoins } from './join-blocks.ts';
import type { MeasuredLoad } from './measure-load.ts';
import { countAnswers, measureLoad } from './measure-load.ts';

const DATABASE = 'bench_overload';
const TIMES = 10;
const HIGHEST = { benchmark: 'overload', variant: 'highest rate' };
const OVERLOADED = { benchmark: 'overload', variant: `${TIMES} times that rate` };

export const measureOverload = async (context: BenchContext): Promise<void> => {
  const { plan, postgres, say } = context;
  const { rounds, sessions, joins: count } = plan.overload;
  say(`Making ${sessions} sessions for the overload …`);
  const { newSessions, joins, data } = createAllocator();
  const all = newSessions(sessions);
  // Two blocks of players a round, and one to warm up.
  const blocks = Array.from({ length: 2 * rounds + 1 }, () => joins(all, count));
  await createJoinDatabase(postgres, DATABASE, data());
  await withService(context, DATABASE, (server) => measureRounds(context, server, blocks));
};

/** The sessions grow with every block, and answers with them: so each of the two goes first in turn. */
const measureRounds = async (
  context: BenchContext,
  server: ServerProcess,
  blocks: JoinBlock[],
): Promise<void> => {
  const { rounds, seconds: maxSeconds, connections: most } = context.plan.overload;
  const run = async (job: Partial<LoadJob>): Promise<MeasuredLoad> => {
    const block = blocks.pop();
    if (!block) throw new Error('No players are left.');
    await prepareJoins(context, block);
    return measureLoad(context, server, { ...job, maxSeconds });
  };
  let highest = await run({});
  const runHighest = async () => {
    highest = await run({});
    addServed(context, HIGHEST, highest);
  };
  const runOverloaded = async () => {
    const { perSecond } = highest.served;
    const overloaded = await run({
      connections: Math.min(most, Math.ceil(2 * perSecond)),
      whenBusy: 'giveUp',
      ratePerSecond: perSecond * TIMES,
    });
    addServed(context, OVERLOADED, overloaded);
    addOverloaded(context, overloaded);
    checkAnswers(context, overloaded);
  };
  for (let round = 0; round < rounds; round += 1) {
    context.checkTime();
    for (const runOne of rotate([runHighest, runOverloaded], round)) await runOne();
  }
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
