// soak: mixed load for a long time. The memory, handles and connections of the service must not grow.
import { readdir } from 'node:fs/promises';
import { readResidentBytes } from '../machine.ts';
import { createJoinDatabase } from '../postgres/join-data.ts';
import { createSandbox } from '../requests/identities.ts';
import { writeMixedRequests } from '../requests/join-requests.ts';
import type { ReportWriter } from '../results/report.ts';
import type { Point } from '../results/statistics.ts';
import { findRobustSlope } from '../results/statistics.ts';
import type { ServerProcess } from '../start-server.ts';
import type { BenchContext } from './bench-context.ts';
import { withService } from './bench-context.ts';

const DATABASE = 'bench_soak';
const SESSIONS = 2_000;
const REQUESTS = 20_000;
/** Between two looks. */
const SLICE_SECONDS = 5;

export const measureSoak = async (context: BenchContext): Promise<void> => {
  const { postgres, say } = context;
  say(`Making ${SESSIONS} sessions for the soak …`);
  await createJoinDatabase(postgres, DATABASE, {
    players: REQUESTS,
    sessions: [{ first: 0, count: SESSIONS, teams: 2, teamSize: 100 }],
  });
  await withService(context, DATABASE, (server) => soak(context, server));
};

const soak = async (context: BenchContext, server: ServerProcess): Promise<void> => {
  await prepareMix(context, await createSandbox(context, server, 'Soak'));
  const samples: SoakSample[] = [];
  const endsAt = performance.now() + context.soakSeconds * 1_000;
  const answers: Record<string, number> = {};
  let requests = 0;
  while (performance.now() < endsAt) {
    context.checkTime();
    const done = await context.load.run({
      port: server.port,
      connections: context.plan.connections,
      firstRequest: requests,
      maxRequests: Number.MAX_SAFE_INTEGER,
      maxSeconds: SLICE_SECONDS,
    });
    requests += done.requests;
    for (const [status, count] of Object.entries(done.statuses)) {
      answers[status] = (answers[status] ?? 0) + count;
    }
    const sample = await look(context, server, requests);
    samples.push(sample);
    context.say(`soak: ${JSON.stringify(sample)}`);
  }
  reportProcess(context.results, samples);
  const isServed = !Object.keys(answers).some((status) => status.startsWith('5'));
  context.results.check(WHERE, 'no answer is a 5xx', isServed);
  if (isServed) return;
  context.results.note(`By status the soak was answered ${JSON.stringify(answers)}.`);
  context.results.note(`The end of what the service has written: ${server.readOutput()}`);
};

const prepareMix = async (context: BenchContext, sandboxId: string): Promise<void> => {
  const { secret, expiresAt, load } = context;
  const players = {
    firstPlayer: 0,
    count: REQUESTS,
    firstSession: 0,
    sessions: SESSIONS,
    teams: 2,
  };
  const texts = writeMixedRequests({ joins: { ...players, secret, expiresAt }, sandboxId });
  await load.prepare({ kind: 'texts', texts });
};

const CONNECTIONS = 'SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = $1';

/** Between two slices, when no client is connected. */
const look = async (
  { postgres }: BenchContext,
  { pid }: ServerProcess,
  requests: number,
): Promise<SoakSample> => {
  const bytes = await readResidentBytes(pid);
  const handles = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const rows = await postgres.run('postgres', CONNECTIONS, [DATABASE]);
  return {
    requests,
    megabytes: Math.round((bytes ?? 0) / 1e5) / 10,
    handles: handles.length,
    connections: Number(rows[0]?.count ?? 0),
  };
};

// The results of a soak: whether memory, handles and connections grew, and whether every request was served.

const WHERE = { benchmark: 'soak', variant: 'muster' };
/** Growth during warm-up is not a leak: this fraction of the time, and two rounds of all requests, do not count. */
const WARM_UP_SHARE = 0.3;
const WARM_UP_ROUNDS = 2;
const TOO_SHORT = 'The soak was too short to tell growth from warming up.';

type SoakSample = {
  requests: number;
  megabytes: number;
  handles: number;
  connections: number;
};

const reportProcess = (results: ReportWriter, samples: readonly SoakSample[]): void => {
  const late = samples.slice(Math.floor(samples.length * WARM_UP_SHARE));
  const warm = late.filter(({ requests }) => requests > WARM_UP_ROUNDS * REQUESTS);
  if (warm.length < 2) results.note(TOO_SHORT);
  const slope = findRobustSlope(
    warm.map(({ requests, megabytes }): Point => ({ x: requests / 100_000, y: megabytes })),
  );
  const last = samples.at(-1);
  const first = warm[0] ?? late[0];
  results.add(WHERE, 'requests', 'thousand', (last?.requests ?? 0) / 1_000);
  results.add(WHERE, 'memory per 100,000 requests', 'MB', slope);
  results.add(WHERE, 'memory after the warm-up', 'MB', first?.megabytes ?? null);
  results.add(WHERE, 'memory at the end', 'MB', last?.megabytes ?? null);
  const most = (read: (sample: SoakSample) => number) => Math.max(...late.map(read));
  const handles = most((sample) => sample.handles);
  results.check(WHERE, 'no handle is left open', handles <= (first?.handles ?? 0) + SPARE);
  const connections = most((sample) => sample.connections);
  results.check(WHERE, 'connections to the database stay within the pools', connections <= POOLS);
};

/** Connections to the database come and go within their pools. */
const SPARE = 20;
/** Two pools of ten, and one that only asks whether the database is there. */
const POOLS = 21;
