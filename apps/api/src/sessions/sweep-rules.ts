// Which seats of a session are over, as a pure function on the aggregate.
import type { ChangeResult } from './change-result.ts';
import {
  describeExpiries,
  describeSuccession,
  findLeader,
  isOver,
  withoutExpiredSeats,
  withoutPlayer,
} from './seat-rules.ts';
import type { Absences, SessionState } from './session-state.ts';

/**
 * Takes away the held seats whose time is over and the seats of players who were marked absent for too long; when the
 * leader goes, the most senior of those who stay follows. The change rests on the marks: a player who has come back
 * meanwhile keeps the seat.
 */
export const sweepSession = (stored: SessionState, now: Date): ChangeResult | null => {
  const kept = withoutExpiredSeats(stored, now);
  const overdue = findOverdue(stored, now);
  const session = { ...kept, seats: withoutAll(kept, overdue) };
  const events = describeExpiries(stored, session);
  if (events.length === 0) return null;
  return {
    session,
    events: [...events, ...describeSuccession(kept.seats, session.seats)],
    stillAbsent: overdue,
  };
};

const findOverdue = ({ absences, seats, rules }: SessionState, now: Date): Absences => {
  const ttl = rules.absentTtlSeconds;
  const isOverdue = (playerUuid: string, since: Date) =>
    seats.has(playerUuid) && isOver(since, ttl, now);
  return new Map([...absences].filter(([playerUuid, since]) => isOverdue(playerUuid, since)));
};

/** The leader goes last, so that nobody inherits who goes, too. */
const withoutAll = ({ seats }: SessionState, overdue: Absences): SessionState['seats'] => {
  const leader = findLeader(seats)?.playerUuid;
  const order = [...overdue.keys()].sort((a, b) => Number(a === leader) - Number(b === leader));
  return order.reduce((remaining, playerUuid) => withoutPlayer(remaining, playerUuid), seats);
};
