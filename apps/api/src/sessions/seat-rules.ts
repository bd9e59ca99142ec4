// Rules on seats that joins and admin changes share: who is seated, who leads, where there is room.
import type { Seat, SessionEvent, SessionState, TeamState, TypeRules } from './session-state.ts';

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

/** The event of a player who leads now and did not before, if there is one. */
export const describeSuccession = (before: Seats, after: Seats): SessionEvent[] => {
  const leader = findLeader(after);
  if (!leader || before.get(leader.playerUuid)?.status === 'leader') return [];
  return [{ kind: 'leader_changed', playerUuid: leader.playerUuid }];
};

/** True when what began at `start` and lives for `ttlSeconds` is over; without either it never ends. */
export const isOver = (
  start: Date | undefined,
  ttlSeconds: number | undefined,
  now: Date,
): boolean =>
  start !== undefined &&
  ttlSeconds !== undefined &&
  start.getTime() + ttlSeconds * 1000 <= now.getTime();

const isExpired = (seat: Seat, rules: TypeRules, now: Date): boolean => {
  if (isSeated(seat)) return false;
  const { invitationTtlSeconds, reservationTtlSeconds } = rules;
  const ttl = seat.status === 'invited' ? invitationTtlSeconds : reservationTtlSeconds;
  return isOver(seat.invitedAt, ttl, now);
};

/** The session without the held seats whose time is over; the same object when there are none. */
export const withoutExpiredSeats = (session: SessionState, now: Date): SessionState => {
  const { rules, seats } = session;
  const neverExpire =
    rules.invitationTtlSeconds === undefined && rules.reservationTtlSeconds === undefined;
  if (neverExpire) return session;
  const kept = [...seats].filter(([, seat]) => !isExpired(seat, rules, now));
  return kept.length === seats.size ? session : { ...session, seats: new Map(kept) };
};

/** The events of the seats that a session has lost to their age. */
export const describeExpiries = (before: SessionState, after: SessionState): SessionEvent[] => {
  if (before.seats === after.seats) return [];
  const gone = [...before.seats.values()].filter(({ playerUuid }) => !after.seats.has(playerUuid));
  return gone.map(({ playerUuid, teamId, status }) => ({
    ...{ kind: 'seat_expired', playerUuid },
    detail: { team_id: teamId, status },
  }));
};
