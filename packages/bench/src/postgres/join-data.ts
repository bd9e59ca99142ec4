// The sessions and players of the joins, made inside the database from their numbers.
import { PLATFORM_SESSION_ID_SQL, PLAYER_UUID_SQL } from '../requests/identities.ts';
import type { BenchPostgres } from './start-postgres.ts';

export type SessionBlock = {
  /** Numbers of the sessions, from `first` on. */
  first: number;
  count: number;
  teams: number;
  teamSize: number;
};

const TYPE = 'bench';

const SESSION_ID = `'bench-' || n`;

/** SHA-256 of (type, session_id) in the layout of UUID version 8, as the service derives it. */
const SESSION_KEY = (sessionId: string): string => {
  const hash = `substr(sha256(convert_to('${TYPE.length}:${TYPE}:' || ${sessionId}, 'UTF8')), 1, 16)`;
  const versioned = `set_byte(${hash}, 6, (get_byte(${hash}, 6) & 15) | 128)`;
  return `encode(set_byte(${versioned}, 8, (get_byte(${hash}, 8) & 63) | 128), 'hex')::uuid`;
};

const DIGEST = `sha256(convert_to('Steam:' || rtrim(${PLATFORM_SESSION_ID_SQL('n')}, '='), 'UTF8'))`;

export const INSTANCE = {
  instance_id: 'inst-5f0c2a9d41be',
  host_type: 'dedicated',
  host_dedicated_server_id: 'eu-central-17',
  join_status: 'joinable',
  join_params: { public_conn_str: '203.0.113.24:27015', private_conn_str: '10.0.4.24:27015' },
  version: '1.4.2',
  created: '2026-03-14T09:20:11.402Z',
  instance_health: 'healthy',
};

const INSERT_SESSIONS = `
  INSERT INTO session (session_key, type, session_id, incarnation, created_at, region_id, custom_data, instance, browser)
  SELECT ${SESSION_KEY(SESSION_ID)}, '${TYPE}', ${SESSION_ID}, substr(md5('incarnation:' || n), 1, 12), now(), 'eu-central',
    '{"map":"Glass Harbour"}', '${JSON.stringify(INSTANCE)}', '{"custom_data":{"title":"Everyone is welcome"}}'
  FROM generate_series($1::int, $2::int) n`;

const INSERT_TEAMS = `
  INSERT INTO session_team (session_key, team_id, position, max_size)
  SELECT ${SESSION_KEY(SESSION_ID)}, team, team, $4::int
  FROM generate_series($1::int, $2::int) n, generate_series(0, $3::int - 1) team`;

const INSERT_PLATFORM_SESSIONS = `
  INSERT INTO session_platform_session (session_key, digest, position, platform, platform_session_type, id_base64)
  SELECT ${SESSION_KEY(SESSION_ID)}, ${DIGEST}, 0, 'Steam', 'steam-lobby', ${PLATFORM_SESSION_ID_SQL('n')}
  FROM generate_series($1::int, $2::int) n`;

const INSERT_ROUTES = `
  INSERT INTO platform_session_route (digest, session_key)
  SELECT ${DIGEST}, ${SESSION_KEY(SESSION_ID)} FROM generate_series($1::int, $2::int) n`;

type Runner = Pick<BenchPostgres, 'run'>;

/** The keys of the sessions from number $1 to $2. */
const SESSION_KEYS = `SELECT ${SESSION_KEY(SESSION_ID)} FROM generate_series($1::int, $2::int) n`;

/** Seats in a block of sessions: what must equal the answers 200. */
export const countSeats = async (
  postgres: Runner,
  database: string,
  { first, count }: Pick<SessionBlock, 'first' | 'count'>,
): Promise<{ seats: number; fullest: number }> => {
  const [row] = await postgres.run(
    database,
    `SELECT COALESCE(sum(seats), 0)::int AS seats, COALESCE(max(seats), 0)::int AS fullest
     FROM (SELECT count(*) AS seats FROM session_seat p
       WHERE p.session_key IN (${SESSION_KEYS})
       GROUP BY p.session_key) per_session`,
    [first, first + count - 1],
  );
  return { seats: Number(row?.seats), fullest: Number(row?.fullest) };
};

type JoinData = {
  /** How many players are registered. */
  players: number;
  sessions: readonly SessionBlock[];
};

/** A migrated database with players and sessions to join, whose statistics PostgreSQL knows. */
export const createJoinDatabase = async (
  postgres: BenchPostgres,
  name: string,
  data: JoinData,
): Promise<void> => {
  await postgres.createFresh(name);
  await fillJoinDatabase(postgres, name, data);
};

/** The same of one that is migrated and empty. */
export const fillJoinDatabase = async (
  { run }: Runner,
  name: string,
  { players, sessions }: JoinData,
): Promise<void> => {
  await run(name, INSERT_OWNER);
  await run(name, INSERT_TYPE);
  await run(name, INSERT_PLAYERS, [players]);
  for (const { first, count, teams, teamSize } of sessions) {
    const range = [first, first + count - 1];
    await run(name, INSERT_SESSIONS, range);
    await run(name, INSERT_TEAMS, [...range, teams, teamSize]);
    await run(name, INSERT_PLATFORM_SESSIONS, range);
    await run(name, INSERT_ROUTES, range);
  }
  await run(name, 'VACUUM ANALYZE');
};

/** A user who has signed in: for an empty table the service would create a first owner. */
const INSERT_OWNER = `
  INSERT INTO account_user (id, name, email, role, last_signed_in_at)
  VALUES ('bench-owner', 'Owner', 'owner@example.com', 'owner', now())`;

/** With the rule that compares versions. */
const INSERT_TYPE = `INSERT INTO session_type (type, version_match) VALUES ('${TYPE}', 'patch')`;

const INSERT_PLAYERS = `
  INSERT INTO player (player_uuid) SELECT ${PLAYER_UUID_SQL('n')} FROM generate_series(0, $1::int - 1) n`;
