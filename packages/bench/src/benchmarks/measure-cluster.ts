// cluster: what a join costs on a Citus cluster, over all of its nodes, beside what it costs on one node. Both share the processors of one
// machine: that shows the cost, and not how a cluster of machines scales.
import { join } from 'node:path';
import { NoCitusError, startCitusCluster } from '@muster/database/testing';
import type { LoadJob } from '../load/load-job.ts';
import { countSeats, fillJoinDatabase } from '../postgres/join-data.ts';
import type { BenchPostgres } from '../postgres/start-postgres.ts';
import { describeServer, runAt } from '../postgres/start-postgres.ts';
import type { ClusterJoin, ClusterVariant } from '../results/targets.ts';
import type { ServerProcess } from '../start-server.ts';
import { musterProgram, startServerProcess } from '../start-server.ts';
import { acquire } from '../stopping.ts';
import type { BenchContext } from './bench-context.ts';
import { rotate, using, withService } from './bench-context.ts';
import type { JoinBlock } from './join-blocks.ts';
import { createAllocator, prepareJoins } from './join-blocks.ts';
import {
  addLatency,
  addRate,
  checkAll200,
  checkAllSent,
  measureLoad,
  measureProcesses,
} from './measure-load.ts';

const DATABASE = 'bench_cluster';
const WORKERS = 2;
const VACUUM_WORKERS = `SELECT success, result FROM run_command_on_workers('VACUUM ANALYZE')`;

type Run = BenchPostgres['run'];
/** `databases`: the process ids of its servers, by the name of their column. */
type Variant = {
  name: ClusterVariant;
  server: ServerProcess;
  databases: Record<string, readonly number[]>;
  run: Run;
};

export const measureCluster = async (context: BenchContext): Promise<void> => {
  const { postgres, plan, results, say, scratch, secret } = context;
  const { thing: starting, release } = acquire(
    () => startCitusCluster(WORKERS),
    async (cluster) => (await cluster.catch(() => null))?.stop(),
  );
  await using({ stop: release }, async () => {
    const cluster = await starting.catch((error: unknown) => {
      if (error instanceof NoCitusError) return results.note(error.message);
      throw error;
    });
    if (!cluster) return;
    const blocks = planClusterBlocks(plan);
    const { data } = blocks;
    say(`Making ${data.players} players, on one node and on the cluster …`);
    await postgres.createFresh(DATABASE);
    await fillJoinDatabase(postgres, DATABASE, data);
    const run = runOn(cluster.url);
    await fillJoinDatabase({ run }, DATABASE, data);
    for (const { success, result } of await run(DATABASE, VACUUM_WORKERS)) {
      if (success !== true) throw new Error(String(result));
    }
    const [coordinator, ...workers] = await Promise.all(
      [cluster.coordinator, ...cluster.workers].map(({ port }) => readPid(cluster.url, port)),
    );
    if (coordinator === undefined) throw new Error('The cluster has no coordinator.');
    await withService(context, DATABASE, async (oneNode) => {
      const settings = { databaseUrl: cluster.url, secret };
      const program = musterProgram({ ...settings, dataDir: join(scratch, 'cluster') });
      await using(startServerProcess(program), async (onCluster) => {
        const single = { 'database CPU': [postgres.pid] };
        const nodes = { 'coordinator CPU': [coordinator], 'workers CPU': workers };
        await measureRounds(context, blocks, [
          { name: 'one node', server: oneNode, databases: single, run: postgres.run },
          { name: 'cluster', server: onCluster, databases: nodes, run },
        ]);
      });
    });
  });
};

/** For the database that the URL names, whatever its name is elsewhere. */
const runOn =
  (url: string): Run =>
  (_database, text, values) =>
    runAt(url, text, values);

const readPid = async (clusterUrl: string, port: number): Promise<number> => {
  const url = new URL(clusterUrl);
  url.port = String(port);
  return (await describeServer(runOn(url.href))).pid;
};

type ClusterBlocks = ReturnType<typeof planClusterBlocks>;

/**
 * The players of all parts join the same sessions, each player once, and on the cluster as many as on one node: what an answer costs grows with its
 * session.
 */
const planClusterBlocks = ({ sessions, rounds, joinsPerRound }: BenchContext['plan']) => {
  const { newSessions, joins, data } = createAllocator();
  const all = newSessions(Math.ceil(sessions / 4));
  const players = Math.ceil(joinsPerRound / 4);
  const perRound = (who: 'player' | 'unknown') =>
    Array.from({ length: rounds }, () => joins(all, players, who));
  return {
    each: joins(all, players),
    distinct: perRound('player'),
    first: perRound('unknown'),
    data: data(),
  };
};

const measureRounds = async (
  context: BenchContext,
  { each, distinct, first }: ClusterBlocks,
  variants: readonly Variant[],
): Promise<void> => {
  const { say } = context;
  say('Joining each session once …');
  await prepareJoins(context, each);
  const once = { maxRequests: each.sessions.count, maxSeconds: PATIENCE_SECONDS };
  for (const { server } of variants) await measureLoad(context, server, once);
  for (const [round, block] of distinct.entries()) {
    context.checkTime();
    say(`Cluster, round ${round + 1} of ${distinct.length} …`);
    const turns = rotate(variants, round);
    const whole = { maxRequests: block.players, maxSeconds: PATIENCE_SECONDS };
    await prepareJoins(context, block);
    for (const variant of turns) await measureVariant(context, variant, block, 'distinct', whole);
    for (const variant of turns) await measureVariant(context, variant, block, 'rejoin', {});
    const newcomers = first[round];
    if (!newcomers) continue;
    await prepareJoins(context, newcomers);
    for (const variant of turns) await measureVariant(context, variant, newcomers, 'first', whole);
  }
};

/** A run that has a number of requests ends with them: a bound for what hangs. */
const PATIENCE_SECONDS = 300;

const measureVariant = async (
  context: BenchContext,
  { name: variant, server, databases, run }: Variant,
  { sessions, players }: JoinBlock,
  kind: ClusterJoin,
  job: Partial<LoadJob>,
): Promise<void> => {
  const { results } = context;
  const where = { benchmark: `cluster/${kind}`, variant };
  const own: Variant['databases'] = { 'service CPU': [server.pid], ...databases };
  const processes = { ...own, 'CPU of all': Object.values(own).flat() };
  const before = await countSeats({ run }, DATABASE, sessions);
  const groups = Object.values(processes);
  const { result, cpuUs } = await measureProcesses(context, server, job, groups);
  const after = await countSeats({ run }, DATABASE, sessions);
  addRate(context, where, result);
  addLatency(context, where, result);
  for (const [at, column] of Object.keys(processes).entries())
    results.add(where, column, 'µs', cpuUs[at] ?? null);
  checkAll200(context, where, result);
  if (kind !== 'rejoin') checkAllSent(context, where, result, players);
  const expected = kind === 'rejoin' ? 0 : result.requests;
  const isExact = after.seats - before.seats === expected;
  results.check(where, 'seats that are kept equal the answers', isExact);
};
