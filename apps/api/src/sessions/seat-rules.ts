// Changes of seats by game backends and admins, and the succession of leaders: pure functions on the aggregate.
import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../platform/index.ts';
import type { Apply, ChangeResult, Seat, SessionState } from './session.ts';
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
const withoutPlayers = (seats: Seats, gone: Iterable<string>): Seats => {
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
  (apply: Apply): Apply =>
  (stored, now) => {
    const expiry = removeExpiredSeats(stored, now);
    const result = apply(expiry?.session ?? stored, now);
    return result && joinResults(expiry, result);
  };

/** Applies a change to the session with its expired seats, and then removes them: for changes that remove such a seat. */
export const beforeExpiry =
  (apply: Apply): Apply =>
  (stored, now) => {
    const result = apply(stored, now);
    const expiry = removeExpiredSeats(result?.session ?? stored, now);
    return expiry ? joinResults(result, expiry) : result;
  };

/** The result of a change after another one. */
export const joinResults = (first: ChangeResult | null, second: ChangeResult): ChangeResult =>
  first ? { ...first, ...second, events: [...first.events, ...second.events] } : second;

/** A held seat with its terms. */
export type Invitation = Pick<
  Seat,
  'playerUuid' | 'playerId' | 'teamId' | 'invitingPlayerUuid' | 'sourceSessionId'
> & {
  status: 'invited' | 'reserved';
  /** Counts the life of the seat from now instead of the first invitation. */
  renew?: boolean | undefined;
};

/**
 * Holds a seat for a player. Inviting a seated player to the same team changes nothing. A held seat takes the terms of
 * the new invitation and keeps the time of the first one, unless `renew` is true. Errors: `player_seated`,
 * `team_not_found`, `team_full`, `session_full`.
 */
export const invitePlayer = (
  session: SessionState,
  { renew = false, ...terms }: Invitation,
  now: Date,
): ChangeResult | null => {
  const { playerUuid, teamId, status } = terms;
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
    ...terms,
    invitedAt: renew ? now : held.invitedAt,
    // A known legacy id never changes.
    playerId: terms.playerId ?? current?.playerId,
  };
  if (isDeepStrictEqual(seat, current)) return null;
  const detail = { team_id: teamId, status };
  const invited = { kind: 'player_invited', playerUuid, detail } as const;
  return changeSeats(readmit(session, playerUuid), withSeat(session.seats, seat), invited);
};

const readmit = (session: SessionState, playerUuid: string): SessionState => {
  if (!session.removedPlayers.has(playerUuid)) return session;
  const removedPlayers = new Set(session.removedPlayers);
  removedPlayers.delete(playerUuid);
  return { ...session, removedPlayers };
};

/** Holds seats for a party: for all of its players, or for none. Errors as for one player. */
export const invitePlayers = (
  session: SessionState,
  invitations: readonly Invitation[],
  now: Date,
): ChangeResult | null =>
  invitations.reduce<ChangeResult | null>((result, invitation) => {
    const next = invitePlayer(result?.session ?? session, invitation, now);
    return next ? joinResults(result, next) : result;
  }, null);

/** `preventRejoin`: every join of the player is refused until a new invitation. */
type Removal = Pick<Seat, 'playerUuid'> & { preventRejoin?: boolean | undefined };

const MOST_REMOVED = 1_000;

/**
 * Removes a player's seat; the most senior member succeeds a leader. Errors: `seat_not_found`; `session_too_large` when
 * the session already refuses 1,000 removed players.
 */
export const removePlayer = (
  session: SessionState,
  { playerUuid, preventRejoin = false }: Removal,
): ChangeResult | null => {
  // A repeated call finds no seat.
  if (preventRejoin && session.removedPlayers.has(playerUuid)) return null;
  const { teamId, status } = getSeat(session, playerUuid);
  const seats = withoutPlayers(session.seats, [playerUuid]);
  if (!preventRejoin) {
    const detail = { team_id: teamId, status };
    return changeSeats(session, seats, { kind: 'player_removed', playerUuid, detail });
  }
  if (session.removedPlayers.size >= MOST_REMOVED) {
    const desc = `A session refuses at most ${MOST_REMOVED.toLocaleString('en-US')} removed players.`;
    throw new ServiceError('session_too_large', { desc });
  }
  const removedPlayers = new Set(session.removedPlayers).add(playerUuid);
  const detail = { team_id: teamId, status, prevent_rejoin: true };
  const removed = { kind: 'player_removed', playerUuid, detail } as const;
  return changeSeats({ ...session, removedPlayers }, seats, removed);
};

/** The player gives up a taken seat or declines a held one. Null without a seat. */
export const leaveSession = (session: SessionState, playerUuid: string): ChangeResult | null => {
  const seat = session.seats.get(playerUuid);
  if (!seat) return null;
  const detail = { team_id: seat.teamId, status: seat.status };
  const left = { kind: 'player_left', playerUuid, detail } as const;
  return changeSeats(session, withoutPlayers(session.seats, [playerUuid]), left);
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

/**
 * Exchanges the teams of two players with taken or held seats, also in full teams. Errors: `seat_not_found` for either
 * player.
 */
export const swapPlayers = (
  session: SessionState,
  [one, other]: readonly [string, string],
): ChangeResult | null => {
  const [first, second] = [getSeat(session, one), getSeat(session, other)];
  if (first.teamId === second.teamId) return null;
  const move = ({ playerUuid, teamId }: Seat, to: Seat) =>
    ({
      kind: 'player_moved',
      playerUuid,
      detail: { team_id: to.teamId, from_team_id: teamId },
    }) as const;
  const seats = new Map(session.seats)
    .set(first.playerUuid, { ...first, teamId: second.teamId })
    .set(second.playerUuid, { ...second, teamId: first.teamId });
  return changeSeats(session, seats, move(first, second), move(second, first));
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
