// The session: the immutable aggregate with its seats, the events of its timeline, and its keys. A change creates a new
// value.
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
  VersionMatch,
} from '@muster/contract';
import { canonicalPlatformSessionId } from '@muster/contract';
import { stringify, v7 as uuidv7 } from 'uuid';
import type { SessionEventKind } from '../events/index.ts';
import { ServiceError } from '../platform/index.ts';

export type SessionState = {
  readonly key: string;
  readonly type: string;
  readonly sessionId: string;
  /** Distinguishes sessions that had the same id at different times. */
  readonly incarnation: string;
  /** Counts the changes of the resource, from 1. */
  readonly version: number;
  readonly createdAt: Date;
  /** The last time that a player took a seat or left one. Not part of the resource. */
  readonly lastActivityAt?: Date | undefined;
  readonly rules: TypeRules;
  readonly details: SessionDetails;
  readonly teams: readonly TeamState[];
  /** By player UUID. */
  readonly seats: ReadonlyMap<string, Seat>;
  readonly platformSessions: readonly PlatformSessionState[];
  /** Players who may not join again. Not part of the resource. */
  readonly removedPlayers: ReadonlySet<string>;
  readonly disconnects: Disconnects;
};

export const NO_PLAYERS: ReadonlySet<string> = new Set();

/** The rules of the session's type. */
type TypeRules = {
  /** The time of their last change; absent for a type that was never described. */
  readonly since?: Date;
  readonly versionMatch: VersionMatch;
  /** How long seats are held, in seconds; absent: for ever. */
  readonly invitationTtlSeconds?: number | undefined;
  readonly reservationTtlSeconds?: number | undefined;
  /** How long a disconnected player keeps the seat. */
  readonly absentTtlSeconds?: number | undefined;
  /** When a session without seated players ends. */
  readonly idleTtlSeconds?: number | undefined;
  /** When a session ends in any case. */
  readonly maxAgeSeconds?: number | undefined;
};

/** For a session whose type was never described: patch must match, seats are held for ever. */
export const DEFAULT_TYPE_RULES: TypeRules = { versionMatch: 'patch' };

/** Fields that game backends set and joins do not change. */
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

/** A taken seat, or one that is held for a player who has not arrived. */
export type Seat = {
  readonly playerUuid: string;
  readonly teamId: number;
  readonly status: PlayerStatus;
  /** When it was first taken or held. Orders the players of a team and never changes. */
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
  /** Hex SHA-256 of the platform and the canonical id, by which joins look it up. */
  readonly digest: string;
  readonly platform: Platform;
  readonly type: string;
  readonly idBase64: string;
  readonly customData?: StringMap | undefined;
};

/** The times since which seated players are disconnected, by player UUID. Not part of the resource, so they change no version. */
export type Disconnects = ReadonlyMap<string, Date>;

/** `endedAt` is absent while the session lives. */
export type ListedSession = { session: SessionState; endedAt?: Date };

/** The session after a change, and its events in order. */
export type ChangeResult = {
  session: SessionState;
  events: SessionEvent[];
  /** Disconnects that the change depends on: it is written only while they are stored as they were read. */
  stillDisconnected?: Disconnects;
};

/** Decides a change of a session; null when it changes nothing. */
export type Apply = (session: SessionState, now: Date) => ChangeResult | null;

export const changed = (session: SessionState, ...events: SessionEvent[]): ChangeResult => ({
  session,
  events,
});

/** An event of a session, for its timeline and the feed. */
export type SessionEvent = {
  readonly kind: SessionEventKind;
  readonly playerUuid?: string | undefined;
  readonly detail?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Beyond the limit of the timeline: only the feed has it. */
  readonly unlisted?: true;
};

type Seats = SessionState['seats'];

/** Leaders and members have arrived; invited and reserved seats wait for their player. */
export const isSeated = (seat: Pick<Seat, 'status'> | undefined): boolean =>
  seat?.status === 'leader' || seat?.status === 'member';

export const findLeader = (seats: Seats): Seat | null => {
  for (const seat of seats.values()) if (seat.status === 'leader') return seat;
  return null;
};

/** Errors: `team_not_found`. */
export const getTeam = ({ teams }: SessionState, teamId: number): TeamState => {
  const team = teams.find((candidate) => candidate.teamId === teamId);
  if (!team) throw new ServiceError('team_not_found');
  return team;
};

/** Held seats count like taken ones. Errors: `team_full`; `session_full` when every team is full. */
export const checkRoom = ({ seats, teams }: SessionState, team: TeamState): void => {
  const hasRoom = ({ teamId, maxSize }: TeamState) => countSeats(seats, teamId) < maxSize;
  if (!hasRoom(team)) throw new ServiceError(teams.some(hasRoom) ? 'team_full' : 'session_full');
};

export const countSeats = (seats: Seats, teamId: number): number => {
  let count = 0;
  for (const seat of seats.values()) if (seat.teamId === teamId) count += 1;
  return count;
};

/** Held seats count like taken ones. */
export type Fill = 'empty' | 'open' | 'full';

export const fillOf = ({ seats, teams }: Pick<SessionState, 'seats' | 'teams'>): Fill => {
  if (seats.size === 0) return 'empty';
  const room = teams.reduce((sum, { maxSize }) => sum + maxSize, 0);
  return seats.size < room ? 'open' : 'full';
};

/** The events of a change, and the one of a session that has become full. Null before a session is created. */
export const withFullEvent = (
  before: SessionState | null,
  after: SessionState,
  events: readonly SessionEvent[],
): readonly SessionEvent[] => {
  if (fillOf(after) !== 'full' || (before && fillOf(before) === 'full')) return events;
  // Beyond the limit of the timeline, like the change of the player who took the last seat.
  const isUnlisted = events.some(({ unlisted }) => unlisted);
  return [...events, { kind: 'session_full', ...(isUnlisted && { unlisted: true }) }];
};

/** A new leader makes the old one a member. */
export const withSeat = (seats: Seats, seat: Seat): Seats => {
  const next = new Map(seats).set(seat.playerUuid, seat);
  const leader = seat.status === 'leader' && findLeader(seats);
  return leader && leader.playerUuid !== seat.playerUuid
    ? next.set(leader.playerUuid, { ...leader, status: 'member' })
    : next;
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

/** Returns true when a period that began at `start` and lasts `ttlSeconds` is over. Without either it never ends. */
const isOver = (start: Date | undefined, ttlSeconds: number | undefined, now: Date): boolean =>
  start !== undefined &&
  ttlSeconds !== undefined &&
  start.getTime() + ttlSeconds * 1000 <= now.getTime();

/** Whether the session has reached the age limit of its type, or its idle limit without seated players. */
export const isOutlived = (session: SessionState, now: Date): boolean => {
  const { createdAt, lastActivityAt = createdAt, rules, seats } = session;
  if (isOver(createdAt, rules.maxAgeSeconds, now)) return true;
  return isOver(lastActivityAt, rules.idleTtlSeconds, now) && ![...seats.values()].some(isSeated);
};

/** The players who were disconnected for too long, with the times of their disconnects. */
export const findOverdue = (
  { disconnects, seats, rules }: SessionState,
  now: Date,
): Map<string, Date> =>
  new Map(
    [...disconnects].filter(
      ([playerUuid, since]) => seats.has(playerUuid) && isOver(since, rules.absentTtlSeconds, now),
    ),
  );

/** The events of seats that expired. */
export const describeExpiries = (before: SessionState, after: SessionState): SessionEvent[] => {
  if (before.seats === after.seats) return [];
  const expired = [...before.seats.values()].filter((seat) => !after.seats.has(seat.playerUuid));
  return expired.map(({ playerUuid, teamId, status }) => ({
    kind: 'seat_expired',
    playerUuid,
    detail: { team_id: teamId, status },
  }));
};

/** The event of a new leader, if there is one. */
export const describeSuccession = (before: Seats, after: Seats): SessionEvent[] => {
  const leader = findLeader(after);
  if (!leader || before.get(leader.playerUuid)?.status === 'leader') return [];
  return [{ kind: 'leader_changed', playerUuid: leader.playerUuid }];
};

export const changeSeats = (
  session: SessionState,
  seats: Seats,
  ...events: SessionEvent[]
): ChangeResult =>
  changed({ ...session, seats }, ...events, ...describeSuccession(session.seats, seats));

/** Joins change seats only; the other parts of a state are compared by identity, since states are immutable. */
export const hasNewStructure = (before: SessionState, after: SessionState): boolean =>
  before.details !== after.details ||
  before.teams !== after.teams ||
  before.removedPlayers !== after.removedPlayers ||
  before.platformSessions !== after.platformSessions;

export type SessionName = Pick<SessionState, 'type' | 'sessionId'>;

/**
 * The key of a session: SHA-256 of (type, session_id) in the layout of UUID version 8 (RFC 9562 section 5.8). The
 * length before the type keeps ("ab", "c") and ("a", "bc") apart.
 */
export const sessionKeyOf = ({ type, sessionId }: SessionName): string => {
  const prefix = `${Buffer.byteLength(type)}:${type}:`;
  const bytes = hash('sha256', `${prefix}${sessionId}`, 'buffer').subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return stringify(bytes);
};

/** The digest of a platform session, the same for all four spellings of its id, as lower-case hex. */
export const platformSessionDigest = (platform: Platform, idBase64: string): string =>
  hash('sha256', `${platform}:${canonicalPlatformSessionId(idBase64)}`, 'hex');

/** Events of the same time sort by `sequence`, an integer from 0. The id is a UUID version 7 (RFC 9562 section 5.7). */
export const newEventId = (at: Date, sequence?: number): string =>
  uuidv7({
    msecs: at.getTime(),
    random: drawRandom(),
    ...(sequence !== undefined && { seq: sequence }),
  });

const ID_BYTES = 16;
/** Enough for 256 ids: requesting random bytes costs several times more than the rest of an id. */
const random = new Uint8Array(256 * ID_BYTES);
let drawn = random.length;

const drawRandom = (): Uint8Array => {
  if (drawn === random.length) {
    getRandomValues(random);
    drawn = 0;
  }
  drawn += ID_BYTES;
  return random.subarray(drawn - ID_BYTES, drawn);
};
