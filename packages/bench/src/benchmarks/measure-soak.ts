// soak: mixed load for a long time. Memory, handles and connections of the service have to stay where they are.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readResidentBytes } from '../machine.ts';
import type { ServerProcess } from '../peers/start-peers.ts';
import { musterProgram, startServerProcess } from '../peers/start-peers.ts';
import { createJoinDatabase } from '../postgres/join-data.ts';
import { callAdmin } from '../requests/identities.ts';
import { writeMixedRequests } from '../requests/join-requests.ts';
import type { ReportWriter } from '../results/report.ts';
import type { Point } from '../results/statistics.ts';
import { findRobustSlope } from '../results/statistics.ts';
import type { BenchContext } from './bench-context.ts';
import { using } from './bench-context.ts';

const DATABASE = 'bench_soak';
const SESSIONS = 2_000;
const REQUESTS = 20_000;
/** Between two looks. */
const SLICE_SECONDS = 5;

export const measureSoak = async (context: BenchContext): Promise<void> => {
  const { postgres, say } = context;
  say(`Making ${SESSIONS} sessions for the soak …`);
  await postgres.dropDatabase(DATABASE);
  await createJoinDatabase(postgres, DATABASE, {
    players: REQUESTS,
    sessions: [{ first: 0, count: SESSIONS, teams: 2, teamSize: 100 }],
  });
  const settings = { databaseUrl: postgres.urlOf(DATABASE), secret: context.secret };
  const program = musterProgram({ ...settings, dataDir: join(context.scratch, 'soak') });
  await using(startServerProcess(program), (server) => soak(context, server));
};

const soak = async (context: BenchContext, server: ServerProcess): Promise<void> => {
  const { sandbox_id } = await callAdmin<{ sandbox_id: string }>(
    context,
    server,
    'sandboxes.create',
    { name: 'Soak' },
  );
  await prepareMix(context, sandbox_id);
  const samples: SoakSample[] = [];
  const endsAt = performance.now() + context.soakSeconds * 1_000;
  const answers: Record<string, number> = {};
  let requests = 0;
  while (performance.now() < endsAt) {
    context.checkTime();
    const done = await context.load.run({
      ...{ port: server.port, connections: context.plan.connections, firstRequest: requests },
      ...{ maxRequests: Number.MAX_SAFE_INTEGER, maxSeconds: SLICE_SECONDS },
    });
    requests += done.requests;
    for (const [status, count] of Object.entries(done.statuses)) {
      answers[status] = (answers[status] ?? 0) + count;
    }
    const sample = await look(context, server, requests);
    samples.push(sample);
    context.say(`soak: ${JSON.stringify(sample)}`);
  }
  reportSoak(context.results, {
    ...{ samples, answers },
    round: REQUESTS,
    output: server.readOutput(),
  });
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

// What a soak shows: whether memory, handles and connections stayed, and whether everybody was served.

const WHERE = { benchmark: 'soak', variant: 'muster' };
/** What a process keeps once it has seen everything is no growth: so much of the time, and two rounds of all requests, do not count. */
const WARM_UP_SHARE = 0.3;
const WARM_UP_ROUNDS = 2;
const TOO_SHORT = 'The soak was too short to tell growth from warming up.';

type SoakSample = {
  requests: number;
  megabytes: number;
  handles: number;
  connections: number;
};

type Soak = {
  samples: readonly SoakSample[];
  /** How many, by status. */
  answers: Readonly<Record<string, number>>;
  /** Requests until everything has been asked for once. */
  round: number;
  /** The end of what the service has written. */
  output: string;
};

const reportSoak = (results: ReportWriter, soak: Soak): void => {
  const { samples, answers } = soak;
  reportProcess(results, samples, WARM_UP_ROUNDS * soak.round);
  const isServed = !Object.keys(answers).some((status) => status.startsWith('5'));
  results.check(WHERE, 'no answer is a 5xx', isServed);
  if (isServed) return;
  results.note(`By status the soak was answered ${JSON.stringify(answers)}.`);
  results.note(`The end of what the service has written: ${soak.output}`);
};

const reportProcess = (
  results: ReportWriter,
  samples: readonly SoakSample[],
  warmUpRequests: number,
): void => {
  const late = samples.slice(Math.floor(samples.length * WARM_UP_SHARE));
  const warm = late.filter(({ requests }) => requests > warmUpRequests);
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
  results.check(
    WHERE,
    'no handle is left open',
    most(({ handles }) => handles) <= (first?.handles ?? 0) + SPARE,
  );
  results.check(
    WHERE,
    'connections to the database stay within the pools',
    most(({ connections }) => connections) <= POOLS,
  );
};

/** Connections to the database come and go within their pools. */
const SPARE = 20;
/** Two pools of ten, and one that only asks whether the database is there. */
const POOLS = 21;
