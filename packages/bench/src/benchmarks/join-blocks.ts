// Which numbers of sessions and players belong to which part of the joins, so that no two parts meet.
import type { Plan } from '../options.ts';
import type { SessionBlock } from '../postgres/join-data.ts';
import type { JoinPlan } from '../requests/join-requests.ts';
import type { BenchContext } from './bench-context.ts';

export type JoinBlock = { sessions: SessionBlock; firstPlayer: number; players: number };

/** Never registered: players are registered from 0 on. */
const UNKNOWN_PLAYERS = 1_000_000_000;

const TEAMS = { teams: 2, teamSize: 100 };

/** Gives out numbers one block after the other. */
export const createAllocator = () => {
  const next = { session: 0, player: 0, unknown: UNKNOWN_PLAYERS };
  const sessions: SessionBlock[] = [];
  const take = (who: keyof typeof next, count: number): number => {
    const first = next[who];
    next[who] += count;
    return first;
  };
  return {
    newSessions: (count: number, shape = TEAMS): SessionBlock => {
      const block = { first: take('session', count), count, ...shape };
      sessions.push(block);
      return block;
    },
    /** Players who are registered, or who are not, join these sessions. */
    joins: (
      block: SessionBlock,
      players: number,
      who: 'player' | 'unknown' = 'player',
    ): JoinBlock => ({ sessions: block, firstPlayer: take(who, players), players }),
    /** What the database needs for the blocks so far. */
    data: () => ({ players: next.player, sessions }),
  };
};

export type JoinBlocks = ReturnType<typeof planBlocks>;

export const planBlocks = (plan: Plan) => {
  const { newSessions, joins, data } = createAllocator();
  const { sessions, joinsPerRound, hot, memoryJoins } = plan;
  const perRound = (make: () => JoinBlock) => Array.from({ length: plan.rounds }, make);
  const quarter = () => newSessions(Math.ceil(sessions / 4));
  const seen = newSessions(sessions);
  const blocks = {
    warmUp: joins(quarter(), joinsPerRound),
    /** One player for each session of `distinct`. */
    cold: joins(seen, sessions),
    /** One session, whose players fill it until the ceiling's answer is as large as it has to be. */
    ceiling: joins(newSessions(1), TEAMS.teams * TEAMS.teamSize),
    /** The same sessions in each round, with other players, and once more in `latency`. */
    distinct: perRound(() => joins(seen, joinsPerRound)),
    latency: joins(seen, joinsPerRound),
    /** Players that are not registered. */
    first: perRound(() => joins(quarter(), joinsPerRound, 'unknown')),
    hot: perRound(() =>
      joins(newSessions(hot.storms, { teams: 1, teamSize: hot.seats }), hot.storms * hot.players),
    ),
    memory: joins(newSessions(sessions), memoryJoins),
  };
  return { ...blocks, data: data() };
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

export const prepareJoins = (context: BenchContext, block: JoinBlock): Promise<void> =>
  context.load.prepare({ kind: 'joins', joins: toJoinPlan(context, block) });
