// One run against one variant: rate, latency, and the CPU time that the service and PostgreSQL spent on it.
import type { LoadJob, LoadResult } from '../load/load-job.ts';
import { readCpuSeconds } from '../machine/cpu-time.ts';
import { settle } from '../machine/settle.ts';
import type { ServerProcess } from '../variants/start-server-process.ts';
import type { BenchContext } from './bench-context.ts';

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
  await settle();
  const pids = [server.pid, postgres.pid];
  const before = await Promise.all(pids.map(readCpuSeconds));
  const result = await load.run({ ...job, port: server.port });
  const after = await Promise.all(pids.map(readCpuSeconds));
  const [serviceUs = null, databaseUs = null] = pids.map((_, at) =>
    perRequest(before[at] ?? null, after[at] ?? null, result.requests),
  );
  return { ...result, serviceUs, databaseUs };
};

const perRequest = (before: number | null, after: number | null, requests: number) =>
  before === null || after === null || requests === 0 ? null : ((after - before) / requests) * 1e6;

type Where = { benchmark: string; variant: string };

/** The columns that every table of joins has. */
export const addLoad = (
  { results, say }: BenchContext,
  where: Where,
  measured: MeasuredLoad,
): void => {
  say(`${where.benchmark}, ${where.variant}: ${Math.round(measured.perSecond)} per second`);
  results.add(where, 'rate', 'per second', measured.perSecond);
  results.add(where, 'p50', 'ms', measured.p50Us / 1_000);
  results.add(where, 'p99', 'ms', measured.p99Us / 1_000);
  results.add(where, 'answer', 'bytes', measured.answerBytes);
  results.add(where, 'service CPU', 'µs', measured.serviceUs);
  results.add(where, 'database CPU', 'µs', measured.databaseUs);
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
