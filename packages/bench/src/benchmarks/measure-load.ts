// One run against the service: rate, latency, and the CPU time that the service and PostgreSQL spent on it.
import type { LoadJob, LoadResult } from '../load/load-job.ts';
import { readCpuSeconds, settle } from '../machine.ts';
import type { Where } from '../results/report.ts';
import type { ServerProcess } from '../start-server.ts';
import type { BenchContext } from './bench-context.ts';

export type MeasuredLoad = LoadResult & {
  /** CPU time per request in microseconds; null where the system does not tell. */
  serviceUs: number | null;
  databaseUs: number | null;
};

/** With the connections of the plan, from the first request on, unless the job says otherwise. */
export const measureLoad = async (
  context: Pick<BenchContext, 'load' | 'plan' | 'postgres'>,
  server: Pick<ServerProcess, 'pid' | 'port'>,
  job: Partial<LoadJob>,
): Promise<MeasuredLoad> => {
  const groups = [[server.pid], [context.postgres.pid]];
  const { result, cpuUs } = await measureProcesses(context, server, job, groups);
  const [serviceUs = null, databaseUs = null] = cpuUs;
  return { ...result, serviceUs, databaseUs };
};

/** With the CPU time per request of each group of processes, by their ids; their children included. */
export const measureProcesses = async (
  { load, plan }: Pick<BenchContext, 'load' | 'plan'>,
  { port }: Pick<ServerProcess, 'port'>,
  job: Partial<LoadJob>,
  groups: readonly (readonly number[])[],
) => {
  await settle();
  const before = await Promise.all(groups.map(readAll));
  const result = await load.run({
    port,
    connections: plan.connections,
    firstRequest: 0,
    maxRequests: Number.MAX_SAFE_INTEGER,
    maxSeconds: plan.roundSeconds,
    ...job,
  });
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

export const addRate = (
  { results, say }: BenchContext,
  where: Where,
  { perSecond }: Pick<LoadResult, 'perSecond'>,
): void => {
  say(`${where.benchmark}, ${where.variant}: ${Math.round(perSecond)} per second`);
  results.add(where, 'rate', 'per second', perSecond);
};

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

export const addRateAndCpu = (context: BenchContext, where: Where, measured: MeasuredLoad) => {
  addRate(context, where, measured);
  addLatency(context, where, measured);
  addCpu(context, where, measured);
  checkAll200(context, where, measured);
};

export const countAnswers = ({ statuses }: LoadResult, status: number): number =>
  statuses[String(status)] ?? 0;

export const checkAll200 = (context: BenchContext, where: Where, measured: LoadResult): void => {
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
