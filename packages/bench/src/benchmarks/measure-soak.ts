// soak: mixed load for a long time. Memory, handles and connections of the service have to stay where they are.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readResidentBytes } from '../machine/cpu-time.ts';
import { createJoinDatabase } from '../postgres/create-join-database.ts';
import { callAdmin } from '../requests/call-admin.ts';
import { writeMixedRequests } from '../requests/mixed-requests.ts';
import { musterProgram } from '../variants/service-programs.ts';
import type { ServerProcess } from '../variants/start-server-process.ts';
import { startServerProcess } from '../variants/start-server-process.ts';
import type { BenchContext } from './bench-context.ts';
import { using } from './bench-context.ts';
import type { SoakSample } from './report-soak.ts';
import { reportSoak } from './report-soak.ts';

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
