// The variants of the joins, running side by side and taking turns.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionBlock } from '../postgres/join-data.ts';
import { countSeats } from '../postgres/join-data.ts';
import { joinPathOf, planJoins, writeJoinBody } from '../requests/join-requests.ts';
import { nameColyseus } from '../variants/colyseus-rooms.ts';
import { installPeer } from '../variants/install-peer.ts';
import { ceilingProgram, musterProgram, peerProgram } from '../variants/service-programs.ts';
import type { ServerProcess, ServerProgram } from '../variants/start-server-process.ts';
import { startServerProcess } from '../variants/start-server-process.ts';
import type { BenchContext } from './bench-context.ts';
import type { JoinBlocks } from './join-blocks.ts';
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
export const copyTemplate = async ({ postgres }: BenchContext, name: StoredVariantName) => {
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

/** Answers what the service answered to one join: the constant session has the size of a real one. */
export const startCeiling = async (
  context: BenchContext,
  muster: ServerProcess,
  { warmUp }: JoinBlocks,
): Promise<JoinVariant> => {
  const file = join(context.scratch, 'session.json');
  await writeFile(file, await joinOnce(context, muster, warmUp));
  const databaseUrl = context.postgres.urlOf(databaseOf('muster'));
  const dataDir = join(context.scratch, 'ceiling');
  const program = ceilingProgram({ databaseUrl, secret: context.secret, dataDir }, file);
  const server = await startServerProcess(program);
  return { name: 'ceiling', server, requests: 'joins', countSeats: null };
};

const joinOnce = async (
  context: BenchContext,
  { port }: ServerProcess,
  block: JoinBlocks['warmUp'],
): Promise<string> => {
  const first = planJoins(toJoinPlan(context, block))(0);
  const response = await fetch(`http://127.0.0.1:${port}${joinPathOf(first)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${first.token}`, 'content-type': 'application/json' },
    body: writeJoinBody(first),
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
