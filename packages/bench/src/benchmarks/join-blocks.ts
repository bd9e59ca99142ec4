// Which numbers of sessions and players belong to which part of the joins, so that no two parts meet.
import type { Plan } from '../plan.ts';
import { createJoinDatabase } from '../postgres/create-join-database.ts';
import type { SessionBlock } from '../postgres/join-data.ts';
import type { JoinPlan } from '../requests/join-requests.ts';
import type { BenchContext } from './bench-context.ts';

export type JoinBlock = { sessions: SessionBlock; firstPlayer: number; players: number };

export type JoinBlocks = {
  warmUp: JoinBlock;
  /** The same sessions, other players. */
  coldWarmUp: JoinBlock;
  /** One session, whose players fill it until the ceiling's answer is as large as it has to be. */
  ceiling: JoinBlock;
  /** One player for each session of `distinct`, before anybody else. */
  cold: JoinBlock;
  /** The same sessions in each round, with other players, and once more in `latency`. */
  distinct: JoinBlock[];
  /** Players that nobody has registered. */
  first: JoinBlock[];
  hot: JoinBlock[];
  latency: JoinBlock;
  /** Sessions that every variant joins equally often: each lap of players once. */
  alone: JoinBlock;
  memory: JoinBlock;
  registeredPlayers: number;
};

/** Never registered: players are registered from 0 on. */
const UNKNOWN_PLAYERS = 1_000_000_000;

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
    ...{ warmUp, cold, ceiling: allocate(1, TEAMS.teams * TEAMS.teamSize) },
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
export const JOIN_TEMPLATE = 'bench_join_template';

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
