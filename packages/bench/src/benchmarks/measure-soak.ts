// soak: mixed load for a long time. Memory, handles and connections of the service have to stay where they are.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readResidentBytes } from '../machine/cpu-time.ts';
import { createJoinDatabase } from '../postgres/create-join-database.ts';
import { writeMixedRequests } from '../requests/mixed-requests.ts';
import { signToken } from '../requests/player-token.ts';
import type { Point } from '../results/robust-slope.ts';
import { findRobustSlope } from '../results/robust-slope.ts';
import { musterProgram } from '../variants/service-programs.ts';
import type { ServerProcess } from '../variants/start-server-process.ts';
import { startServerProcess } from '../variants/start-server-process.ts';
import type { BenchContext } from './bench-context.ts';
import { using } from './bench-context.ts';

const DATABASE = 'bench_soak';
const WHERE = { benchmark: 'soak', variant: 'muster' };
const SESSIONS = 2_000;
const REQUESTS = 20_000;
/** Between two looks. */
const SLICE_SECONDS = 5;
/** What a process keeps once it has seen everything is no growth: so much of the time, and two rounds of all requests, do not count. */
const WARM_UP_SHARE = 0.3;
const WARM_UP_ROUNDS = 2;
const TOO_SHORT = 'The soak was too short to tell growth from warming up.';

type Sample = { requests: number; megabytes: number; handles: number; connections: number };

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
  await prepareMix(context, await createSandbox(context, server));
  const samples: Sample[] = [];
  const endsAt = performance.now() + context.soakSeconds * 1_000;
  const statuses = new Set<string>();
  let requests = 0;
  while (performance.now() < endsAt) {
    context.checkTime();
    const done = await context.load.run({
      ...{ port: server.port, connections: context.plan.connections, firstRequest: requests },
      ...{ maxRequests: Number.MAX_SAFE_INTEGER, maxSeconds: SLICE_SECONDS },
    });
    requests += done.requests;
    for (const status of Object.keys(done.statuses)) statuses.add(status);
    const sample = await look(context, server, requests);
    samples.push(sample);
    context.say(`soak: ${JSON.stringify(sample)}`);
  }
  report(context, samples, statuses);
};

const createSandbox = async (
  { secret, expiresAt }: BenchContext,
  { port }: ServerProcess,
): Promise<string> => {
  const token = signToken({ sub: 'editor', permissions: ['*'] }, secret, expiresAt);
  const response = await fetch(`http://127.0.0.1:${port}/admin/trpc/sandboxes.create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Soak' }),
  });
  const { result } = (await response.json()) as { result: { data: { sandbox_id: string } } };
  return result.data.sandbox_id;
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
): Promise<Sample> => {
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

const report = (
  { results }: BenchContext,
  samples: readonly Sample[],
  statuses: ReadonlySet<string>,
): void => {
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
  const most = (read: (sample: Sample) => number) => Math.max(...late.map(read));
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
  results.check(
    WHERE,
    'no answer is a 5xx',
    ![...statuses].some((status) => status.startsWith('5')),
  );
};

/** Connections to the database come and go within their pools. */
const SPARE = 20;
/** Two pools of ten, and one that only asks whether the database is there. */
const POOLS = 21;
