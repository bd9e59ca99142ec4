// The join rules: (session, request, now) → new session or refusal. Pure; no clock, no database.

import { isDeepStrictEqual } from 'node:util';
import type {
  CrossplayPreferences,
  ErrorCode,
  InputDevice,
  Platform,
  PlayerStatus,
} from '@muster/contract';
import type { Seat, SessionEvent, SessionState, StringMap } from '../sessions/index.ts';
import {
  describeExpiries,
  findLeader,
  fullness,
  hasRoom,
  isSeated,
  withoutExpiredSeats,
  withSeat,
} from '../sessions/index.ts';
import { findCrossplayConflict } from './crossplay-rule.ts';
import { isVersionCompatible } from './version-rule.ts';

export type JoinCommand = {
  playerUuid: string;
  /** The caller's account is the player, whatever the caller's permissions. */
  isSelf: boolean;
  status: PlayerStatus;
  teamId: number;
  clientVersion: string;
  platform: Platform;
  input: InputDevice;
  crossplay?: CrossplayPreferences | undefined;
  customData?: StringMap | undefined;
  /** The legacy id that is known for the player, or that a caller with the right to record it gave. */
  playerId?: number | undefined;
};

export type JoinRefusal = { code: ErrorCode; desc?: string };

export type JoinDecision =
  | { kind: 'refused'; refusal: JoinRefusal }
  | { kind: 'unchanged' }
  | { kind: 'changed'; session: SessionState; events: SessionEvent[] };

/** Decides one join. The order of the rules is part of the interface. */
export const decideJoin = (stored: SessionState, command: JoinCommand, now: Date): JoinDecision => {
  const session = withoutExpiredSeats(stored, now);
  const current = session.seats.get(command.playerUuid);
  const refusal = findRefusal(session, current, command);
  if (refusal) return { kind: 'refused', refusal };

  const seat = takeSeat(session, current, command, now);
  if (current && isDeepStrictEqual(current, seat)) return { kind: 'unchanged' };
  return {
    kind: 'changed',
    session: { ...session, seats: seatPlayer(session, seat) },
    events: [...describeExpiries(stored, session), ...describeChange(session, current, seat)],
  };
};

const findRefusal = (
  session: SessionState,
  current: Seat | undefined,
  command: JoinCommand,
): JoinRefusal | null => {
  if (!session.teams.some((team) => team.teamId === command.teamId))
    return { code: 'team_not_found' };
  return (
    (current && isSeated(current) ? null : findClosedDoor(session, current)) ??
    findIncompatibility(session, command) ??
    findLackOfRoom(session, current, command)
  );
};

/** Doors that only players without a seat find closed. A held seat opens a session that is not joinable. */
const findClosedDoor = ({ details }: SessionState, held: Seat | undefined): JoinRefusal | null => {
  const joinStatus = details.instance?.join_status;
  if (joinStatus === 'closed') return { code: 'instance_closed' };
  if (joinStatus === 'unjoinable') return { code: 'instance_unjoinable' };
  return details.joinable || held ? null : { code: 'session_not_joinable' };
};

const findIncompatibility = (session: SessionState, command: JoinCommand): JoinRefusal | null => {
  const { versionMatch } = session.rules;
  const version = session.details.instance?.version;
  if (!isVersionCompatible(versionMatch, command.clientVersion, version)) {
    const desc = `Client version ${command.clientVersion} does not match instance version ${version} (rule: ${versionMatch}).`;
    return { code: 'version_incompatible', desc };
  }
  const others = [...session.seats.values()].filter(
    (seat) => isSeated(seat) && seat.playerUuid !== command.playerUuid,
  );
  const desc = findCrossplayConflict(command, others);
  return desc ? { code: 'crossplay_incompatible', desc } : null;
};

/** A player who stays in a team needs no room; one who changes teams needs it like a new one. */
const findLackOfRoom = (
  session: SessionState,
  current: Seat | undefined,
  command: JoinCommand,
): JoinRefusal | null => {
  if (current?.teamId === command.teamId) return null;
  const team = session.teams.find(({ teamId }) => teamId === command.teamId);
  return team && hasRoom(session.seats, team) ? null : { code: fullness(session) };
};

/** The seat after the join. A join states all player data: what is absent is cleared. */
const takeSeat = (
  session: SessionState,
  current: Seat | undefined,
  command: JoinCommand,
  now: Date,
): Seat => {
  const status = resolveStatus(session, current, command);
  const held = status === 'invited' || status === 'reserved';
  return {
    playerUuid: command.playerUuid,
    teamId: command.teamId,
    status,
    seatedAt: current?.seatedAt ?? now,
    // Once known, a legacy id is the player's for ever.
    playerId: command.playerId ?? current?.playerId,
    platform: command.platform,
    input: command.input,
    clientVersion: command.clientVersion,
    crossplay: command.crossplay,
    customData: command.customData,
    invitingPlayerUuid: current?.invitingPlayerUuid,
    sourceSessionId: current?.sourceSessionId,
    invitedAt: current?.invitedAt ?? (held ? now : undefined),
    joinedAt: held ? undefined : (current?.joinedAt ?? now),
  };
};

/** No join demotes or unseats; the first to arrive leads; only who acts for others may appoint a leader. */
const resolveStatus = (
  session: SessionState,
  current: Seat | undefined,
  { status, isSelf }: JoinCommand,
): PlayerStatus => {
  const asksForHold = status === 'invited' || status === 'reserved';
  if (current?.status === 'leader') return 'leader';
  if (asksForHold && !(current && isSeated(current))) return status;
  if (!findLeader(session.seats)) return 'leader';
  return status === 'leader' && !isSelf ? 'leader' : 'member';
};

/** A new leader makes the old one a member. */
const seatPlayer = (session: SessionState, seat: Seat): ReadonlyMap<string, Seat> => {
  const seats = withSeat(session.seats, seat);
  const leader = findLeader(session.seats);
  const replaced = seat.status === 'leader' && leader && leader.playerUuid !== seat.playerUuid;
  return replaced ? withSeat(seats, { ...leader, status: 'member' }) : seats;
};

const describeChange = (
  session: SessionState,
  current: Seat | undefined,
  seat: Seat,
): SessionEvent[] => {
  const { playerUuid, teamId, status } = seat;
  const arrived = isSeated(seat) && !(current && isSeated(current));
  const kind = arrived ? 'player_joined' : current ? 'player_updated' : 'player_invited';
  const events: SessionEvent[] = [{ kind, playerUuid, detail: { team_id: teamId, status } }];
  const leader = findLeader(session.seats);
  if (status === 'leader' && leader?.playerUuid !== playerUuid) {
    events.push({ kind: 'leader_changed', playerUuid });
  }
  return events;
};
