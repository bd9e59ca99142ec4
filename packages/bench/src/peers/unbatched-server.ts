// The peer *unbatched*: per join, one prepared read of the whole session and one optimistic write, sent when the join
// arrives. What the service would cost without batching, behind the lighter edge of the idiomatic peer.
import { randomUUID } from 'node:crypto';
import { openDatabase, runPrepared } from '@muster/database';
import type { LoadedSeat, LoadedSession, PeerJoin } from './loaded-session.ts';
import { toSeat } from './loaded-session.ts';
import {
  checkJoin,
  JoinRefusedError,
  limitConcurrency,
  POOL_SIZE,
  serveJoins,
} from './serve-joins.ts';

/** The pool that the service joins through: both statements find every row by its key. */
const { keyedPool } = openDatabase({ url: process.env.DATABASE_URL ?? '' });

type Read = { session: LoadedSession; known: boolean };

const MAX_ATTEMPTS = 50;

const seatPlayer = async (join: PeerJoin): Promise<LoadedSession> => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const session = await tryToSeat(join);
    if (session) return session;
  }
  throw new JoinRefusedError(409, 'session_busy');
};

/** Null when another join changed the session first. */
const tryToSeat = async (join: PeerJoin): Promise<LoadedSession | null> => {
  const [read] = await runPrepared<Read>(keyedPool, READ_SESSION, [join.digest, join.playerUuid]);
  if (!read) throw new JoinRefusedError(404, 'platform_session_not_found');
  const { session } = read;
  const { seated, isFirst } = checkJoin(session, join.playerUuid, join.request);
  if (seated) return session;
  const customData = join.request.custom_data ?? null;
  const seat = { ...toSeat(join, isFirst ? 'leader' : 'member'), customData };
  const values = toValues(session, join, seat, read.known);
  const written = await runPrepared(keyedPool, WRITE_SEAT, values);
  return written.length === 1 ? withSeat(session, join.request.team_id, seat) : null;
};

const toValues = (session: LoadedSession, join: PeerJoin, seat: LoadedSeat, known: boolean) => [
  session.sessionKey,
  session.version,
  seat.playerUuid,
  join.request.team_id,
  seat.status,
  seat.seatedAt,
  seat.platform,
  seat.input,
  seat.clientVersion,
  seat.permittedPlatform,
  seat.permittedInput,
  JSON.stringify(seat.customData),
  JSON.stringify(toEvents(seat, join.request.team_id)),
  known,
];

const toEvents = ({ status }: LoadedSeat, teamId: number) => {
  const joined = {
    event_id: randomUUID(),
    kind: 'player_joined',
    detail: { team_id: teamId, status },
  };
  return status === 'leader'
    ? [joined, { event_id: randomUUID(), kind: 'leader_changed' }]
    : [joined];
};

const withSeat = (session: LoadedSession, teamId: number, seat: LoadedSeat): LoadedSession => ({
  ...session,
  version: Number(session.version) + 1,
  teams: session.teams.map((team) =>
    Number(team.teamId) === teamId ? { ...team, seats: [...team.seats, seat] } : team,
  ),
});

serveJoins(limitConcurrency(POOL_SIZE, seatPlayer));

// The two statements of a join that is not batched.

/** $1 digest of the platform session, $2 player. */
const READ_SESSION = {
  name: 'bench_read_session',
  text: `
    SELECT EXISTS (SELECT FROM player p WHERE p.player_uuid = $2::uuid) AS known,
      json_build_object('sessionKey', s.session_key, 'type', s.type, 'sessionId', s.session_id,
        'incarnation', s.incarnation, 'version', s.version, 'joinable', s.joinable,
        'createdAt', s.created_at, 'regionId', s.region_id, 'customData', s.custom_data,
        'instance', s.instance, 'browser', s.browser,
        'teams', (SELECT json_agg(json_build_object('teamId', t.team_id, 'maxSize', t.max_size, 'seats', (
            SELECT COALESCE(json_agg(json_build_object('playerUuid', p.player_uuid, 'status', p.status,
              'seatedAt', p.seated_at, 'joinedAt', p.joined_at, 'platform', p.platform, 'input', p.input,
              'clientVersion', p.client_version, 'permittedPlatform', p.permitted_platform,
              'permittedInput', p.permitted_input, 'customData', p.custom_data) ORDER BY p.seated_at), '[]')
            FROM session_seat p WHERE p.session_key = s.session_key AND p.team_id = t.team_id))
            ORDER BY t.position)
          FROM session_team t WHERE t.session_key = s.session_key),
        'platformSessions', (SELECT json_agg(json_build_object('platform', c.platform,
            'platformSessionType', c.platform_session_type, 'idBase64', c.id_base64) ORDER BY c.position)
          FROM session_platform_session c WHERE c.session_key = s.session_key)) AS session
    FROM platform_session_route r JOIN session s ON s.session_key = r.session_key
    WHERE r.digest = $1 AND s.ended_at IS NULL`,
};

/** One row back: seated. None: the session is no longer at version $2. */
const WRITE_SEAT = {
  name: 'bench_write_seat',
  text: `
    WITH moved AS (
      UPDATE session SET version = version + 1 WHERE session_key = $1::uuid AND version = $2::bigint
      RETURNING session_key, version
    ), registered AS (
      INSERT INTO player (player_uuid) SELECT $3::uuid WHERE NOT $14::boolean ON CONFLICT DO NOTHING
    ), seated AS (
      INSERT INTO session_seat (session_key, player_uuid, team_id, status, seated_at, joined_at, platform, input,
        client_version, permitted_platform, permitted_input, custom_data)
      SELECT session_key, $3::uuid, $4::bigint, $5, $6::timestamptz, $6::timestamptz, $7, $8, $9, $10, $11, $12::json
      FROM moved
    ), told AS (
      INSERT INTO session_event (session_key, event_id, occurred_at, kind, session_version, account_id, player_uuid,
        detail)
      SELECT m.session_key, e.event_id, $6::timestamptz, e.kind, m.version, $3::text, $3::uuid, e.detail
      FROM moved m, json_to_recordset($13::json) AS e(event_id uuid, kind text, detail json)
    )
    SELECT version FROM moved`,
};
