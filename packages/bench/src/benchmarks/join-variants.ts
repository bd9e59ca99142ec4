// The variants of the joins, running side by side and taking turns.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyJoins } from '../postgres/copy-joins.ts';
import type { SessionBlock } from '../postgres/join-data.ts';
import { countSeats } from '../postgres/join-data.ts';
import type { Join } from '../requests/join-requests.ts';
import { joinPathOf, planJoins, writeJoinBody } from '../requests/join-requests.ts';
import { nameColyseus } from '../variants/colyseus-rooms.ts';
import { installPeer } from '../variants/install-peer.ts';
import { ceilingProgram, musterProgram, peerProgram } from '../variants/service-programs.ts';
import type { ServerProcess, ServerProgram } from '../variants/start-server-process.ts';
import { startServerProcess } from '../variants/start-server-process.ts';
import type { BenchContext } from './bench-context.ts';
import type { JoinBlock } from './join-blocks.ts';
import { JOIN_TEMPLATE, toJoinPlan } from './join-blocks.ts';

export type JoinVariant = {
  name: string;
  server: ServerProcess;
  /** Colyseus is asked for rooms, all others for sessions. */
  requests: 'joins' | 'rooms';
  /** How many rooms there are; absent: one per session. */
  rooms?: number;
  /** Seats that are taken in a block of sessions; null for a variant that keeps none. */
  countSeats: ((block: SessionBlock) => Promise<{ seats: number; fullest: number }>) | null;
};

const STORED = ['muster', 'idiomatic', 'unbatched', 'pgbench'] as const;
export type StoredVariantName = (typeof STORED)[number];

export const databaseOf = (name: StoredVariantName): string => `bench_join_${name}`;

/** What an earlier run has joined in these is no beginning for this one. */
export const dropJoinDatabases = async ({ postgres }: BenchContext): Promise<void> => {
  for (const name of [JOIN_TEMPLATE, ...STORED.map(databaseOf)]) await postgres.dropDatabase(name);
};

/** A copy of the template of its own, so that no variant meets another's rows. */
const copyTemplate = async ({ postgres }: BenchContext, name: StoredVariantName) => {
  await postgres.createDatabase(databaseOf(name), JOIN_TEMPLATE);
  return postgres.urlOf(databaseOf(name));
};

export const startStored = async (
  context: BenchContext,
  name: 'muster' | 'idiomatic' | 'unbatched',
): Promise<JoinVariant> => {
  const settings = { databaseUrl: await copyTemplate(context, name), secret: context.secret };
  const dataDir = join(context.scratch, 'muster');
  const program =
    name === 'muster' ? musterProgram({ ...settings, dataDir }) : peerProgram(name, settings);
  return {
    name,
    server: await startServerProcess(program),
    requests: 'joins',
    countSeats: (block) => countSeats(context.postgres, databaseOf(name), block),
  };
};

/**
 * What Muster has joined so far in these sessions, the other databases get as well: the same seats, versions and events. All
 * begin without dead rows and with statistics.
 */
export const shareJoins = async (context: BenchContext, block: SessionBlock): Promise<void> => {
  const { postgres } = context;
  const from = databaseOf('muster');
  for (const name of STORED) {
    await copyTemplate(context, name);
    const to = databaseOf(name);
    if (to !== from) await copyJoins(postgres, { from, to, block });
    await postgres.run(to, 'VACUUM ANALYZE');
  }
};

/** Answers what the service answered to the last of `seats` joins of one session. */
export const startCeiling = async (
  context: BenchContext,
  muster: ServerProcess,
  block: JoinBlock,
  seats: number,
): Promise<JoinVariant> => {
  const file = join(context.scratch, 'session.json');
  await writeFile(file, await joinOnceEach(context, muster, block, seats));
  const databaseUrl = context.postgres.urlOf(databaseOf('muster'));
  const dataDir = join(context.scratch, 'ceiling');
  const program = ceilingProgram({ databaseUrl, secret: context.secret, dataDir }, file);
  const server = await startServerProcess(program);
  return { name: 'ceiling', server, requests: 'joins', countSeats: null };
};

const joinOnceEach = async (
  context: BenchContext,
  server: ServerProcess,
  block: JoinBlock,
  players: number,
): Promise<string> => {
  const joinAt = planJoins(toJoinPlan(context, block));
  let answer = '';
  for (let player = 0; player < players; player += 1) {
    answer = await sendJoin(server, joinAt(player));
  }
  return answer;
};

const sendJoin = async ({ port }: ServerProcess, each: Join): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${port}${joinPathOf(each)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${each.token}`, 'content-type': 'application/json' },
    body: writeJoinBody(each),
  });
  const text = await response.text();
  if (response.status !== 200)
    throw new Error(`The service answered a join ${response.status}: ${text}`);
  return text;
};

/** Null, with a note in the report, where it cannot be installed. */
export const startColyseus = async (
  context: BenchContext,
  rooms: number,
): Promise<JoinVariant | null> => {
  const peer = await installPeer('colyseus', context.say);
  if ('missing' in peer) {
    context.results.note(peer.missing);
    return null;
  }
  context.results.report.versions.Colyseus = peer.version;
  const env = {
    NODE_ENV: 'production',
    AUTH_JWT_SECRET: context.secret,
    ROOMS: String(rooms),
    FIRST_ROOM: '0',
    SEATS: '1000000',
  };
  const program: ServerProgram = { file: peer.file, env, patienceMs: 120_000 };
  const server = await startServerProcess(program);
  return {
    name: nameColyseus(rooms),
    server,
    requests: 'rooms',
    rooms,
    countSeats: async () => {
      const response = await fetch(`http://127.0.0.1:${server.port}/seats`);
      return { seats: Number(await response.json()), fullest: 0 };
    },
  };
};
