// Between the rows of READ_SESSIONS and of WRITE_SESSIONS and the aggregate of the rules.
import type {
  CrossplayPreferences,
  InputDevice,
  Platform,
  PlayerStatus,
  VersionMatch,
} from '@muster/contract';
import type {
  Absences,
  PlatformSessionState,
  Seat,
  SessionDetails,
  SessionState,
  StringMap,
  TeamState,
} from './session-state.ts';
import { DEFAULT_TYPE_RULES } from './session-state.ts';

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

type Nullable<Fields> = { [Field in keyof Fields]: Fields[Field] | null };

export type SessionRow = {
  session_key: string;
  type: string;
  session_id: string;
  incarnation: string;
  version: number | bigint;
  joinable: boolean;
  created_at: number | bigint;
  rules_since: number | bigint | null;
  version_match: VersionMatch | null;
  invitation_ttl_seconds: number | null;
  reservation_ttl_seconds: number | null;
  absent_ttl_seconds: number | null;
  teams: TeamRow[] | null;
  seats: SeatRow[] | null;
  platform_sessions: PlatformSessionRow[] | null;
} & Nullable<{
  region_id: string;
  created_by_matchmaking: boolean;
  custom_data: StringMap;
  instance: NonNullable<SessionDetails['instance']>;
  match: NonNullable<SessionDetails['match']>;
  matchmaking: NonNullable<SessionDetails['matchmaking']>;
  matchmaking_results: NonNullable<SessionDetails['matchmakingResults']>;
  backfill: NonNullable<SessionDetails['backfill']>;
  browser: NonNullable<SessionDetails['browser']>;
}>;

const toDate = (milliseconds: number | null): Date | undefined =>
  milliseconds === null ? undefined : new Date(milliseconds);

const toCrossplay = (
  platform: CrossplayPreferences['permitted_platform'] | null,
  input: CrossplayPreferences['permitted_input'] | null,
): CrossplayPreferences | undefined =>
  platform && input ? { permitted_platform: platform, permitted_input: input } : undefined;

/** Every field is present, if undefined: the rules compare whole seats. */
const toSeat = (row: SeatRow): Seat => ({
  playerUuid: row[0],
  teamId: row[1],
  status: row[2],
  seatedAt: new Date(row[3]),
  playerId: row[4] ?? undefined,
  platform: row[5] ?? undefined,
  input: row[6] ?? undefined,
  clientVersion: row[7] ?? undefined,
  crossplay: toCrossplay(row[8], row[9]),
  customData: row[10] ?? undefined,
  invitingPlayerUuid: row[11] ?? undefined,
  sourceSessionId: row[12] ?? undefined,
  invitedAt: toDate(row[13]),
  joinedAt: toDate(row[14]),
});

const toTeamState = ([teamId, maxSize, ticketIds, customData]: TeamRow): TeamState => ({
  teamId,
  maxSize,
  ticketIds: ticketIds ?? undefined,
  customData: customData ?? undefined,
});

const toPlatformSessionState = (row: PlatformSessionRow): PlatformSessionState => ({
  digest: row[0],
  platform: row[1],
  type: row[2],
  idBase64: row[3],
  customData: row[4] ?? undefined,
});

const toDetails = (row: SessionRow): SessionDetails => ({
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
});

const NOBODY: Absences = new Map();

/** Marks are rare: most sessions share one empty map. */
const toAbsences = (seats: readonly SeatRow[]): Absences => {
  const marks = seats.filter((row) => row[15] !== null);
  return marks.length === 0
    ? NOBODY
    : new Map(marks.map((row) => [row[0], new Date(row[15] ?? 0)]));
};

export const toSessionState = (row: SessionRow): SessionState => ({
  key: row.session_key,
  type: row.type,
  sessionId: row.session_id,
  incarnation: row.incarnation,
  version: Number(row.version),
  createdAt: new Date(Number(row.created_at)),
  rules: row.version_match
    ? {
        since: new Date(Number(row.rules_since)),
        versionMatch: row.version_match,
        invitationTtlSeconds: row.invitation_ttl_seconds ?? undefined,
        reservationTtlSeconds: row.reservation_ttl_seconds ?? undefined,
        absentTtlSeconds: row.absent_ttl_seconds ?? undefined,
      }
    : DEFAULT_TYPE_RULES,
  details: toDetails(row),
  teams: (row.teams ?? []).map(toTeamState),
  seats: new Map((row.seats ?? []).map((seat) => [seat[0], toSeat(seat)])),
  platformSessions: (row.platform_sessions ?? []).map(toPlatformSessionState),
  absences: toAbsences(row.seats ?? []),
});

/** A seat as WRITE_SESSIONS takes it; JSON leaves out what is undefined, and an absent field reads as NULL. */
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
