// Changes of seats by game backends and admins, and the succession of leaders: pure functions on the aggregate.
import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../platform/index.ts';
import type { ChangeResult, Seat, SessionState } from './session.ts';
import {
  changeSeats,
  checkRoom,
  findLeader,
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

/** A held seat with its terms. */
export type Invitation = Pick<
  Seat,
  'playerUuid' | 'playerId' | 'teamId' | 'invitingPlayerUuid' | 'sourceSessionId'
> & { status: 'invited' | 'reserved' };

/**
 * Holds a seat for a player. A seated player stays seated; a held seat is replaced. Errors: `team_not_found`,
 * `team_full`, `session_full`.
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
  if (isSeated(current)) return null;
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
  return changeSeats(stored, session, withSeat(session.seats, seat), invited);
};

/** Removes a player's seat; the most senior member succeeds a leader. Errors: `seat_not_found`. */
export const removePlayer = (stored: SessionState, playerUuid: string, now: Date): ChangeResult => {
  const session = withoutExpiredSeats(stored, now);
  const { teamId, status } = getSeat(session, playerUuid);
  const detail = { team_id: teamId, status };
  const removed = { kind: 'player_removed', playerUuid, detail } as const;
  return changeSeats(stored, session, withoutPlayers(session.seats, [playerUuid]), removed);
};

/**
 * Moves a player with a taken or held seat to a team with a free slot and keeps the order of arrival. Errors:
 * `seat_not_found`, `team_not_found`, `team_full`, `session_full`.
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
  checkRoom(session, team);
  const detail = { team_id: teamId, from_team_id: seat.teamId };
  const moved = { kind: 'player_moved', playerUuid, detail } as const;
  return changeSeats(stored, session, withSeat(session.seats, { ...seat, teamId }), moved);
};

/** Makes a member the leader, and the leader a member. Errors: `seat_not_found`, `seat_held`. */
export const promotePlayer = (
  stored: SessionState,
  playerUuid: string,
  now: Date,
): ChangeResult | null => {
  const session = withoutExpiredSeats(stored, now);
  const seat = getSeat(session, playerUuid);
  if (!isSeated(seat)) throw new ServiceError('seat_held');
  if (seat.status === 'leader') return null;
  return changeSeats(stored, session, withSeat(session.seats, { ...seat, status: 'leader' }));
};

const getSeat = ({ seats }: SessionState, playerUuid: string): Seat => {
  const seat = seats.get(playerUuid);
  if (!seat) throw new ServiceError('seat_not_found');
  return seat;
};
