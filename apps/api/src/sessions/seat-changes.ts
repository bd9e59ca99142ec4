// What game backends and admins do to seats, as pure functions on the aggregate.
import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../errors/service-error.ts';
import type { ChangeResult } from './change-result.ts';
import { changed } from './change-result.ts';
import {
  describeExpiries,
  describeSuccession,
  findLeader,
  fullness,
  hasRoom,
  isSeated,
  withoutExpiredSeats,
  withoutPlayer,
  withSeat,
} from './seat-rules.ts';
import type { Seat, SessionState } from './session-state.ts';

export type Invitation = {
  playerUuid: string;
  teamId: number;
  status: 'invited' | 'reserved';
  invitingPlayerUuid?: string | undefined;
  sourceSessionId?: string | undefined;
};

/**
 * Holds a seat for a player. One who is seated already stays seated; a held seat takes the new terms.
 * Errors: `team_not_found`, `team_full`, `session_full`.
 */
export const invitePlayer = (
  stored: SessionState,
  invitation: Invitation,
  now: Date,
): ChangeResult | null => {
  const session = withoutExpiredSeats(stored, now);
  const { playerUuid, teamId, status } = invitation;
  const team = session.teams.find((candidate) => candidate.teamId === teamId);
  if (!team) throw new ServiceError('team_not_found');
  const current = session.seats.get(playerUuid);
  if (current && isSeated(current)) return null;
  if (current?.teamId !== teamId && !hasRoom(session.seats, team)) {
    throw new ServiceError(fullness(session));
  }
  const seat: Seat = { ...(current ?? newHeldSeat(playerUuid, now)), ...invitation };
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

/** Takes a player's seat away; a leader is followed by the most senior member. */
export const removePlayer = (session: SessionState, playerUuid: string): ChangeResult => {
  const seat = session.seats.get(playerUuid);
  if (!seat) throw new ServiceError('seat_not_found');
  const seats = withoutPlayer(session.seats, playerUuid);
  const detail = { team_id: seat.teamId, status: seat.status };
  return changed(
    { ...session, seats },
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
  const seat = session.seats.get(playerUuid);
  if (!seat) throw new ServiceError('seat_not_found');
  const team = session.teams.find((candidate) => candidate.teamId === teamId);
  if (!team) throw new ServiceError('team_not_found');
  if (seat.teamId === teamId) return null;
  if (!hasRoom(session.seats, team)) throw new ServiceError(fullness(session));
  const seats = withSeat(session.seats, { ...seat, teamId });
  const detail = { team_id: teamId, from_team_id: seat.teamId };
  const moved = { kind: 'player_moved', playerUuid, detail } as const;
  return changed({ ...session, seats }, ...describeExpiries(stored, session), moved);
};

/** Makes a member the leader and the leader a member. Errors: `seat_not_found`, `seat_held`. */
export const promotePlayer = (session: SessionState, playerUuid: string): ChangeResult | null => {
  const seat = session.seats.get(playerUuid);
  if (!seat) throw new ServiceError('seat_not_found');
  if (!isSeated(seat)) throw new ServiceError('seat_held');
  const leader = findLeader(session.seats);
  if (leader === seat) return null;
  const demoted = leader ? withSeat(session.seats, { ...leader, status: 'member' }) : session.seats;
  const seats = withSeat(demoted, { ...seat, status: 'leader' });
  return changed({ ...session, seats }, { kind: 'leader_changed', playerUuid });
};
