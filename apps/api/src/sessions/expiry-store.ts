// Finds expired seats and sessions, and deletes ended sessions. The sweeper decides about seats.
import type { Database } from '@muster/database';
import { runAlone, runPrepared } from '@muster/database';
import { appendAudit, SERVICE_ACCOUNT } from '../platform/index.ts';
import { createPlayerRegistration } from './player-store.ts';
import type { SessionName } from './session.ts';

/** An expired seat, with the time by which it is found. */
export type ExpiredSeat = { at: Date; sessionKey: string; playerUuid: string };

/** A deleted player, from the audit record of the deletion. */
export type DeletedPlayer = { at: Date; auditId: string; playerUuid: string };

export type ExpiryStore = ReturnType<typeof createExpiryStore>;

export const createExpiryStore = (database: Database) => {
  const { pool, prisma } = database;
  const register = createPlayerRegistration(database);
  const findSeatsBy =
    (statement: typeof FIND_HELD) =>
    async (now: Date, after: ExpiredSeat | null, limit: number): Promise<ExpiredSeat[]> => {
      const { at = null, sessionKey = null, playerUuid = null } = after ?? {};
      return runPrepared<ExpiredSeat>(pool, statement, [now, at, sessionKey, playerUuid, limit]);
    };

  return {
    /** The TTLs that any session type sets. Most services set none, and the sweeper then stops here. */
    readTtls: async () => {
      const types = await prisma.sessionType.findMany({
        omit: { versionMatch: true, defaultTeams: true, updatedAt: true },
      });
      return {
        held: types.some(
          (type) => (type.invitationTtlSeconds ?? type.reservationTtlSeconds) !== null,
        ),
        absent: types.some(({ absentTtlSeconds }) => absentTtlSeconds !== null),
        retentions: listTtls(types, 'endedRetentionSeconds'),
        idle: listTtls(types, 'idleTtlSeconds'),
        ages: listTtls(types, 'maxAgeSeconds'),
      };
    },

    /**
     * Stores how full live sessions are where it is not known; returns false when there may be more of them. A session
     * that changes at the same time is left to the next call.
     */
    storeFills: async (limit: number): Promise<boolean> => {
      type Row = { session_key: string };
      const rows = await runPrepared<Row>(pool, FIND_WITHOUT_FILL, [limit]);
      const keys = rows.map((row) => row.session_key);
      if (keys.length > 0) await runPrepared(pool, STORE_FILLS, [keys]);
      return keys.length < limit;
    },

    findHeldSeats: findSeatsBy(FIND_HELD),
    findAbsentSeats: findSeatsBy(FIND_ABSENT),

    /** Live sessions of a type that were created at or before `until`, oldest first. */
    findAged: (type: string, until: Date, limit: number): Promise<SessionName[]> =>
      runPrepared(pool, FIND_AGED, [type, until, limit]),

    /** Live sessions of a type in which no player is seated, and from which none has left after `until`. */
    findIdle: (type: string, until: Date, limit: number): Promise<SessionName[]> =>
      runPrepared(pool, FIND_IDLE, [type, until, limit]),

    /** Deleted players in the order of their deletions, after one of these. */
    findDeletedPlayers: (
      after: Omit<DeletedPlayer, 'playerUuid'>,
      limit: number,
    ): Promise<DeletedPlayer[]> =>
      runPrepared(pool, FIND_DELETED, [after.at, after.auditId, limit]),

    /** Registers those of the players who have a seat in a live session. */
    registerSeated: async (playerUuids: readonly string[]): Promise<void> => {
      if (playerUuids.length === 0) return;
      const where = { playerUuid: { in: [...playerUuids] } };
      const registered = await prisma.player.findMany({ select: { playerUuid: true }, where });
      const known = new Set(registered.map(({ playerUuid }) => playerUuid));
      const others = playerUuids.filter((playerUuid) => !known.has(playerUuid));
      if (others.length === 0) return;
      type Row = { player_uuid: string };
      const seated = await runPrepared<Row>(pool, FIND_SEATED, [others]);
      await Promise.all(seated.map((row) => register(row.player_uuid)));
    },

    /** Keys of sessions of a type that ended at or before `until`. */
    findEnded: async (type: string, until: Date, limit: number): Promise<string[]> => {
      const rows = await prisma.session.findMany({
        select: { sessionKey: true },
        where: { type, endedAt: { not: null, lte: until } },
        orderBy: { endedAt: 'asc' },
        take: limit,
      });
      return rows.map(({ sessionKey }) => sessionKey);
    },

    /** The first type after `after` that has ended sessions; null after the last one. */
    findNextEndedType: async (after: string): Promise<string | null> => {
      const session = await prisma.session.findFirst({
        select: { type: true },
        where: { type: { gt: after }, endedAt: { not: null } },
        orderBy: { type: 'asc' },
      });
      return session?.type ?? null;
    },

    /** When the upgrade to the default retention finished. A restore counts as one. */
    readRetentionStart: async (): Promise<Date | null> => {
      const [row] = await runPrepared<{ at: Date }>(pool, READ_RETENTION_START, []);
      return row?.at ?? null;
    },

    /** Deletes at most `limit` events of these sessions; returns the number. */
    deleteEvents: async (keys: readonly string[], until: Date, limit: number): Promise<number> =>
      (await runPrepared(pool, DELETE_EVENTS, [keys, until, limit])).length,

    /**
     * Deletes the sessions and their contents, except those that ended after `until`; returns the number. Only the
     * audit record remains.
     */
    deleteSessions: (
      { type, keys }: { type: string; keys: readonly string[] },
      until: Date,
      now: Date,
    ): Promise<number> =>
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

    /** Runs the work unless another process is running it, and returns false in that case. */
    runAlone: (work: () => Promise<void>) => runAlone(pool, SWEEP_LOCK, work),
  };
};

const FIND_WITHOUT_FILL = {
  name: 'find_sessions_without_fill',
  text: 'SELECT session_key FROM session WHERE ended_at IS NULL AND fill IS NULL LIMIT $1',
};

/** The version of the snapshot that counted the seats: a session that was written since keeps what that write stored. */
const STORE_FILLS = {
  name: 'store_fills',
  text: `
    UPDATE session s SET fill = CASE WHEN f.seats = 0 THEN 'empty' WHEN f.seats < f.room THEN 'open' ELSE 'full' END
    FROM (
      SELECT x.session_key, x.version,
        (SELECT count(*) FROM session_seat p WHERE p.session_key = x.session_key) AS seats,
        (SELECT sum(t.max_size) FROM session_team t WHERE t.session_key = x.session_key) AS room
      FROM session x WHERE x.session_key = ANY($1::uuid[])
    ) f
    WHERE s.session_key = ANY($1::uuid[]) AND s.session_key = f.session_key AND s.version = f.version
      AND s.fill IS NULL
      -- Not \`IS NULL\`, which would read the index of all sessions whose fill is not known.
      AND coalesce(s.ended_at, 'infinity') = 'infinity'`,
};

type Ttl = 'endedRetentionSeconds' | 'idleTtlSeconds' | 'maxAgeSeconds';

const listTtls = (types: readonly (Record<Ttl, number | null> & { type: string })[], ttl: Ttl) =>
  types.flatMap(({ type, [ttl]: seconds }) => (seconds === null ? [] : { type, seconds }));

const FIND_AGED = {
  name: 'find_aged_sessions',
  text: `
    SELECT s.type, s.session_id AS "sessionId" FROM session s
    WHERE s.type = $1 AND s.ended_at IS NULL AND s.created_at <= $2::timestamptz
    ORDER BY s.created_at LIMIT $3`,
};

const FIND_IDLE = {
  name: 'find_idle_sessions',
  text: `
    SELECT s.type, s.session_id AS "sessionId" FROM session s
    WHERE s.type = $1 AND s.ended_at IS NULL AND coalesce(s.last_activity_at, s.created_at) <= $2::timestamptz
      AND NOT EXISTS (
        SELECT FROM session_seat p WHERE p.session_key = s.session_key AND p.status IN ('leader', 'member'))
    LIMIT $3`,
};

const READ_RETENTION_START = {
  name: 'read_start_of_ended_session_retention',
  text: `
    SELECT finished_at AS at FROM _prisma_migrations
    WHERE migration_name = '0026_ended_session_retention' AND finished_at IS NOT NULL`,
};

/** An arbitrary number, the same in every process of the service. */
const SWEEP_LOCK = '725346081265';

/**
 * Keyset pages by age: a seat that cannot be swept now does not block the later ones. Prisma cannot compare a column
 * with another one plus an interval.
 */
const findSeats = (column: string, condition: string, ttl: string): string => `
  SELECT p.${column} AS at, p.session_key AS "sessionKey", p.player_uuid AS "playerUuid" FROM session_seat p
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

const FIND_DELETED = {
  name: 'find_deleted_players',
  text: `
    SELECT a.occurred_at AS at, a.audit_id AS "auditId", a.target->>'player_uuid' AS "playerUuid" FROM audit_record a
    WHERE a.action = 'players.delete' AND (a.occurred_at, a.audit_id) > ($1::timestamptz, $2::uuid)
    ORDER BY a.occurred_at, a.audit_id LIMIT $3`,
};

const FIND_SEATED = {
  name: 'find_seated_players',
  text: `
    SELECT DISTINCT p.player_uuid FROM session_seat p JOIN session s USING (session_key)
    WHERE p.player_uuid = ANY($1::uuid[]) AND s.ended_at IS NULL`,
};

/**
 * A session may be created again under the key of an ended one, so only contents of ended sessions are deleted. SQL
 * limits the statement, since a session may have any number of events.
 */
const DELETE_EVENTS = {
  name: 'delete_events_of_ended_sessions',
  text: `
    DELETE FROM session_event WHERE (session_key, event_id) IN (
      SELECT e.session_key, e.event_id FROM session_event e JOIN session s USING (session_key)
      WHERE e.session_key = ANY($1::uuid[]) AND s.ended_at <= $2::timestamptz LIMIT $3)
    RETURNING 1 AS deleted`,
};

/** RETURNING lists exactly the deleted sessions for the audit record. */
const DELETE_SESSIONS = `
  DELETE FROM session WHERE session_key = ANY($1::uuid[]) AND ended_at <= $2::timestamptz
  RETURNING session_id`;
