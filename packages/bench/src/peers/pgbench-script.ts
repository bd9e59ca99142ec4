// The join as pgbench runs it: the same two steps as a service that waits for nobody, without HTTP, JSON or rules.
import { PLATFORM_SESSION_ID_SQL, PLAYER_UUID_SQL } from '../requests/identities.ts';

export type PgbenchPlan = {
  clients: number;
  firstPlayer: number;
  firstSession: number;
  sessions: number;
};

/**
 * Sessions are visited in an order that pgbench shuffles itself: another one than that of the requests, and as well spread.
 * Each client counts its own joins in `n`, which starts at -1, so that no two joins of a round have the same player. A machine that is
 * faster than the plan reaches players of the next round: a seat that is there already is no error. The read finds
 * session, version and fill of the team; the write moves the version, takes the seat and appends the event: one
 * transaction each, since a longer one would cost pgbench two more round trips.
 */
export const writePgbenchScript = ({
  clients,
  firstPlayer,
  firstSession,
  sessions,
}: PgbenchPlan) => {
  const digest = `sha256(convert_to('Steam:' || rtrim(${PLATFORM_SESSION_ID_SQL(':s::int')}, '='), 'UTF8'))`;
  const player = PLAYER_UUID_SQL(':p::int');
  return `\\set n :n + 1
\\set i :client_id + ${clients} * :n
\\set p ${firstPlayer} + :i
\\set s ${firstSession} + permute(:i, ${sessions}, ${firstPlayer})
SELECT r.session_key, s.version, ${player} AS player_uuid, p.player_uuid IS NOT NULL AS known,
  (SELECT count(*) FROM session_seat e WHERE e.session_key = r.session_key AND e.team_id = 0) AS taken
FROM platform_session_route r JOIN session s ON s.session_key = r.session_key
  LEFT JOIN player p ON p.player_uuid = ${player}
WHERE r.digest = ${digest} AND s.ended_at IS NULL \\gset
WITH moved AS (
  UPDATE session SET version = version + 1 WHERE session_key = :session_key::uuid AND version = :version::bigint
  RETURNING session_key, version
), seated AS (
  INSERT INTO session_seat (session_key, player_uuid, team_id, status, seated_at, joined_at, platform, input,
    client_version, permitted_platform, permitted_input, custom_data)
  SELECT session_key, :player_uuid::uuid, 0, 'member', now(), now(), 'Steam', 'gamepad', '1.4.2',
    'desired_platforms_any', 'desired_inputs_any', '{"skin":"crimson","rank":"17","loadout":"scout"}' FROM moved
  ON CONFLICT DO NOTHING
), told AS (
  INSERT INTO session_event (session_key, event_id, occurred_at, kind, session_version, account_id, player_uuid, detail)
  SELECT session_key, gen_random_uuid(), now(), 'player_joined', version, :player_uuid::text, :player_uuid::uuid,
    '{"team_id":0,"status":"member"}' FROM moved
)
SELECT version FROM moved;
`;
};
