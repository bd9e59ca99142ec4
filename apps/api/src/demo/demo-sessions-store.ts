// Writes players, session types and whole sessions at once: a few statements, however many there are.
import { v7 as uuidv7 } from 'uuid';
import { toSeatRecord } from '../sessions/index.ts';
import type { DemoPlayer } from './demo-players.ts';
import type { DemoEvent } from './demo-session-life.ts';
import type { DemoSessionType } from './demo-session-plans.ts';
import type { DemoSession } from './demo-sessions.ts';
import type { DemoTransaction } from './demo-transaction.ts';
import { createSeededRandom } from './seeded-random.ts';

const INSERT_PLAYERS = `
  INSERT INTO player (player_uuid, display_name, registered_at)
  SELECT * FROM json_to_recordset($1::json)
    AS p(player_uuid uuid, display_name text, registered_at timestamptz)`;

const INSERT_LEGACY_IDS = `
  INSERT INTO player_legacy_id (player_id, player_uuid)
  SELECT * FROM json_to_recordset($1::json) AS l(player_id bigint, player_uuid uuid)
  WHERE player_id IS NOT NULL`;

const INSERT_TYPES = `
  INSERT INTO session_type (type, version_match, default_teams, invitation_ttl_seconds,
    reservation_ttl_seconds)
  SELECT * FROM json_to_recordset($1::json)
    AS t(type text, version_match text, default_teams json, invitation_ttl_seconds int,
      reservation_ttl_seconds int)`;

const INSERT_SESSIONS = `
  INSERT INTO session (session_key, type, session_id, incarnation, version, joinable, created_at,
    region_id, created_by_matchmaking, custom_data, instance, match, matchmaking,
    matchmaking_results, backfill, browser)
  SELECT * FROM json_to_recordset($1::json) AS s(session_key uuid, type text, session_id text,
    incarnation text, version bigint, joinable boolean, created_at timestamptz, region_id text,
    created_by_matchmaking boolean, custom_data json, instance json, match json, matchmaking json,
    matchmaking_results json, backfill json, browser json)`;

const INSERT_TEAMS = `
  INSERT INTO session_team (session_key, team_id, position, max_size, ticket_ids, custom_data)
  SELECT * FROM json_to_recordset($1::json) AS t(session_key uuid, team_id bigint, position int,
    max_size int, ticket_ids json, custom_data json)`;

const INSERT_SEATS = `
  INSERT INTO session_seat (session_key, player_uuid, team_id, status, seated_at, player_id,
    platform, input, client_version, permitted_platform, permitted_input, custom_data,
    inviting_player_uuid, source_session_id, invited_at, joined_at)
  SELECT * FROM json_to_recordset($1::json) AS n(session_key uuid, player_uuid uuid,
    team_id bigint, status text, seated_at timestamptz, player_id bigint, platform text, input text,
    client_version text, permitted_platform text, permitted_input text, custom_data json,
    inviting_player_uuid uuid, source_session_id text, invited_at timestamptz,
    joined_at timestamptz)`;

/** The routes lead from the digests to the sessions, as claiming them one by one would have left them. */
const INSERT_PLATFORM_SESSIONS = `
  WITH children AS (
    INSERT INTO session_platform_session (session_key, digest, position, platform,
      platform_session_type, id_base64, custom_data)
    SELECT session_key, decode(digest, 'hex'), position, platform, platform_session_type, id_base64,
      custom_data
    FROM json_to_recordset($1::json) AS c(session_key uuid, digest text, position int,
      platform text, platform_session_type text, id_base64 text, custom_data json)
    RETURNING digest, session_key
  )
  INSERT INTO platform_session_route (digest, session_key) SELECT digest, session_key FROM children`;

const INSERT_EVENTS = `
  INSERT INTO session_event (session_key, event_id, occurred_at, kind, session_version, account_id,
    player_uuid, detail)
  SELECT * FROM json_to_recordset($1::json) AS e(session_key uuid, event_id uuid,
    occurred_at timestamptz, kind text, session_version bigint, account_id text, player_uuid uuid,
    detail json)`;

export const insertDemoPlayers = async (
  transaction: DemoTransaction,
  players: readonly DemoPlayer[],
): Promise<void> => {
  const rows = players.map(({ playerUuid, playerId, displayName, registeredAt }) => ({
    player_uuid: playerUuid,
    player_id: playerId,
    display_name: displayName,
    registered_at: registeredAt,
  }));
  await insertRows(transaction, INSERT_PLAYERS, rows);
  await insertRows(transaction, INSERT_LEGACY_IDS, rows);
};

/** In the caller's transaction, into tables without these types and sessions. */
export const insertDemoSessions = async (
  transaction: DemoTransaction,
  types: readonly DemoSessionType[],
  sessions: readonly DemoSession[],
): Promise<void> => {
  await insertRows(transaction, INSERT_TYPES, types);
  await insertRows(transaction, INSERT_SESSIONS, sessions.map(toSessionRow));
  await insertRows(transaction, INSERT_TEAMS, sessions.flatMap(toTeamRows));
  await insertRows(transaction, INSERT_SEATS, sessions.flatMap(toSeatRows));
  await insertRows(transaction, INSERT_PLATFORM_SESSIONS, sessions.flatMap(toPlatformSessionRows));
  await insertRows(transaction, INSERT_EVENTS, sessions.flatMap(toEventRows));
};

const insertRows = (transaction: DemoTransaction, statement: string, rows: readonly object[]) =>
  transaction.query(statement, [JSON.stringify(rows)]);

const toSessionRow = ({ session }: DemoSession) => ({
  session_key: session.key,
  type: session.type,
  session_id: session.sessionId,
  incarnation: session.incarnation,
  version: session.version,
  joinable: session.details.joinable,
  created_at: session.createdAt,
  region_id: session.details.regionId,
  created_by_matchmaking: session.details.createdByMatchmaking,
  custom_data: session.details.customData,
  instance: session.details.instance,
  match: session.details.match,
  matchmaking: session.details.matchmaking,
  matchmaking_results: session.details.matchmakingResults,
  backfill: session.details.backfill,
  browser: session.details.browser,
});

const toTeamRows = ({ session }: DemoSession) =>
  session.teams.map(({ teamId, maxSize, ticketIds, customData }, position) => ({
    session_key: session.key,
    team_id: teamId,
    position,
    max_size: maxSize,
    ticket_ids: ticketIds,
    custom_data: customData,
  }));

const toSeatRows = ({ session }: DemoSession) =>
  [...session.seats.values()].map((seat) => ({ session_key: session.key, ...toSeatRecord(seat) }));

const toPlatformSessionRows = ({ session }: DemoSession) =>
  session.platformSessions.map(({ digest, platform, type, idBase64, customData }, position) => ({
    session_key: session.key,
    digest,
    position,
    platform,
    platform_session_type: type,
    id_base64: idBase64,
    custom_data: customData,
  }));

/** Events of one moment sort by the sequence inside their ids, as they happened. */
const toEventRows = ({ session, events }: DemoSession) => {
  const random = createSeededRandom(Number.parseInt(session.key.slice(0, 8), 16));
  return events.map(
    ({ at, kind, sessionVersion, accountId, playerUuid, detail }: DemoEvent, seq) => ({
      session_key: session.key,
      event_id: uuidv7({ msecs: at.getTime(), seq, random: random.bytes(16) }),
      occurred_at: at,
      kind,
      session_version: sessionVersion,
      account_id: accountId,
      player_uuid: playerUuid,
      detail,
    }),
  );
};
