// The variants of the joins, running side by side and taking turns.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plan } from '../options.ts';
import type { ServerProcess, ServerProgram } from '../peers/start-peers.ts';
import {
  ceilingProgram,
  installPeer,
  musterProgram,
  nameColyseus,
  peerProgram,
  startServerProcess,
} from '../peers/start-peers.ts';
import type { SessionBlock } from '../postgres/join-data.ts';
import { copyJoins, countSeats, createJoinDatabase } from '../postgres/join-data.ts';
import type { Join, JoinPlan } from '../requests/join-requests.ts';
import { joinPathOf, planJoins, writeJoinBody } from '../requests/join-requests.ts';
import type { BenchContext } from './bench-context.ts';

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
type StoredVariantName = (typeof STORED)[number];

export const databaseOf = (name: StoredVariantName): string => `bench_join_${name}`;

/** What an earlier run has joined in these is no beginning for this one. */
export const dropJoinDatabases = async ({ postgres }: BenchContext): Promise<void> => {
  for (const name of STORED) await postgres.dropDatabase(databaseOf(name));
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
 * Copies the joins that Muster has made in these sessions to the other databases: the same seats, versions and events. All
 * databases begin without dead rows and with statistics.
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

// Which numbers of sessions and players belong to which part of the joins, so that no two parts meet.

export type JoinBlock = { sessions: SessionBlock; firstPlayer: number; players: number };

export type JoinBlocks = {
  warmUp: JoinBlock;
  /** The same sessions, other players. */
  coldWarmUp: JoinBlock;
  /** One session, whose players fill it until the ceiling's answer is as large as it has to be. */
  ceiling: JoinBlock;
  /** One player for each session of `distinct`, before all other players. */
  cold: JoinBlock;
  /** The same sessions in each round, with other players, and once more in `latency`. */
  distinct: JoinBlock[];
  /** Players that are not registered. */
  first: JoinBlock[];
  hot: JoinBlock[];
  latency: JoinBlock;
  /** Sessions that every variant joins equally often: each lap of players once. */
  alone: JoinBlock;
  memory: JoinBlock;
  registeredPlayers: number;
};

/** Never registered: players are registered from 0 on. */
export const UNKNOWN_PLAYERS = 1_000_000_000;

const TEAMS = { teams: 2, teamSize: 100 };

/** Gives out numbers one block after the other. */
const createAllocator = () => {
  const next = { session: 0, player: 0, unknown: UNKNOWN_PLAYERS };
  return (
    sessions: number,
    players: number,
    shape = TEAMS,
    from: 'player' | 'unknown' = 'player',
  ) => {
    const block: JoinBlock = {
      sessions: { first: next.session, count: sessions, ...shape },
      firstPlayer: next[from],
      players,
    };
    next.session += sessions;
    next[from] += players;
    return block;
  };
};

export const planBlocks = (plan: Plan): JoinBlocks => {
  const allocate = createAllocator();
  const { sessions, joinsPerRound, aloneSessions, hot, memoryJoins } = plan;
  const perRound = <Block>(make: () => Block): Block[] => Array.from({ length: plan.rounds }, make);
  const warmUp = allocate(Math.ceil(sessions / 4), joinsPerRound);
  const cold = allocate(sessions, sessions);
  const blocks = {
    coldWarmUp: { ...allocate(0, joinsPerRound), sessions: warmUp.sessions },
    warmUp,
    cold,
    ceiling: allocate(1, TEAMS.teams * TEAMS.teamSize),
    distinct: perRound(() => ({ ...allocate(0, joinsPerRound), sessions: cold.sessions })),
    latency: { ...allocate(0, joinsPerRound), sessions: cold.sessions },
    // A lap before the rounds, and one in each.
    alone: allocate(aloneSessions, aloneSessions * (1 + plan.rounds)),
    first: perRound(() => allocate(Math.ceil(sessions / 4), joinsPerRound, TEAMS, 'unknown')),
    hot: perRound(() =>
      allocate(hot.storms, hot.storms * hot.players, { teams: 1, teamSize: hot.seats }),
    ),
    memory: allocate(sessions, memoryJoins),
  };
  const registeredPlayers = allocate(0, 0).firstPlayer;
  return { ...blocks, registeredPlayers };
};

/** Those that have sessions of their own. */
const listSessionBlocks = (blocks: JoinBlocks): JoinBlock[] => [
  blocks.warmUp,
  blocks.cold,
  blocks.ceiling,
  blocks.alone,
  ...blocks.first,
  ...blocks.hot,
  blocks.memory,
];

/** The database that each variant gets a copy of. */
const JOIN_TEMPLATE = 'bench_join_template';

export const createJoinTemplate = async (
  { postgres, say }: BenchContext,
  blocks: JoinBlocks,
): Promise<void> => {
  const sessions = listSessionBlocks(blocks).reduce((sum, block) => sum + block.sessions.count, 0);
  say(`Making ${sessions} sessions and ${blocks.registeredPlayers} players …`);
  await createJoinDatabase(postgres, JOIN_TEMPLATE, {
    players: blocks.registeredPlayers,
    sessions: listSessionBlocks(blocks).map((block) => block.sessions),
  });
};

export const toJoinPlan = (context: BenchContext, block: JoinBlock): JoinPlan => ({
  firstPlayer: block.firstPlayer,
  count: block.players,
  firstSession: block.sessions.first,
  sessions: block.sessions.count,
  teams: block.sessions.teams,
  secret: context.secret,
  expiresAt: context.expiresAt,
});
