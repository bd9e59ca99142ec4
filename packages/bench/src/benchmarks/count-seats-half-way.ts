// How full the sessions are in the middle of the rounds: the ceiling answers a session like that.
import type { Plan } from '../plan.ts';

type Rounds = Pick<Plan, 'sessions' | 'rounds' | 'roundSeconds' | 'joinsPerRound'>;

/**
 * What the answer to a join shows, rounded: the seat of the first join of each session, the seats of half of the other
 * rounds at this rate, and the player's own.
 */
export const countSeatsHalfWay = (plan: Rounds, joinsPerSecond: number): number => {
  const perRound = Math.min(joinsPerSecond * plan.roundSeconds, plan.joinsPerRound);
  const joinsBefore = (perRound * (plan.rounds - 1)) / 2;
  return Math.round(1 + joinsBefore / plan.sessions + 1);
};
