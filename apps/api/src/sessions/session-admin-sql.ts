// The statements of admin changes of sessions, with their parameters: what changes store besides seats and events, and
// creations.
import type { AuditRow } from '../platform/index.ts';
import type { PlatformSessionState, SessionState, TeamState } from './session.ts';
import { fillOf } from './session.ts';
import type { SessionWrite, TimedEvent } from './session-sql.ts';
import { toDetailRecord, toEventRecords, toSeatRecord } from './session-sql.ts';

/**
 * Stores what changed sessions ($1) have besides seats and events, from $2 (prisma/migrations, 0029). On one node
 * CHANGE_SESSIONS does both.
 */
export const RECORD_CHANGES = 'SELECT record_changes($1::uuid[], $2::json)';

export const CHANGE_SESSIONS = {
  name: 'change_sessions',
  text: `SELECT * FROM change_sessions($1::uuid, $2::uuid[], $3::json, $4::json, $5::json,
  $6::json, $7::uuid[], $8::json)`,
};

const hasNewDetails = ({ base, next }: SessionWrite): boolean =>
  base.details !== next.details || base.removedPlayers !== next.removedPlayers;

/** Whether the write stores more than seats and events. */
export const hasRecords = (write: SessionWrite): boolean =>
  hasNewDetails(write) || write.endedAt !== undefined || (write.audits ?? []).length > 0;

/** The last parameter of RECORD_CHANGES and CHANGE_SESSIONS. */
export const toChangeRecords = (writes: readonly SessionWrite[]): string =>
  JSON.stringify(writes.map(toChangeRecord));

/** An ended session releases its platform sessions. */
const toChangeRecord = (write: SessionWrite) => ({
  session_key: write.base.key,
  details: hasNewDetails(write) ? toDetailRecord(write.next) : undefined,
  ended_at: write.endedAt,
  digests: write.next.platformSessions.map(({ digest }) => toHex(digest)),
  audits: write.audits ?? [],
});

const toHex = (digest: string): string => `\\x${digest}`;

/** Stores a new session (prisma/migrations, 0029). Returns NULL, or the code of the refusal. */
export const CREATE_SESSION = {
  name: 'create_session',
  text: `SELECT create_session($1::json, $2::timestamptz, $3::json, $4::json, $5::json, $6::json,
    $7::json, $8::json) AS refusal`,
};

/** SHA-256 of the input of a creation. */
export type Digest = Uint8Array<ArrayBuffer>;

export type Creation = {
  session: SessionState;
  /** Of the input that names the session; absent when the service chose the id, since no repetition can name it. */
  digest: Digest | undefined;
  /** The legacy ids that the players of the held seats do not have yet. */
  legacyIds: readonly { playerUuid: string; playerId: number }[];
  events: readonly TimedEvent[];
  audit: AuditRow;
};

/** The parameters of CREATE_SESSION. */
export const toCreationParameters = (creation: Creation, repeatableSince: Date) => {
  const { session, digest, legacyIds, events, audit } = creation;
  const { key: session_key } = session;
  return [
    JSON.stringify(toSessionRecord(session, digest)),
    repeatableSince,
    JSON.stringify(
      session.teams.map((team, position) => toTeamRecord(session_key, team, position)),
    ),
    JSON.stringify(
      session.platformSessions.map((child, position) =>
        toPlatformSessionRecord(session_key, child, position),
      ),
    ),
    JSON.stringify(
      [...session.seats.values()].map((seat) => ({ session_key, ...toSeatRecord(seat) })),
    ),
    JSON.stringify(
      legacyIds.map(({ playerUuid, playerId }) => ({
        player_uuid: playerUuid,
        player_id: playerId,
      })),
    ),
    JSON.stringify(toEventRecords(session, session.version, events)),
    JSON.stringify([audit]),
  ];
};

const toSessionRecord = (session: SessionState, digest: Digest | undefined) => ({
  session_key: session.key,
  type: session.type,
  session_id: session.sessionId,
  incarnation: session.incarnation,
  version: session.version,
  created_at: session.createdAt,
  fill: fillOf(session),
  creation_digest: digest && toHex(Buffer.from(digest).toString('hex')),
  ...toDetailRecord(session),
});

const toTeamRecord = (session_key: string, team: TeamState, position: number) => ({
  session_key,
  team_id: team.teamId,
  position,
  max_size: team.maxSize,
  ticket_ids: team.ticketIds,
  custom_data: team.customData,
});

const toPlatformSessionRecord = (
  session_key: string,
  child: PlatformSessionState,
  position: number,
) => ({
  session_key,
  digest: toHex(child.digest),
  position,
  platform: child.platform,
  platform_session_type: child.type,
  id_base64: child.idBase64,
  custom_data: child.customData,
});
