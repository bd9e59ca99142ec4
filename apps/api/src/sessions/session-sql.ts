// The hot SQL of joins, written by hand because it batches many sessions per statement, which Prisma cannot
// express. Every statement touches one group, by its session_key, and is planned once for all values: no
// index but a primary key may fit its conditions, or a plan made while a table was small keeps reading that
// whole index.

/** Not `IS NULL`, which would fit the indexes over the sessions that live. */
const IS_LIVE = `coalesce(s.ended_at, 'infinity') = 'infinity'`;
const HAS_ENDED = `coalesce(s.ended_at, 'infinity') < 'infinity'`;

const RULES_SINCE = '(extract(epoch FROM ty.updated_at) * 1000)::bigint AS rules_since';

/**
 * Reads whole aggregates in one statement: session, teams, seats, platform sessions and the rules of
 * the type. Times inside JSON are milliseconds since 1970, exact for timestamptz(3).
 */
const readSessions = (columns: string, condition: string): string => `
    SELECT ${columns} s.session_key, s.type, s.session_id, s.incarnation, s.version, s.joinable,
      (extract(epoch FROM s.created_at) * 1000)::bigint AS created_at, s.region_id,
      s.created_by_matchmaking, s.custom_data, s.instance, s.match, s.matchmaking,
      s.matchmaking_results, s.backfill, s.browser,
      ${RULES_SINCE},
      ty.version_match, ty.invitation_ttl_seconds, ty.reservation_ttl_seconds, ty.absent_ttl_seconds,
      (SELECT json_agg(json_build_array(t.team_id, t.max_size, t.ticket_ids, t.custom_data)
                       ORDER BY t.position)
         FROM session_team t WHERE t.session_key = s.session_key) AS teams,
      (SELECT json_agg(json_build_array(p.player_uuid, p.team_id, p.status,
                (extract(epoch FROM p.seated_at) * 1000)::bigint, p.player_id, p.platform, p.input,
                p.client_version, p.permitted_platform, p.permitted_input, p.custom_data,
                p.inviting_player_uuid, p.source_session_id,
                (extract(epoch FROM p.invited_at) * 1000)::bigint,
                (extract(epoch FROM p.joined_at) * 1000)::bigint,
                (extract(epoch FROM p.absent_since) * 1000)::bigint))
         FROM session_seat p WHERE p.session_key = s.session_key) AS seats,
      (SELECT json_agg(json_build_array(encode(c.digest, 'hex'), c.platform,
                c.platform_session_type, c.id_base64, c.custom_data) ORDER BY c.position)
         FROM session_platform_session c WHERE c.session_key = s.session_key) AS platform_sessions
    FROM session s LEFT JOIN session_type ty ON ty.type = s.type
    WHERE s.session_key = ANY($1::uuid[]) AND ${condition}`;

/** One lookup by primary key for each row: never a hash of all players. */
const isRegistered = (row: string): string =>
  `coalesce((SELECT true FROM player WHERE player_uuid = ${row}.player_uuid), false)`;
const legacyIdOf = (row: string): string =>
  `(SELECT player_id FROM player_legacy_id WHERE player_uuid = ${row}.player_uuid)`;

export const READ_SESSIONS = { name: 'read_sessions', text: readSessions('', IS_LIVE) };

/**
 * Whether a session is still as it was read: its version, which every change moves, the rules of its type,
 * and whether any player is disconnected, which moves no version. Of the players $2 every row names those who
 * are not registered or hold a legacy id: their seats were written without one, and a join would write them
 * differently now.
 */
export const CHECK_SESSIONS = {
  name: 'check_sessions',
  text: `
    SELECT s.session_key, s.incarnation, s.version,
      ${RULES_SINCE},
      coalesce((SELECT bool_or(p.absent_since IS NOT NULL)
        FROM session_seat p WHERE p.session_key = s.session_key), false) AS has_disconnects,
      (SELECT string_agg(player_uuid::text, ' ') FROM unnest($2::uuid[]) AS a(player_uuid)
        WHERE NOT ${isRegistered('a')} OR ${legacyIdOf('a')} IS NOT NULL) AS outdated_players
    FROM session s LEFT JOIN session_type ty ON ty.type = s.type
    WHERE s.session_key = ANY($1::uuid[]) AND ${IS_LIVE}`,
};

/** Sessions that have ended, for the lists of the admin API. */
export const READ_ENDED_SESSIONS = {
  name: 'read_ended_sessions',
  text: readSessions('s.ended_at,', HAS_ENDED),
};

/**
 * Optimistic writes of several sessions, $1. The version of each moves by one only if it is the one that was decided on
 * ($2), in the same incarnation and under the same rules of the type, and only then are seats removed ($3), upserted
 * ($4) and events appended ($5). A session whose key does not come back had a conflict.
 *
 * The sessions are locked in the order of their keys, and one that is locked already counts as a conflict: two
 * statements never wait for each other. Seats are removed before others are written and former leaders come before new
 * ones, because the index that allows one leader a session is checked row by row.
 *
 * A seat whose player has not been looked up (`look_up`) gets the legacy id that the player holds. Such
 * players who hold one, or are not registered, come back in rows of their own: a statement of its own for
 * this look-up would cost as much as a share of the write.
 */
export const WRITE_SESSIONS = {
  name: 'write_sessions',
  text: `
    WITH expected AS (
      SELECT * FROM json_to_recordset($2::json)
        AS a(session_key uuid, version bigint, incarnation text, rules_since timestamptz)
    ), locked AS (
      SELECT s.session_key FROM session s JOIN expected a ON a.session_key = s.session_key
      WHERE s.session_key = ANY($1::uuid[]) AND s.version = a.version
        AND s.incarnation = a.incarnation AND ${IS_LIVE}
        AND (SELECT ty.updated_at FROM session_type ty WHERE ty.type = s.type)
          IS NOT DISTINCT FROM a.rules_since
      ORDER BY s.session_key
      FOR NO KEY UPDATE OF s SKIP LOCKED
    ), moved AS (
      UPDATE session s SET version = s.version + 1 FROM locked
      WHERE s.session_key = locked.session_key
      RETURNING s.session_key, s.version
    ), removed AS (
      DELETE FROM session_seat p
      USING moved, json_to_recordset($3::json) AS r(session_key uuid, player_uuid uuid)
      WHERE r.session_key = moved.session_key
        AND p.session_key = r.session_key AND p.player_uuid = r.player_uuid
      RETURNING p.player_uuid
    ), placed AS (
      SELECT n.*, CASE WHEN n.look_up THEN ${legacyIdOf('n')} END AS legacy_id,
        n.look_up IS NOT TRUE OR ${isRegistered('n')} AS is_registered
      FROM moved JOIN json_to_recordset($4::json) AS n(session_key uuid, player_uuid uuid,
          team_id bigint, status text, seated_at timestamptz, player_id bigint, platform text,
          input text, client_version text, permitted_platform text, permitted_input text,
          custom_data json, inviting_player_uuid uuid, source_session_id text,
          invited_at timestamptz, joined_at timestamptz, look_up boolean)
        ON n.session_key = moved.session_key
    ), seated AS (
      INSERT INTO session_seat (session_key, player_uuid, team_id, status, seated_at, player_id,
        platform, input, client_version, permitted_platform, permitted_input, custom_data,
        inviting_player_uuid, source_session_id, invited_at, joined_at)
      SELECT n.session_key, n.player_uuid, n.team_id, n.status, n.seated_at,
        coalesce(n.player_id, n.legacy_id), n.platform, n.input, n.client_version,
        n.permitted_platform, n.permitted_input, n.custom_data,
        n.inviting_player_uuid, n.source_session_id, n.invited_at, n.joined_at
      FROM placed n, (SELECT count(*) FROM removed) AS removed_first
      ORDER BY n.status = 'leader'
      ON CONFLICT (session_key, player_uuid) DO UPDATE SET
        team_id = EXCLUDED.team_id, status = EXCLUDED.status,
        seated_at = EXCLUDED.seated_at, player_id = EXCLUDED.player_id,
        platform = EXCLUDED.platform, input = EXCLUDED.input,
        client_version = EXCLUDED.client_version,
        permitted_platform = EXCLUDED.permitted_platform,
        permitted_input = EXCLUDED.permitted_input, custom_data = EXCLUDED.custom_data,
        inviting_player_uuid = EXCLUDED.inviting_player_uuid,
        source_session_id = EXCLUDED.source_session_id, invited_at = EXCLUDED.invited_at,
        joined_at = EXCLUDED.joined_at
    ), logged AS (
      INSERT INTO session_event (session_key, event_id, occurred_at, kind, session_version,
        account_id, player_uuid, detail)
      SELECT e.session_key, e.event_id, e.occurred_at, e.kind, moved.version, e.account_id,
        e.player_uuid, e.detail
      FROM moved JOIN json_to_recordset($5::json) AS e(session_key uuid, event_id uuid,
        occurred_at timestamptz, kind text, account_id text, player_uuid uuid, detail json)
        ON e.session_key = moved.session_key
    )
    SELECT session_key, NULL::uuid AS player_uuid, NULL::bigint AS player_id, true AS is_registered
    FROM moved
    UNION ALL
    SELECT session_key, player_uuid, legacy_id, is_registered FROM placed
    WHERE legacy_id IS NOT NULL OR NOT is_registered`,
};

/** Finds the sessions of platform sessions by the digests of their ids. */
export const FIND_ROUTES = {
  name: 'find_routes',
  text: `
    SELECT encode(digest, 'hex') AS digest, session_key
    FROM platform_session_route WHERE digest = ANY($1::bytea[])`,
};

/** Ends disconnects of one session and logs the events. Answers the players whose disconnect it ended. */
export const RECONNECT_PLAYERS = {
  name: 'reconnect_players',
  text: `
    WITH returned AS (
      SELECT * FROM json_to_recordset($2::json)
        AS r(event_id uuid, occurred_at timestamptz, account_id text, player_uuid uuid)
    ), ended AS (
      UPDATE session_seat p SET absent_since = NULL FROM returned r
      WHERE p.session_key = $1::uuid AND p.player_uuid = r.player_uuid AND p.absent_since IS NOT NULL
      RETURNING p.player_uuid
    ), logged AS (
      INSERT INTO session_event (session_key, event_id, occurred_at, kind, account_id, player_uuid)
      SELECT $1::uuid, r.event_id, r.occurred_at, 'player_present', r.account_id, r.player_uuid
      FROM returned r JOIN ended USING (player_uuid)
    )
    SELECT player_uuid FROM ended`,
};
