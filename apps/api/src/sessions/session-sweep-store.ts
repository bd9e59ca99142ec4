// What the sweeper asks of the database: whose time is over, and one process at a time.
import type { Database } from '@muster/database';
import { runAlone, runPrepared } from '@muster/database';
import { appendAudit } from '../audit/index.ts';

/** A seat that is over, by the age that it is found by. */
export type ExpiredSeat = { at: Date; sessionKey: string; playerUuid: string };

type SeatRow = { at: Date; session_key: string; player_uuid: string };

/** Any number will do, as long as every process of the service has the same. */
const SWEEP_LOCK = '725346081265';

/** Walks the seats by age, so that one that cannot be swept now does not hold up those behind it. */
const findSeats = (column: string, condition: string, ttl: string): string => `
  SELECT p.${column} AS at, p.session_key, p.player_uuid FROM session_seat p
  JOIN session s ON s.session_key = p.session_key
  JOIN session_type ty ON ty.type = s.type
  WHERE p.${condition} AND s.ended_at IS NULL AND p.${column} <= $1::timestamptz
    AND p.${column} + make_interval(secs => ${ttl}) <= $1::timestamptz
    AND ($2::timestamptz IS NULL
      OR (p.${column}, p.session_key, p.player_uuid) > ($2::timestamptz, $3::uuid, $4::uuid))
  ORDER BY p.${column}, p.session_key, p.player_uuid LIMIT $5`;

const FIND_HELD = {
  name: 'find_expired_held_seats',
  text: findSeats(
    'invited_at',
    `status IN ('invited', 'reserved')`,
    `CASE p.status WHEN 'invited' THEN ty.invitation_ttl_seconds ELSE ty.reservation_ttl_seconds END`,
  ),
};

const FIND_ABSENT = {
  name: 'find_expired_absent_seats',
  text: findSeats('absent_since', 'absent_since IS NOT NULL', 'ty.absent_ttl_seconds'),
};

/** Answers which kinds of lives any type has: the usual service has none and looks no further. */
const READ_LIVES = {
  name: 'read_session_lives',
  text: `
    SELECT coalesce(bool_or(invitation_ttl_seconds IS NOT NULL OR reservation_ttl_seconds IS NOT NULL), false) AS held,
      coalesce(bool_or(absent_ttl_seconds IS NOT NULL), false) AS absent,
      coalesce(json_agg(json_build_object('type', type, 'seconds', ended_retention_seconds))
        FILTER (WHERE ended_retention_seconds IS NOT NULL), '[]') AS retentions
    FROM session_type`,
};

const FIND_ENDED = {
  name: 'find_ended_sessions',
  text: `
    SELECT session_key FROM session
    WHERE type = $1 AND ended_at IS NOT NULL AND ended_at <= $2::timestamptz
    ORDER BY ended_at LIMIT $3`,
};

/** The account of what the service does by itself. */
export const SERVICE_ACCOUNT = 'muster';

/** A session may be made anew under the key of an ended one: only what an ended one holds is deleted. */
const DELETE_EVENTS = {
  name: 'delete_events_of_ended_sessions',
  text: `
    DELETE FROM session_event WHERE (session_key, event_id) IN (
      SELECT e.session_key, e.event_id FROM session_event e JOIN session s USING (session_key)
      WHERE e.session_key = ANY($1::uuid[]) AND s.ended_at <= $2::timestamptz LIMIT $3)
    RETURNING 1 AS deleted`,
};

const DELETE_SESSIONS = `
  DELETE FROM session WHERE session_key = ANY($1::uuid[]) AND ended_at <= $2::timestamptz
  RETURNING session_id`;

export type Lives = {
  held: boolean;
  absent: boolean;
  retentions: { type: string; seconds: number }[];
};

export type EndedBatch = {
  type: string;
  keys: readonly string[];
  /** Those that ended later stay. */
  until: Date;
  now: Date;
};

export type SessionSweepStore = ReturnType<typeof createSessionSweepStore>;

export const createSessionSweepStore = ({ pool, prisma }: Pick<Database, 'pool' | 'prisma'>) => {
  const findSeatsBy =
    (statement: typeof FIND_HELD) =>
    async (now: Date, after: ExpiredSeat | null, limit: number): Promise<ExpiredSeat[]> => {
      const { at = null, sessionKey = null, playerUuid = null } = after ?? {};
      const values = [now, at, sessionKey, playerUuid, limit];
      const rows = await runPrepared<SeatRow>(pool, statement, values);
      return rows.map((row) => ({
        at: row.at,
        sessionKey: row.session_key,
        playerUuid: row.player_uuid,
      }));
    };

  return {
    readLives: async (): Promise<Lives> => {
      const [lives] = await runPrepared<Lives>(pool, READ_LIVES, []);
      return lives ?? { held: false, absent: false, retentions: [] };
    },

    findHeldSeats: findSeatsBy(FIND_HELD),
    findAbsentSeats: findSeatsBy(FIND_ABSENT),

    /** Keys of sessions of a type that ended at `until` or before. */
    findEnded: async (type: string, until: Date, limit: number): Promise<string[]> => {
      const values = [type, until, limit];
      const rows = await runPrepared<{ session_key: string }>(pool, FIND_ENDED, values);
      return rows.map((row) => row.session_key);
    },

    /** Deletes events of these sessions, at most so many; answers how many. */
    deleteEvents: async (keys: readonly string[], until: Date, limit: number): Promise<number> =>
      (await runPrepared(pool, DELETE_EVENTS, [keys, until, limit])).length,

    /** Deletes the sessions with what they hold; answers how many. The audit record is all that is left of them. */
    deleteSessions: ({ type, keys, until, now }: EndedBatch): Promise<number> =>
      prisma.$transaction(async (transaction) => {
        type Row = { session_id: string };
        const rows = await transaction.$queryRawUnsafe<Row[]>(DELETE_SESSIONS, keys, until);
        if (rows.length === 0) return 0;
        const target = { type, session_ids: rows.map((row) => row.session_id) };
        const after = { deleted: rows.length, ended_until: until.toISOString() };
        const entry = { action: 'sessions.deleteEnded', target, after };
        await appendAudit(transaction, { accountId: SERVICE_ACCOUNT }, entry, now);
        return rows.length;
      }),

    /** Runs the work while no other process does; false when one does. */
    runAlone: (work: () => Promise<void>) => runAlone(pool, SWEEP_LOCK, work),
  };
};
