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
const readSessions = (ofSession: OfSession, columns: string, condition: string): string => `
    SELECT ${columns} s.session_key, s.type, s.session_id, s.incarnation, s.version, s.joinable,
      (extract(epoch FROM s.created_at) * 1000)::bigint AS created_at, s.region_id,
      s.created_by_matchmaking, s.custom_data, s.instance, s.match, s.matchmaking,
      s.matchmaking_results, s.backfill, s.browser,
      ${RULES_SINCE},
      ty.version_match, ty.invitation_ttl_seconds, ty.reservation_ttl_seconds, ty.absent_ttl_seconds,
      (SELECT json_agg(json_build_array(t.team_id, t.max_size, t.ticket_ids, t.custom_data)
                       ORDER BY t.position)
         FROM session_team t WHERE ${ofSession('t')}) AS teams,
      (SELECT json_agg(json_build_array(p.player_uuid, p.team_id, p.status,
                (extract(epoch FROM p.seated_at) * 1000)::bigint, p.player_id, p.platform, p.input,
                p.client_version, p.permitted_platform, p.permitted_input, p.custom_data,
                p.inviting_player_uuid, p.source_session_id,
                (extract(epoch FROM p.invited_at) * 1000)::bigint,
                (extract(epoch FROM p.joined_at) * 1000)::bigint,
                (extract(epoch FROM p.absent_since) * 1000)::bigint))
         FROM session_seat p WHERE ${ofSession('p')}) AS seats,
      (SELECT json_agg(json_build_array(encode(c.digest, 'hex'), c.platform,
                c.platform_session_type, c.id_base64, c.custom_data) ORDER BY c.position)
         FROM session_platform_session c WHERE ${ofSession('c')}) AS platform_sessions
    FROM session s LEFT JOIN session_type ty ON ty.type = s.type
    WHERE s.session_key = ANY($1::uuid[]) AND ${condition}`;

/** The statements, each for a database where every table is whole and for one that is distributed. */
const bothOf = (name: string, textOf: (ofSession: OfSession) => string) => {
  const whole: OfSession = (alias) => `${alias}.session_key = s.session_key`;
  // Citus finds the shard by the key of each table, and reads the shards of every key where it has to infer one.
  const distributed: OfSession = (alias) =>
    `${whole(alias)} AND ${alias}.session_key = ANY($1::uuid[])`;
  return (shards: number) => ({ name, text: textOf(shards === 1 ? whole : distributed) });
};
type OfSession = (alias: string) => string;

export const READ_SESSIONS = bothOf('read_sessions', (of) => readSessions(of, '', IS_LIVE));

/**
 * Whether a session is still as it was read: its version, which every change moves, the rules of its type, and whether any player
 * is disconnected, which moves no version. Of the players $2 every row names those who hold a legacy id: their seats were
 * written without one, and a join would write them differently now.
 */
export const CHECK_SESSIONS = (shards: number) => ({
  name: 'check_sessions',
  text: shards > 1 ? CHECK_SESSIONS_OF_NODE : CHECK_SESSIONS_AT_ONCE,
});

/** Sessions of one node of a cluster (prisma/migrations, 0023). */
const CHECK_SESSIONS_OF_NODE =
  'SELECT * FROM check_sessions_of_node(($1::uuid[])[1], $1::uuid[], $2::uuid[])';

const CHECK_SESSIONS_AT_ONCE = `
    SELECT s.session_key, s.incarnation, s.version,
      ${RULES_SINCE},
      coalesce((SELECT bool_or(p.absent_since IS NOT NULL)
        FROM session_seat p WHERE p.session_key = s.session_key), false) AS has_disconnects,
      (SELECT string_agg(l.player_uuid::text, ' ') FROM player_legacy_id l
        WHERE l.player_uuid = ANY($2::uuid[])) AS outdated_players
    FROM session s LEFT JOIN session_type ty ON ty.type = s.type
    WHERE s.session_key = ANY($1::uuid[]) AND ${IS_LIVE}`;

/** Sessions that have ended, for the lists of the admin API. */
export const READ_ENDED_SESSIONS = bothOf('read_ended_sessions', (ofSession) =>
  readSessions(ofSession, 's.ended_at,', HAS_ENDED),
);

/**
 * Optimistic writes of several sessions, $2. The version of each moves by one only if it is the one that was decided on ($3), in
 * the same incarnation and under the same rules of the type, and only then are seats removed ($4), upserted ($5) and events
 * appended ($6). A session whose key does not come back had a conflict. The function says how (prisma/migrations, 0022).
 */
export const WRITE_SESSIONS = (shards: number) => ({
  name: 'write_sessions',
  text: shards > 1 ? WRITE_SESSIONS_OF_NODE : WRITE_SESSIONS_AT_ONCE,
});

const WRITE_SESSIONS_AT_ONCE = `SELECT * FROM write_sessions($1::uuid, $2::uuid[], $3::json, $4::json, $5::json,
  $6::json, $7::uuid[], true)`;

/** Sessions of one node of a cluster (prisma/migrations, 0023). Their newcomers are registered before. */
const WRITE_SESSIONS_OF_NODE = `SELECT * FROM write_sessions_of_node($1::uuid, $2::uuid[], $3::json, $4::json, $5::json,
  $6::json, $7::uuid[])`;

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
  text: 'SELECT * FROM reconnect_players($1::uuid, $2::json)',
};
