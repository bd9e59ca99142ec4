// The session: the immutable aggregate that the rules read, the events of its timeline, the resource that
// clients see, and the keys it is stored under. A change makes a new value beside the old one.
import { getRandomValues, hash } from 'node:crypto';
import type {
  Backfill,
  Browser,
  CrossplayPreferences,
  InputDevice,
  Instance,
  Match,
  Matchmaking,
  MatchmakingResults,
  Platform,
  PlayerStatus,
  Session,
  VersionMatch,
} from '@muster/contract';
import { canonicalPlatformSessionId } from '@muster/contract';
import { v7 as uuidv7 } from 'uuid';

export type SessionState = {
  readonly key: string;
  readonly type: string;
  readonly sessionId: string;
  /** Tells apart two sessions that held the same id one after the other. */
  readonly incarnation: string;
  /** Counts the changes of the resource, from 1. */
  readonly version: number;
  readonly createdAt: Date;
  readonly rules: TypeRules;
  readonly details: SessionDetails;
  readonly teams: readonly TeamState[];
  /** By player UUID. */
  readonly seats: ReadonlyMap<string, Seat>;
  readonly platformSessions: readonly PlatformSessionState[];
  readonly disconnects: Disconnects;
};

/** The rules of the session's type that joins obey. */
export type TypeRules = {
  /** When they were last changed; absent for a type that was never described. */
  readonly since?: Date;
  readonly versionMatch: VersionMatch;
  /** How long seats are held, in seconds; absent: for ever. */
  readonly invitationTtlSeconds?: number | undefined;
  readonly reservationTtlSeconds?: number | undefined;
  /** How long a disconnected player keeps the seat; only the sweeper takes it away. */
  readonly absentTtlSeconds?: number | undefined;
};

/** For a session whose type was never described: patch must match, seats are held for ever. */
export const DEFAULT_TYPE_RULES: TypeRules = { versionMatch: 'patch' };

/** What game backends set and joins leave alone. */
export type SessionDetails = {
  readonly joinable: boolean;
  readonly regionId?: string | undefined;
  readonly createdByMatchmaking?: boolean | undefined;
  readonly customData?: StringMap | undefined;
  readonly instance?: Instance | undefined;
  readonly match?: Match | undefined;
  readonly matchmaking?: Matchmaking | undefined;
  readonly matchmakingResults?: MatchmakingResults | undefined;
  readonly backfill?: Backfill | undefined;
  readonly browser?: Browser | undefined;
};

export type StringMap = Readonly<Record<string, string>>;

export type TeamState = {
  readonly teamId: number;
  readonly maxSize: number;
  readonly ticketIds?: readonly string[] | undefined;
  readonly customData?: StringMap | undefined;
};

/** A seat that a player has taken, or one that is held for a player who has not arrived. */
export type Seat = {
  readonly playerUuid: string;
  readonly teamId: number;
  readonly status: PlayerStatus;
  /** When it was first taken or held; orders the players of a team and never changes. */
  readonly seatedAt: Date;
  readonly playerId?: number | undefined;
  readonly platform?: Platform | undefined;
  readonly input?: InputDevice | undefined;
  readonly clientVersion?: string | undefined;
  readonly crossplay?: CrossplayPreferences | undefined;
  readonly customData?: StringMap | undefined;
  readonly invitingPlayerUuid?: string | undefined;
  readonly sourceSessionId?: string | undefined;
  readonly invitedAt?: Date | undefined;
  readonly joinedAt?: Date | undefined;
};

export type PlatformSessionState = {
  /** Hex SHA-256 of the platform and the canonical id; what a join looks it up by. */
  readonly digest: string;
  readonly platform: Platform;
  readonly type: string;
  readonly idBase64: string;
  readonly customData?: StringMap | undefined;
};

/**
 * Since when seated players are disconnected, by player UUID. No part of the resource: it moves no version.
 */
export type Disconnects = ReadonlyMap<string, Date>;

/** The session after a change and what happened to it, in order. */
export type ChangeResult = {
  session: SessionState;
  events: SessionEvent[];
  /** Disconnects that the change rests on: it is written only while they are stored as they were read. */
  stillDisconnected?: Disconnects;
};

export const changed = (session: SessionState, ...events: SessionEvent[]): ChangeResult => ({
  session,
  events,
});

/** What happened to a session, for its timeline. */
export type SessionEvent = {
  readonly kind:
    | 'session_created'
    | 'session_updated'
    | 'session_ended'
    | 'instance_set'
    | 'platform_session_added'
    | 'platform_session_removed'
    | 'player_invited'
    | 'player_joined'
    | 'player_updated'
    | 'player_removed'
    | 'player_moved'
    | 'player_absent'
    | 'player_present'
    | 'leader_changed'
    | 'seat_expired'
    | 'join_refused';
  readonly playerUuid?: string | undefined;
  readonly detail?: Readonly<Record<string, string | number | boolean>> | undefined;
};

/** Joins change seats only; the other parts of a state are compared by identity, since states are immutable. */
export const hasNewStructure = (before: SessionState, after: SessionState): boolean =>
  before.details !== after.details ||
  before.teams !== after.teams ||
  before.platformSessions !== after.platformSessions;

/** The strong validator of a session (RFC 9110 section 8.8.3), quotes included. */
export const etagOf = ({ incarnation, version }: SessionState): string =>
  `"${incarnation}-${version}"`;

/** The public resource. One function writes it, so that equal states are equal bytes. */
export const toSessionResource = (session: SessionState): Session => {
  const { details } = session;
  return {
    type: session.type,
    session_id: session.sessionId,
    instance: details.instance,
    match: details.match,
    matchmaking_results: details.matchmakingResults,
    matchmaking: details.matchmaking,
    backfill: details.backfill,
    browser: details.browser,
    joinable: details.joinable,
    teams: toTeams(session),
    platform_session: session.platformSessions.map(toPlatformSession),
    custom_data: details.customData,
    created: session.createdAt.toISOString(),
    region_id: details.regionId,
    created_by_matchmaking: details.createdByMatchmaking,
  };
};

const toTeams = ({ teams, seats }: SessionState): Session['teams'] => {
  const ordered = [...seats.values()].sort(bySeatOrder);
  return teams.map((team) => toTeam(team, ordered));
};

/** First seated first; the UUID decides between seats of one moment. */
const bySeatOrder = (a: Seat, b: Seat): number =>
  a.seatedAt.getTime() - b.seatedAt.getTime() || (a.playerUuid < b.playerUuid ? -1 : 1);

const toTeam = (team: TeamState, ordered: readonly Seat[]): Session['teams'][number] => ({
  players: ordered.filter((seat) => seat.teamId === team.teamId).map(toSessionPlayer),
  max_size: team.maxSize,
  team_id: team.teamId,
  ticket_ids: team.ticketIds && [...team.ticketIds],
  custom_data: team.customData,
});

export const toSessionPlayer = (seat: Seat): Session['teams'][number]['players'][number] => ({
  player_id: seat.playerId,
  player_uuid: seat.playerUuid,
  status: seat.status,
  inviting_player_uuid: seat.invitingPlayerUuid,
  source_session_id: seat.sourceSessionId,
  custom_data: seat.customData,
  version: seat.clientVersion,
  client_settings: seat.input && { platform: seat.platform, input: seat.input },
  crossplay_preferences: seat.crossplay,
  invited: seat.invitedAt?.toISOString(),
  joined: seat.joinedAt?.toISOString(),
});

const toPlatformSession = (
  platformSession: PlatformSessionState,
): Session['platform_session'][number] => ({
  platform: platformSession.platform,
  platform_session_type: platformSession.type,
  platform_session_id_base64: platformSession.idBase64,
  players: [],
  custom_data: platformSession.customData,
});

/**
 * Resources that several responses share: the joins of one batch are answered with the same session, which
 * holds every seat, and there may be as many joins as seats. Held weakly, since a resource may be large and
 * its state may stay cached longer.
 */
const shared = new WeakMap<SessionState, WeakRef<Session> | null>();

/** Call before several responses carry this state. */
export const enableResponseSharing = (session: SessionState): void => {
  shared.set(session, null);
};

/** The resource of a response; frozen when other responses share it. */
export const toResponseBody = (session: SessionState): Session => {
  const known = shared.get(session);
  if (known === undefined) return toSessionResource(session);
  const resource = known?.deref() ?? Object.freeze(toSessionResource(session));
  shared.set(session, new WeakRef(resource));
  return resource;
};

/**
 * The key of a session: SHA-256 of (type, session_id) in the layout of UUID version 8 (RFC 9562
 * section 5.8). The length in front of the type keeps ("ab", "c") and ("a", "bc") apart.
 */
export const sessionKeyOf = (type: string, sessionId: string): string => {
  const prefix = `${Buffer.byteLength(type)}:${type}:`;
  const bytes = hash('sha256', `${prefix}${sessionId}`, 'buffer').subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [8, 12, 16, 20].reduceRight((id, at) => `${id.slice(0, at)}-${id.slice(at)}`, hex);
};

/** The digest that names a platform session in all four spellings of its id, as lower-case hex. */
export const platformSessionDigest = (platform: Platform, idBase64: string): string =>
  hash('sha256', `${platform}:${canonicalPlatformSessionId(idBase64)}`, 'hex');

/**
 * Events of one moment sort by `sequence`, an integer from 0. The id is a UUID version 7 (RFC 9562 section
 * 5.7).
 */
export const newEventId = (at: Date, sequence?: number): string =>
  uuidv7({
    ...{ msecs: at.getTime(), random: drawRandom() },
    ...(sequence !== undefined && { seq: sequence }),
  });

const ID_BYTES = 16;
/**
 * Random bytes for this many ids are drawn at once: asking the system for them costs several times what the
 * rest of an id does.
 */
const IDS_PER_DRAW = 256;

const random = new Uint8Array(IDS_PER_DRAW * ID_BYTES);
let drawn = random.length;

const drawRandom = (): Uint8Array => {
  if (drawn === random.length) {
    getRandomValues(random);
    drawn = 0;
  }
  drawn += ID_BYTES;
  return random.subarray(drawn - ID_BYTES, drawn);
};
