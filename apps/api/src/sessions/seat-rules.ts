// Changes of seats by game backends and admins, and the succession of leaders: pure functions on the aggregate.
import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../platform/index.ts';
import type { ChangeResult, Seat, SessionState } from './session.ts';
import {
  changeSeats,
  checkRoom,
  describeExpiries,
  describeSuccession,
  findLeader,
  findOverdue,
  getTeam,
  isSeated,
  withoutExpiredSeats,
  withSeat,
} from './session.ts';

type Seats = SessionState['seats'];

/** When the leader leaves, the most senior member becomes leader. */
export const withoutPlayers = (seats: Seats, gone: Iterable<string>): Seats => {
  const remaining = new Map(seats);
  for (const playerUuid of gone) remaining.delete(playerUuid);
  if (!findLeader(seats) || findLeader(remaining)) return remaining;
  const [successor] = [...remaining.values()].filter(isSeated).sort(bySeniority);
  return successor
    ? remaining.set(successor.playerUuid, { ...successor, status: 'leader' })
    : remaining;
};

/** Earliest `joined` first; on a tie the lowest UUID. */
const bySeniority = (a: Seat, b: Seat): number =>
  (a.joinedAt?.getTime() ?? 0) - (b.joinedAt?.getTime() ?? 0) ||
  (a.playerUuid < b.playerUuid ? -1 : 1);

/**
 * Removes expired held seats and the seats of players who were disconnected for too long, but not the seat of the
 * joining player; the most senior member succeeds a leader. Null when no seat has expired. The change depends on the
 * disconnects: a player who has reconnected keeps the seat.
 */
export const removeExpiredSeats = (
  stored: SessionState,
  now: Date,
  joining?: string,
): ChangeResult | null => {
  const kept = withoutExpiredSeats(stored, now);
  const overdue = findOverdue(stored, now);
  if (joining !== undefined) overdue.delete(joining);
  if (kept === stored && overdue.size === 0) return null;
  const session = { ...kept, seats: withoutPlayers(kept.seats, overdue.keys()) };
  const succession = describeSuccession(kept.seats, session.seats);
  return {
    session,
    events: [...describeExpiries(stored, session), ...succession],
    stillDisconnected: overdue,
  };
};

/** Applies a change to the session without its expired seats, which are removed with it. */
export const withExpiry =
  (apply: (session: SessionState, now: Date) => ChangeResult | null) =>
  (stored: SessionState, now: Date): ChangeResult | null => {
    const expiry = removeExpiredSeats(stored, now);
    const result = apply(expiry?.session ?? stored, now);
    return result && joinResults(expiry, result);
  };

/** The result of a change after another one. */
export const joinResults = (first: ChangeResult | null, second: ChangeResult): ChangeResult =>
  first ? { ...first, ...second, events: [...first.events, ...second.events] } : second;

/** A held seat with its terms. */
export type Invitation = Pick<
  Seat,
  'playerUuid' | 'playerId' | 'teamId' | 'invitingPlayerUuid' | 'sourceSessionId'
> & { status: 'invited' | 'reserved' };

/**
 * Holds a seat for a player. Inviting a seated player to the same team changes nothing. A held seat takes the terms of
 * the new invitation and keeps the time of the first one. Errors: `player_seated`, `team_not_found`, `team_full`,
 * `session_full`.
 */
export const invitePlayer = (
  session: SessionState,
  invitation: Invitation,
  now: Date,
): ChangeResult | null => {
  const { playerUuid, teamId, status } = invitation;
  const team = getTeam(session, teamId);
  const current = session.seats.get(playerUuid);
  if (current && isSeated(current)) {
    if (current.teamId === teamId) return null;
    const desc = `The player is seated in team ${current.teamId}: move the player instead.`;
    throw new ServiceError('player_seated', { desc });
  }
  if (current?.teamId !== teamId) checkRoom(session, team);
  // Every field is present, since the rules compare whole seats.
  const held = current ?? {
    seatedAt: now,
    platform: undefined,
    input: undefined,
    clientVersion: undefined,
    crossplay: undefined,
    customData: undefined,
    invitingPlayerUuid: undefined,
    sourceSessionId: undefined,
    invitedAt: now,
    joinedAt: undefined,
  };
  const seat: Seat = {
    ...held,
    ...invitation,
    // A known legacy id never changes.
    playerId: invitation.playerId ?? current?.playerId,
  };
  if (isDeepStrictEqual(seat, current)) return null;
  const detail = { team_id: teamId, status };
  const invited = { kind: 'player_invited', playerUuid, detail } as const;
  return changeSeats(session, withSeat(session.seats, seat), invited);
};

/** Removes a player's seat; the most senior member succeeds a leader. Errors: `seat_not_found`. */
export const removePlayer = (session: SessionState, playerUuid: string): ChangeResult => {
  const { teamId, status } = getSeat(session, playerUuid);
  const detail = { team_id: teamId, status };
  const removed = { kind: 'player_removed', playerUuid, detail } as const;
  return changeSeats(session, withoutPlayers(session.seats, [playerUuid]), removed);
};

/**
 * Moves a player with a taken or held seat to a team with a free slot and keeps the order of arrival. Errors:
 * `seat_not_found`, `team_not_found`, `team_full`, `session_full`.
 */
export const movePlayer = (
  session: SessionState,
  { playerUuid, teamId }: Pick<Seat, 'playerUuid' | 'teamId'>,
): ChangeResult | null => {
  const seat = getSeat(session, playerUuid);
  const team = getTeam(session, teamId);
  if (seat.teamId === teamId) return null;
  checkRoom(session, team);
  const detail = { team_id: teamId, from_team_id: seat.teamId };
  const moved = { kind: 'player_moved', playerUuid, detail } as const;
  return changeSeats(session, withSeat(session.seats, { ...seat, teamId }), moved);
};

/** Makes a member the leader, and the leader a member. Errors: `seat_not_found`, `seat_held`. */
export const promotePlayer = (session: SessionState, playerUuid: string): ChangeResult | null => {
  const seat = getSeat(session, playerUuid);
  if (!isSeated(seat)) throw new ServiceError('seat_held');
  if (seat.status === 'leader') return null;
  return changeSeats(session, withSeat(session.seats, { ...seat, status: 'leader' }));
};

const getSeat = ({ seats }: SessionState, playerUuid: string): Seat => {
  const seat = seats.get(playerUuid);
  if (!seat) throw new ServiceError('seat_not_found');
  return seat;
};
