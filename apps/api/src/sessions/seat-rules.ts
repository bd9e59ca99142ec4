// Rules on seats that joins and admin changes share: who is seated, who leads, where there is room.
import type { Seat, SessionState, TeamState } from './session-state.ts';

type Seats = ReadonlyMap<string, Seat>;

/** Leaders and members have arrived; invited and reserved seats wait for their player. */
export const isSeated = (seat: Seat): boolean =>
  seat.status === 'leader' || seat.status === 'member';

export const findLeader = (seats: Seats): Seat | null => {
  for (const seat of seats.values()) if (seat.status === 'leader') return seat;
  return null;
};

const countSeats = (seats: Seats, teamId: number): number => {
  let count = 0;
  for (const seat of seats.values()) if (seat.teamId === teamId) count += 1;
  return count;
};

/** Held seats count against the size of a team like taken ones. */
export const hasRoom = (seats: Seats, team: TeamState): boolean =>
  countSeats(seats, team.teamId) < team.maxSize;

/** Why a full team refuses: `team_full` when another team has room, else `session_full`. */
export const fullness = (session: Pick<SessionState, 'seats' | 'teams'>) =>
  session.teams.some((team) => hasRoom(session.seats, team)) ? 'team_full' : 'session_full';

export const withSeat = (seats: Seats, seat: Seat): Seats =>
  new Map(seats).set(seat.playerUuid, seat);

/** Earliest `joined` first; on a tie the lowest UUID. */
const bySeniority = (a: Seat, b: Seat): number =>
  (a.joinedAt?.getTime() ?? 0) - (b.joinedAt?.getTime() ?? 0) ||
  (a.playerUuid < b.playerUuid ? -1 : 1);

/** The seats without one player; when the leader goes, the most senior member follows. */
export const withoutPlayer = (seats: Seats, playerUuid: string): Seats => {
  const remaining = new Map(seats);
  remaining.delete(playerUuid);
  if (seats.get(playerUuid)?.status !== 'leader') return remaining;
  const [heir] = [...remaining.values()].filter(isSeated).sort(bySeniority);
  return heir ? remaining.set(heir.playerUuid, { ...heir, status: 'leader' }) : remaining;
};

const isExpired = (seat: Seat, ttlSeconds: number, now: Date): boolean =>
  !isSeated(seat) &&
  seat.invitedAt !== undefined &&
  seat.invitedAt.getTime() + ttlSeconds * 1000 <= now.getTime();

/** The session without the held seats whose time is over; the same object when there are none. */
export const withoutExpiredSeats = (session: SessionState, now: Date): SessionState => {
  const ttl = session.rules.heldSeatTtlSeconds;
  if (ttl === undefined) return session;
  const kept = [...session.seats].filter(([, seat]) => !isExpired(seat, ttl, now));
  return kept.length === session.seats.size ? session : { ...session, seats: new Map(kept) };
};
