// Rules on seats that joins and admin changes share, and the changes that game backends and admins make to seats: pure
// functions on the aggregate.
import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../platform/index.ts';
import type {
  ChangeResult,
  Seat,
  SessionEvent,
  SessionState,
  TeamState,
  TypeRules,
} from './session.ts';
import { changed } from './session.ts';

type Seats = SessionState['seats'];

/** Leaders and members have arrived; invited and reserved seats wait for their player. */
export const isSeated = (seat: Seat): boolean =>
  seat.status === 'leader' || seat.status === 'member';

export const findLeader = (seats: Seats): Seat | null => {
  for (const seat of seats.values()) if (seat.status === 'leader') return seat;
  return null;
};

/** Held seats count against the size of a team like taken ones. */
export const hasRoom = (seats: Seats, team: TeamState): boolean =>
  countSeats(seats, team.teamId) < team.maxSize;

const countSeats = (seats: Seats, teamId: number): number => {
  let count = 0;
  for (const seat of seats.values()) if (seat.teamId === teamId) count += 1;
  return count;
};

/** Why a full team refuses: `team_full` when another team has room, else `session_full`. */
export const fullness = (session: Pick<SessionState, 'seats' | 'teams'>) =>
  session.teams.some((team) => hasRoom(session.seats, team)) ? 'team_full' : 'session_full';

export const withSeat = (seats: Seats, seat: Seat): Seats =>
  new Map(seats).set(seat.playerUuid, seat);

/** The seats without one player; when the leader goes, the most senior member follows. */
export const withoutPlayer = (seats: Seats, playerUuid: string): Seats => {
  const remaining = new Map(seats);
  remaining.delete(playerUuid);
  if (seats.get(playerUuid)?.status !== 'leader') return remaining;
  const [successor] = [...remaining.values()].filter(isSeated).sort(bySeniority);
  return successor
    ? remaining.set(successor.playerUuid, { ...successor, status: 'leader' })
    : remaining;
};

/** Earliest `joined` first; on a tie the lowest UUID. */
const bySeniority = (a: Seat, b: Seat): number =>
  (a.joinedAt?.getTime() ?? 0) - (b.joinedAt?.getTime() ?? 0) ||
  (a.playerUuid < b.playerUuid ? -1 : 1);

/** The event of a player who leads now and did not before, if there is one. */
export const describeSuccession = (before: Seats, after: Seats): SessionEvent[] => {
  const leader = findLeader(after);
  if (!leader || before.get(leader.playerUuid)?.status === 'leader') return [];
  return [{ kind: 'leader_changed', playerUuid: leader.playerUuid }];
};

/** The session without the held seats that have expired; the same object when there are none. */
export const withoutExpiredSeats = (session: SessionState, now: Date): SessionState => {
  const { rules, seats } = session;
  const neverExpire =
    rules.invitationTtlSeconds === undefined && rules.reservationTtlSeconds === undefined;
  if (neverExpire) return session;
  const kept = [...seats].filter(([, seat]) => !isExpired(seat, rules, now));
  return kept.length === seats.size ? session : { ...session, seats: new Map(kept) };
};

const isExpired = (seat: Seat, rules: TypeRules, now: Date): boolean => {
  if (isSeated(seat)) return false;
  const { invitationTtlSeconds, reservationTtlSeconds } = rules;
  const ttl = seat.status === 'invited' ? invitationTtlSeconds : reservationTtlSeconds;
  return isOver(seat.invitedAt, ttl, now);
};

/** True when a period that began at `start` and lasts `ttlSeconds` is over; without either it never ends. */
export const isOver = (
  start: Date | undefined,
  ttlSeconds: number | undefined,
  now: Date,
): boolean =>
  start !== undefined &&
  ttlSeconds !== undefined &&
  start.getTime() + ttlSeconds * 1000 <= now.getTime();

/** The events of the seats that a session has lost because they expired. */
export const describeExpiries = (before: SessionState, after: SessionState): SessionEvent[] => {
  if (before.seats === after.seats) return [];
  const expired = [...before.seats.values()].filter(
    ({ playerUuid }) => !after.seats.has(playerUuid),
  );
  return expired.map(({ playerUuid, teamId, status }) => ({
    ...{ kind: 'seat_expired', playerUuid },
    detail: { team_id: teamId, status },
  }));
};

export type Invitation = {
  playerUuid: string;
  /** The legacy id, where one is known. */
  playerId?: number | undefined;
  teamId: number;
  status: 'invited' | 'reserved';
  invitingPlayerUuid?: string | undefined;
  sourceSessionId?: string | undefined;
};

/**
 * Holds a seat for a player. A seated player stays seated; a held seat takes the new terms.
 * Errors: `team_not_found`, `team_full`, `session_full`.
 */
export const invitePlayer = (
  stored: SessionState,
  invitation: Invitation,
  now: Date,
): ChangeResult | null => {
  const session = withoutExpiredSeats(stored, now);
  const { playerUuid, teamId, status } = invitation;
  const team = getTeam(session, teamId);
  const current = session.seats.get(playerUuid);
  if (current && isSeated(current)) return null;
  if (current?.teamId !== teamId && !hasRoom(session.seats, team)) {
    throw new ServiceError(fullness(session));
  }
  const seat: Seat = {
    ...(current ?? newHeldSeat(playerUuid, now)),
    ...invitation,
    // Once known, a legacy id is the player's for ever.
    playerId: invitation.playerId ?? current?.playerId,
  };
  if (isDeepStrictEqual(seat, current)) return null;
  const detail = { team_id: teamId, status };
  const seats = withSeat(session.seats, seat);
  const invited = { kind: 'player_invited', playerUuid, detail } as const;
  return changed({ ...session, seats }, ...describeExpiries(stored, session), invited);
};

/** A held seat before its terms; every field is present, since the rules compare whole seats. */
const newHeldSeat = (playerUuid: string, now: Date) => ({
  playerUuid,
  seatedAt: now,
  playerId: undefined,
  platform: undefined,
  input: undefined,
  clientVersion: undefined,
  crossplay: undefined,
  customData: undefined,
  invitingPlayerUuid: undefined,
  sourceSessionId: undefined,
  invitedAt: now,
  joinedAt: undefined,
});

/** Takes a player's seat away; a leader is followed by the most senior member. Errors: `seat_not_found`. */
export const removePlayer = (stored: SessionState, playerUuid: string, now: Date): ChangeResult => {
  const session = withoutExpiredSeats(stored, now);
  const seat = getSeat(session, playerUuid);
  const seats = withoutPlayer(session.seats, playerUuid);
  const detail = { team_id: seat.teamId, status: seat.status };
  return changed(
    { ...session, seats },
    ...describeExpiries(stored, session),
    { kind: 'player_removed', playerUuid, detail },
    ...describeSuccession(session.seats, seats),
  );
};

/**
 * Moves a player, seated or awaited, to a team with room; the order of arrival stays.
 * Errors: `seat_not_found`, `team_not_found`, `team_full`, `session_full`.
 */
export const movePlayer = (
  stored: SessionState,
  { playerUuid, teamId }: Pick<Seat, 'playerUuid' | 'teamId'>,
  now: Date,
): ChangeResult | null => {
  const session = withoutExpiredSeats(stored, now);
  const seat = getSeat(session, playerUuid);
  const team = getTeam(session, teamId);
  if (seat.teamId === teamId) return null;
  if (!hasRoom(session.seats, team)) throw new ServiceError(fullness(session));
  const seats = withSeat(session.seats, { ...seat, teamId });
  const detail = { team_id: teamId, from_team_id: seat.teamId };
  const moved = { kind: 'player_moved', playerUuid, detail } as const;
  return changed({ ...session, seats }, ...describeExpiries(stored, session), moved);
};

/** Makes a member the leader and the leader a member. Errors: `seat_not_found`, `seat_held`. */
export const promotePlayer = (
  stored: SessionState,
  playerUuid: string,
  now: Date,
): ChangeResult | null => {
  const session = withoutExpiredSeats(stored, now);
  const seat = getSeat(session, playerUuid);
  if (!isSeated(seat)) throw new ServiceError('seat_held');
  const leader = findLeader(session.seats);
  if (leader === seat) return null;
  const demoted = leader ? withSeat(session.seats, { ...leader, status: 'member' }) : session.seats;
  const seats = withSeat(demoted, { ...seat, status: 'leader' });
  const promoted = { kind: 'leader_changed', playerUuid } as const;
  return changed({ ...session, seats }, ...describeExpiries(stored, session), promoted);
};

const getSeat = ({ seats }: SessionState, playerUuid: string): Seat => {
  const seat = seats.get(playerUuid);
  if (!seat) throw new ServiceError('seat_not_found');
  return seat;
};

const getTeam = ({ teams }: SessionState, teamId: number): TeamState => {
  const team = teams.find((candidate) => candidate.teamId === teamId);
  if (!team) throw new ServiceError('team_not_found');
  return team;
};
