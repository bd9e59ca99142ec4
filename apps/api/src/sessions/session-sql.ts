// The hot statements of sessions, with their rows and parameters.
//
// The SQL is written by hand because it batches many sessions per statement, which Prisma cannot express. Every
// statement uses one colocation group, by its session_key, with one generic plan: no index except a primary key may
// match its conditions, or a plan made while a table was small would keep reading that whole index.
import type {
  CrossplayPreferences,
  InputDevice,
  Platform,
  PlayerStatus,
  VersionMatch,
} from '@muster/contract';
import type { Prisma } from '@muster/database';
import type { AuditRow } from '../platform/index.ts';
import type {
  Disconnects,
  Seat,
  SessionDetails,
  SessionEvent,
  SessionState,
  StringMap,
} from './session.ts';
import { DEFAULT_TYPE_RULES, fillOf, NO_PLAYERS, newEventId } from './session.ts';

/** Not `IS NULL`, which would match the partial indexes of live sessions. */
const IS_LIVE = `coalesce(s.ended_at, 'infinity') = 'infinity'`;
const HAS_ENDED = `coalesce(s.ended_at, 'infinity') < 'infinity'`;

/** Milliseconds since 1970, exact for timestamptz(3). */
const toMs = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::bigint`;

/** Reads whole aggregates in one statement: session, teams, seats, platform sessions and the rules of the type. */
const readSessions = (name: string, columns: string, condition: string) => (shards: number) => {
  // The key of each table is explicit: when Citus has to infer a key, it reads the shards of all keys.
  const ofSession = (table: string) =>
    `${table}.session_key = s.session_key${shards === 1 ? '' : ` AND ${table}.session_key = ANY($1::uuid[])`}`;
  const text = `
    SELECT ${columns} s.session_key, s.type, s.session_id, s.incarnation, s.version, s.joinable,
      ${toMs('s.created_at')} AS created_at, ${toMs('s.last_activity_at')} AS last_activity_at, s.region_id,
      s.created_by_matchmaking, s.custom_data, s.instance, s.match, s.matchmaking,
      s.matchmaking_results, s.backfill, s.browser, s.removed_players,
      ${toMs('ty.updated_at')} AS rules_since,
      ty.version_match, ty.invitation_ttl_seconds, ty.reservation_ttl_seconds, ty.absent_ttl_seconds,
      ty.idle_ttl_seconds, ty.max_age_seconds,
      (SELECT json_agg(json_build_array(t.team_id, t.max_size, t.ticket_ids, t.custom_data)
                       ORDER BY t.position)
         FROM session_team t WHERE ${ofSession('t')}) AS teams,
      (SELECT json_agg(json_build_array(p.player_uuid, p.team_id, p.status, ${toMs('p.seated_at')},
                p.player_id, p.platform, p.input, p.client_version, p.permitted_platform, p.permitted_input,
                p.custom_data, p.inviting_player_uuid, p.source_session_id, ${toMs('p.invited_at')},
                ${toMs('p.joined_at')}, ${toMs('p.absent_since')}))
         FROM session_seat p WHERE ${ofSession('p')}) AS seats,
      (SELECT json_agg(json_build_array(encode(c.digest, 'hex'), c.platform,
                c.platform_session_type, c.id_base64, c.custom_data) ORDER BY c.position)
         FROM session_platform_session c WHERE ${ofSession('c')}) AS platform_sessions
    FROM session s LEFT JOIN session_type ty ON ty.type = s.type
    WHERE s.session_key = ANY($1::uuid[]) AND ${condition}`;
  return { name, text };
};

export const READ_SESSIONS = readSessions('read_sessions', '', IS_LIVE);

/** Ended sessions, for the lists of the admin API. */
export const READ_ENDED_SESSIONS = readSessions('read_ended_sessions', 's.ended_at,', HAS_ENDED);

/** A row of READ_SESSIONS. Times are milliseconds since 1970. */
export type SessionRow = {
  session_key: string;
  type: string;
  session_id: string;
  incarnation: string;
  version: number;
  joinable: boolean;
  created_at: number;
  last_activity_at: number | null;
  rules_since: number | null;
  version_match: VersionMatch | null;
  invitation_ttl_seconds: number | null;
  reservation_ttl_seconds: number | null;
  absent_ttl_seconds: number | null;
  idle_ttl_seconds: number | null;
  max_age_seconds: number | null;
  teams: TeamRow[] | null;
  seats: SeatRow[] | null;
  platform_sessions: PlatformSessionRow[] | null;
  region_id: string | null;
  created_by_matchmaking: boolean | null;
  custom_data: StringMap | null;
  instance: SessionDetails['instance'] | null;
  match: SessionDetails['match'] | null;
  matchmaking: SessionDetails['matchmaking'] | null;
  matchmaking_results: SessionDetails['matchmakingResults'] | null;
  backfill: SessionDetails['backfill'] | null;
  browser: SessionDetails['browser'] | null;
  removed_players: readonly string[];
};

type TeamRow = [number, number, string[] | null, StringMap | null];

export type SeatRow = [
  playerUuid: string,
  teamId: number,
  status: PlayerStatus,
  seatedAt: number,
  playerId: number | null,
  platform: Platform | null,
  input: InputDevice | null,
  clientVersion: string | null,
  permittedPlatform: CrossplayPreferences['permitted_platform'] | null,
  permittedInput: CrossplayPreferences['permitted_input'] | null,
  customData: StringMap | null,
  invitingPlayerUuid: string | null,
  sourceSessionId: string | null,
  invitedAt: number | null,
  joinedAt: number | null,
  absentSince: number | null,
];

type PlatformSessionRow = [string, Platform, string, string, StringMap | null];

export const toSessionState = (row: SessionRow): SessionState => ({
  key: row.session_key,
  type: row.type,
  sessionId: row.session_id,
  incarnation: row.incarnation,
  version: row.version,
  createdAt: new Date(row.created_at),
  lastActivityAt: toDate(row.last_activity_at),
  rules: row.version_match
    ? {
        since: new Date(row.rules_since ?? 0),
        versionMatch: row.version_match,
        invitationTtlSeconds: row.invitation_ttl_seconds ?? undefined,
        reservationTtlSeconds: row.reservation_ttl_seconds ?? undefined,
        absentTtlSeconds: row.absent_ttl_seconds ?? undefined,
        idleTtlSeconds: row.idle_ttl_seconds ?? undefined,
        maxAgeSeconds: row.max_age_seconds ?? undefined,
      }
    : DEFAULT_TYPE_RULES,
  details: {
    joinable: row.joinable,
    regionId: row.region_id ?? undefined,
    createdByMatchmaking: row.created_by_matchmaking ?? undefined,
    customData: row.custom_data ?? undefined,
    instance: row.instance ?? undefined,
    match: row.match ?? undefined,
    matchmaking: row.matchmaking ?? undefined,
    matchmakingResults: row.matchmaking_results ?? undefined,
    backfill: row.backfill ?? undefined,
    browser: row.browser ?? undefined,
  },
  teams: (row.teams ?? []).map(([teamId, maxSize, ticketIds, customData]) => ({
    teamId,
    maxSize,
    ticketIds: ticketIds ?? undefined,
    customData: customData ?? undefined,
  })),
  seats: new Map((row.seats ?? []).map((seat) => [seat[0], toSeat(seat)])),
  platformSessions: (row.platform_sessions ?? []).map((child) => ({
    digest: child[0],
    platform: child[1],
    type: child[2],
    idBase64: child[3],
    customData: child[4] ?? undefined,
  })),
  removedPlayers: row.removed_players.length === 0 ? NO_PLAYERS : new Set(row.removed_players),
  disconnects: toDisconnects(row.seats ?? []),
});

/** The columns of a session row that hold its details and removed players. */
export const toDetailRecord = ({
  details,
  removedPlayers,
}: Pick<SessionState, 'details' | 'removedPlayers'>) => ({
  joinable: details.joinable,
  region_id: details.regionId,
  created_by_matchmaking: details.createdByMatchmaking,
  custom_data: details.customData,
  instance: details.instance,
  match: details.match,
  matchmaking: details.matchmaking,
  matchmaking_results: details.matchmakingResults,
  backfill: details.backfill,
  browser: details.browser,
  removed_players: [...removedPlayers],
});

/** Every field is present, even if undefined: the rules compare whole seats. */
const toSeat = (row: SeatRow): Seat => ({
  playerUuid: row[0],
  teamId: row[1],
  status: row[2],
  seatedAt: new Date(row[3]),
  playerId: row[4] ?? undefined,
  platform: row[5] ?? undefined,
  input: row[6] ?? undefined,
  clientVersion: row[7] ?? undefined,
  crossplay: row[8] && row[9] ? { permitted_platform: row[8], permitted_input: row[9] } : undefined,
  customData: row[10] ?? undefined,
  invitingPlayerUuid: row[11] ?? undefined,
  sourceSessionId: row[12] ?? undefined,
  invitedAt: toDate(row[13]),
  joinedAt: toDate(row[14]),
});

const toDate = (milliseconds: number | null): Date | undefined =>
  milliseconds === null ? undefined : new Date(milliseconds);

const NO_DISCONNECTS: Disconnects = new Map();

/** Disconnects are rare: most sessions use this empty map. */
const toDisconnects = (seats: readonly SeatRow[]): Disconnects => {
  const disconnected = seats.filter((row) => row[15] !== null);
  if (disconnected.length === 0) return NO_DISCONNECTS;
  return new Map(disconnected.map((row) => [row[0], new Date(row[15] ?? 0)]));
};

/**
 * Checks whether a session is unchanged since it was read: its version, the rules of its type, and whether any player
 * is disconnected, which changes no version. Every row also lists those of the players $2 who have a legacy id: their
 * cached seats were written without it and are outdated. On a cluster, for sessions of one node (prisma/migrations,
 * 0023 and 0027).
 */
export const CHECK_SESSIONS = (shards: number) => ({
  name: 'check_sessions',
  text:
    shards > 1
      ? 'SELECT * FROM check_sessions_of_node(($1::uuid[])[1], $1::uuid[], $2::uuid[])'
      : CHECK_SESSIONS_AT_ONCE,
});

const CHECK_SESSIONS_AT_ONCE = `
    SELECT s.session_key, s.incarnation, s.version,
      ${toMs('ty.updated_at')} AS rules_since,
      coalesce((SELECT bool_or(p.absent_since IS NOT NULL)
        FROM session_seat p WHERE p.session_key = s.session_key), false) AS has_disconnects,
      (SELECT string_agg(l.player_uuid::text, ' ') FROM player_legacy_id l
        WHERE l.player_uuid = ANY($2::uuid[])) AS outdated_players
    FROM session s LEFT JOIN session_type ty ON ty.type = s.type
    WHERE s.session_key = ANY($1::uuid[]) AND ${IS_LIVE}`;

/**
 * Optimistic writes of several sessions ($2). The version of each increases by one only if it is the expected one ($3),
 * with the same incarnation and rules of the type. Only then are seats removed ($4), upserted ($5) and events appended
 * ($6), to the timeline and the outbox. A session that is not returned had a conflict. The functions are in prisma/migrations, 0023 and 0028: on a
 * cluster one for the sessions of a node, whose newcomers are registered before.
 */
export const WRITE_SESSIONS = (shards: number) => {
  const write = shards > 1 ? 'write_sessions_of_node' : 'write_sessions';
  const values = `$1::uuid, $2::uuid[], $3::json, $4::json, $5::json,
  $6::json, $7::uuid[]${shards > 1 ? '' : ', true'}`;
  return { name: 'write_sessions', text: `SELECT * FROM ${write}(${values})` };
};

/** The keys and ETags of the live sessions among `$1` as one text: thousands of rows would take far longer to read. */
export const READ_ETAGS = {
  name: 'read_etag_list',
  text: `
    SELECT string_agg(s.session_key || ' "' || s.incarnation || '-' || s.version || '"', ',') AS etags
    FROM session s WHERE s.session_key = ANY($1::uuid[]) AND ${IS_LIVE}`,
};

/** A change of one session: its state before and after. */
export type SessionWrite = {
  /** Its version must still be the stored one. */
  base: SessionState;
  next: SessionState;
  events: readonly TimedEvent[];
  /** Disconnects that must be stored as they were read, or nothing is written. */
  stillDisconnected?: Disconnects | undefined;
  /** Players who take their seats without a look-up, or are not registered: the write looks up their legacy ids. */
  newcomers?: ReadonlySet<string>;
  audits?: readonly AuditRow[];
  /** Set when the change ends the session. */
  endedAt?: Date;
  /** Steps that must commit with it. */
  steps?: readonly TransactionStep[];
};

/** A step that must commit together with a write, such as an audit record. An error rolls back the whole write. */
export type TransactionStep = (transaction: Prisma.TransactionClient) => Promise<void>;

/** An event with its stored time and account. */
export type TimedEvent = SessionEvent & { readonly accountId: string; readonly at: Date };

/** The parameters of WRITE_SESSIONS. */
export const toWriteParameters = (writes: readonly SessionWrite[]) => [
  writes[0]?.base.key,
  writes.map(({ base }) => base.key),
  JSON.stringify(writes.map(toExpected)),
  JSON.stringify(writes.flatMap(listRemovedSeats)),
  JSON.stringify(writes.flatMap(listWrittenSeats)),
  JSON.stringify(
    writes.flatMap(({ base, events }) => toEventRecords(base, base.version + 1, events)),
  ),
  writes.flatMap(({ newcomers = [] }) => [...newcomers]),
];

/** What the stored session must still be, and what the write stores in its row besides the version. */
const toExpected = ({ base, next }: SessionWrite) => ({
  session_key: base.key,
  version: base.version,
  incarnation: base.incarnation,
  rules_since: base.rules.since,
  fill: fillOf(next),
  active_at: next.lastActivityAt === base.lastActivityAt ? undefined : next.lastActivityAt,
});

const listRemovedSeats = ({ base, next }: SessionWrite) =>
  [...base.seats.keys()]
    .filter((playerUuid) => !next.seats.has(playerUuid))
    .map((playerUuid) => ({ session_key: base.key, player_uuid: playerUuid }));

/** New leaders come last, since a session has only one at a time. */
const listWrittenSeats = ({ base, next }: SessionWrite) =>
  [...next.seats.values()]
    .filter((seat) => base.seats.get(seat.playerUuid) !== seat)
    .sort((a, b) => Number(a.status === 'leader') - Number(b.status === 'leader'))
    .map((seat) => ({ session_key: base.key, ...toSeatRecord(seat) }));

/** JSON leaves out undefined members, and an absent field reads as NULL. */
export const toSeatRecord = (seat: Seat) => ({
  player_uuid: seat.playerUuid,
  team_id: seat.teamId,
  status: seat.status,
  seated_at: seat.seatedAt,
  player_id: seat.playerId,
  platform: seat.platform,
  input: seat.input,
  client_version: seat.clientVersion,
  permitted_platform: seat.crossplay?.permitted_platform,
  permitted_input: seat.crossplay?.permitted_input,
  custom_data: seat.customData,
  inviting_player_uuid: seat.invitingPlayerUuid,
  source_session_id: seat.sourceSessionId,
  invited_at: seat.invitedAt,
  joined_at: seat.joinedAt,
});

/** Events of the same time sort by the sequence inside their ids. */
export const toEventRecords = (
  session: Pick<SessionState, 'key' | 'type' | 'sessionId'>,
  version: number,
  events: readonly TimedEvent[],
) =>
  events.map(({ kind, at, accountId, playerUuid, detail, unlisted }, index) => ({
    session_key: session.key,
    type: session.type,
    session_id: session.sessionId,
    event_id: newEventId(at, index),
    occurred_at: at,
    kind,
    session_version: version,
    account_id: accountId,
    player_uuid: playerUuid,
    detail,
    unlisted,
  }));

/** A row of WRITE_SESSIONS: a written session, or a player in it who has a legacy id. */
export type WrittenRow = {
  written_key: string;
  found_player: string | null;
  found_id: number | bigint | null;
};

/** The newcomers who have a legacy id. */
export type FoundPlayers = readonly { playerUuid: string; playerId: number }[];

/** By the keys of the written sessions; the others had conflicts. */
export const readWritten = (rows: readonly WrittenRow[]): Map<string, FoundPlayers> => {
  const written = new Map<string, FoundPlayers>();
  for (const { written_key: key, found_player: playerUuid, found_id: playerId } of rows) {
    const found = written.get(key) ?? [];
    const isPlayer = playerUuid !== null && playerId !== null;
    written.set(key, isPlayer ? [...found, { playerUuid, playerId: Number(playerId) }] : found);
  }
  return written;
};

/** Finds the sessions of platform sessions by the digests of their ids. */
export const FIND_ROUTES = {
  name: 'find_routes',
  text: `
    SELECT encode(digest, 'hex') AS digest, session_key
    FROM platform_session_route WHERE digest = ANY($1::bytea[])`,
};

/** Ends disconnects of one session and writes the events. Returns the players whose disconnect it ended. */
export const RECONNECT_PLAYERS = {
  name: 'reconnect_players',
  text: 'SELECT * FROM reconnect_players($1::uuid, $2::json)',
};
