// The rules of a join as a pure function: (session, command, now) → new session, or a thrown refusal.
import { isDeepStrictEqual } from 'node:util';
import type {
  CrossplayPreferences,
  InputDevice,
  Platform,
  PlayerStatus,
  VersionMatch,
} from '@muster/contract';
import { parseSemver } from '@muster/contract';
import { ServiceError } from '../platform/index.ts';
import { joinResults, removeExpiredSeats } from './seat-rules.ts';
import type { ChangeResult, Seat, SessionEvent, SessionState } from './session.ts';
import { changeSeats, checkRoom, findLeader, getTeam, isSeated, withSeat } from './session.ts';

export type JoinCommand = Pick<
  Seat,
  'playerUuid' | 'teamId' | 'status' | 'crossplay' | 'customData'
> & {
  /** The caller's account is the player, whatever the caller's permissions. */
  isSelf: boolean;
  clientVersion: string;
  platform: Platform;
  input: InputDevice;
  /** The legacy id that is stored for the player, or that a permitted caller gave. */
  playerId?: number | undefined;
};

/** Decides one join; null when it changes nothing. Removes the expired seats of other players. Errors: JOIN_ERROR_CODES of the contract. */
export const decideJoin = (
  stored: SessionState,
  given: JoinCommand,
  now: Date,
): ChangeResult | null => {
  const expiry = removeExpiredSeats(stored, now, given.playerUuid);
  const session = expiry?.session ?? stored;
  const current = session.seats.get(given.playerUuid);
  const command = withPlayerData(current, given);
  checkJoin(session, current, command);
  const seat = takeSeat(session, current, command, now);
  if (isDeepStrictEqual(current, seat)) return expiry;
  const seats = withSeat(session.seats, seat);
  return joinResults(expiry, changeSeats(session, seats, describeJoin(current, seat)));
};

/**
 * A self-join contains all player data: absent fields are cleared. A join on behalf of a seated player keeps absent
 * fields, since a backend does not know the player's data.
 */
const withPlayerData = (current: Seat | undefined, command: JoinCommand): JoinCommand =>
  command.isSelf
    ? command
    : {
        ...command,
        crossplay: command.crossplay ?? current?.crossplay,
        customData: command.customData ?? current?.customData,
      };

/** The order of the rules is part of the interface. */
const checkJoin = (
  session: SessionState,
  current: Seat | undefined,
  command: JoinCommand,
): void => {
  const team = getTeam(session, command.teamId);
  if (session.removedPlayers.has(command.playerUuid)) throw new ServiceError('player_removed');
  checkInstance(session, current, command);
  checkVersion(session, command);
  checkCrossplay(session, command);
  // A player who stays in a team needs no free slot. A player who changes teams needs one like a new player.
  if (current?.teamId !== command.teamId) checkRoom(session, team);
};

/**
 * A seated player keeps the seat in any instance, but a closed one accepts no change of teams. A held seat admits its
 * player to a session that is not joinable.
 */
const checkInstance = (
  { details }: SessionState,
  current: Seat | undefined,
  { teamId }: JoinCommand,
): void => {
  const joinStatus = details.instance?.join_status;
  const staysSeated = isSeated(current) && current?.teamId === teamId;
  if (joinStatus === 'closed' && !staysSeated) throw new ServiceError('instance_closed');
  if (isSeated(current)) return;
  if (joinStatus === 'unjoinable') throw new ServiceError('instance_unjoinable');
  if (!details.joinable && !current) throw new ServiceError('session_not_joinable');
};

const checkVersion = ({ rules, details }: SessionState, { clientVersion }: JoinCommand): void => {
  const { versionMatch } = rules;
  const version = details.instance?.version;
  if (isVersionCompatible(versionMatch, clientVersion, version)) return;
  const desc = `Client version ${clientVersion} does not match instance version ${version} (rule: ${versionMatch}).`;
  throw new ServiceError('version_incompatible', { desc });
};

/** A held seat counts with its own settings, so that a reservation can be taken. */
const checkCrossplay = ({ seats }: SessionState, command: JoinCommand): void => {
  const others = [...seats.values()].filter(({ playerUuid }) => playerUuid !== command.playerUuid);
  const conflict = findCrossplayConflict(command, others);
  if (!conflict) return;
  const { desc, other } = conflict;
  throw new ServiceError('crossplay_incompatible', { desc, otherPlayerUuid: other.playerUuid });
};

const takeSeat = (
  session: SessionState,
  current: Seat | undefined,
  command: JoinCommand,
  now: Date,
): Seat => {
  const status = resolveStatus(session, current, command);
  const held = !isSeated({ status });
  return {
    playerUuid: command.playerUuid,
    teamId: command.teamId,
    status,
    seatedAt: current?.seatedAt ?? now,
    // A known legacy id never changes.
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

/**
 * A join never demotes or removes a player. The first to arrive leads; only a caller who acts for others may appoint a
 * leader.
 */
const resolveStatus = (
  session: SessionState,
  current: Seat | undefined,
  { status, isSelf }: JoinCommand,
): PlayerStatus => {
  if (current?.status === 'leader') return 'leader';
  if (!isSeated({ status }) && !isSeated(current)) return status;
  if (!findLeader(session.seats)) return 'leader';
  return status === 'leader' && !isSelf ? 'leader' : 'member';
};

const describeJoin = (current: Seat | undefined, seat: Seat): SessionEvent => {
  const { playerUuid, teamId, status } = seat;
  const arrived = isSeated(seat) && !isSeated(current);
  const kind = arrived ? 'player_joined' : current ? 'player_updated' : 'player_invited';
  return { kind, playerUuid, detail: { team_id: teamId, status } };
};

const VERSION_PARTS = ['major', 'minor', 'patch', 'prerelease'] as const;

/** The number of parts that must be equal. Build metadata never counts (Semantic Versioning 2.0.0, section 10). */
const COMPARED: Record<VersionMatch, number> = { none: 0, major: 1, minor: 2, patch: 3, exact: 4 };

/**
 * Whether a client's version matches the instance's under the session type's rule. The parts compare as decimal
 * strings, since the grammar forbids leading zeros and has no upper limit.
 */
export const isVersionCompatible = (
  rule: VersionMatch,
  clientVersion: string,
  instanceVersion: string | undefined,
): boolean => {
  if (instanceVersion === undefined) return true;
  const client = parseSemver(clientVersion);
  const instance = parseSemver(instanceVersion);
  const compared = VERSION_PARTS.slice(0, COMPARED[rule]);
  return compared.every((part) => client?.[part] === instance?.[part]);
};

/** Unknown for a seat held by an invitation: it excludes no player and no player excludes it. */
type Client = Pick<Seat, 'platform' | 'input' | 'crossplay'>;

/**
 * Checks crossplay in both directions. Returns the first player whom the joiner cannot play with, or null. `desc` names
 * the preference and is public: it never identifies the other player.
 */
export const findCrossplayConflict = <Other extends Client>(
  joiner: Client,
  seated: Iterable<Other>,
): { desc: string; other: Other } | null => {
  for (const other of seated) {
    const own = findObjection(joiner, other);
    if (own) {
      return { desc: `The ${own} of the joining player excludes a player of the session.`, other };
    }
    const theirs = findObjection(other, joiner);
    if (theirs) {
      const desc = `The ${theirs} of a player of the session excludes the joining player.`;
      return { desc, other };
    }
  }
  return null;
};

/** The first preference of one player that excludes the other's client, or null. */
const findObjection = ({ crossplay }: Client, other: Client): string | null => {
  if (!crossplay) return null;
  const platform = PERMITTED_PLATFORM[crossplay.permitted_platform];
  if (platform && other.platform && platform !== other.platform) {
    return `permitted_platform (${crossplay.permitted_platform})`;
  }
  const input = PERMITTED_INPUT[crossplay.permitted_input];
  return input && other.input && input !== other.input
    ? `permitted_input (${crossplay.permitted_input})`
    : null;
};

const PERMITTED_PLATFORM: Record<CrossplayPreferences['permitted_platform'], Platform | null> = {
  desired_platforms_any: null,
  desired_platforms_xboxlike: 'XboxLive',
  desired_platforms_playstationlike: 'PSN',
};

const PERMITTED_INPUT: Record<CrossplayPreferences['permitted_input'], InputDevice | null> = {
  desired_inputs_any: null,
  desired_inputs_keyboardandmouse: 'keyboardandmouse',
  desired_inputs_gamepad: 'gamepad',
  desired_inputs_touch: 'touch',
};
