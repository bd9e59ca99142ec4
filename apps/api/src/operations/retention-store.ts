// Finds and deletes expired rows in batches. There is no index for it, since each event of a join would update it.
import type { Database } from '@muster/database';
import { runAlone, runPrepared } from '@muster/database';
import { appendAudit, lowestIdAt, SERVICE_ACCOUNT } from '../platform/index.ts';

/** Any number that is the same in every process. */
const RETENTION_LOCK = '725346081266';

const LIST_SESSIONS = {
  name: 'list_sessions_by_key',
  text: `
    SELECT session_key FROM session WHERE $1::uuid IS NULL OR session_key > $1::uuid
    ORDER BY session_key LIMIT $2`,
};

/** The ids of events are times, so that the primary key finds the old ones of a session. Rows of sessions are not touched. */
const DELETE_EVENTS = {
  name: 'delete_old_session_events',
  text: `
    DELETE FROM session_event WHERE (session_key, event_id) IN (
      SELECT session_key, event_id FROM session_event
      WHERE session_key = ANY($1::uuid[]) AND event_id < $2::uuid AND occurred_at < $3::timestamptz LIMIT $4)
    RETURNING 1 AS deleted`,
};

const DELETE_AUDIT = `
  DELETE FROM audit_record WHERE audit_id IN (
    SELECT audit_id FROM audit_record WHERE occurred_at < $1::timestamptz
    ORDER BY occurred_at, audit_id LIMIT $2)
  RETURNING audit_id`;

/** The ids are times, and have an index of their own. */
const DELETE_REFUSED_JOINS = {
  name: 'delete_old_refused_joins',
  text: `
    DELETE FROM refused_join WHERE (player_uuid, refusal_id) IN (
      SELECT player_uuid, refusal_id FROM refused_join WHERE refusal_id < $1::uuid ORDER BY refusal_id LIMIT $2)
    RETURNING 1 AS deleted`,
};

const DELETE_METRICS = {
  name: 'delete_old_metric_minutes',
  text: `
    DELETE FROM metric_minute WHERE minute IN (
      SELECT minute FROM metric_minute WHERE minute < $1::timestamptz ORDER BY minute LIMIT $2)
    RETURNING 1 AS deleted`,
};

export type RetentionStore = ReturnType<typeof createRetentionStore>;

export const createRetentionStore = ({ pool, prisma }: Pick<Database, 'pool' | 'prisma'>) => ({
  /** Keys in their order, those after `after`. */
  listSessions: async (after: string | null, limit: number): Promise<string[]> => {
    const rows = await runPrepared<{ session_key: string }>(pool, LIST_SESSIONS, [after, limit]);
    return rows.map((row) => row.session_key);
  },

  /** Deletes at most `limit` events of these sessions from before a moment. Returns their number. */
  deleteEvents: async (keys: readonly string[], before: Date, limit: number): Promise<number> =>
    (await runPrepared(pool, DELETE_EVENTS, [keys, lowestIdAt(before), before, limit])).length,

  /** Deletes at most `limit` refused joins from before a moment. Returns their number. */
  deleteRefusedJoins: async (before: Date, limit: number): Promise<number> =>
    (await runPrepared(pool, DELETE_REFUSED_JOINS, [lowestIdAt(before), limit])).length,

  /** Deletes the metrics of at most `limit` minutes from before a moment. Returns their number. */
  deleteMetrics: async (before: Date, limit: number): Promise<number> =>
    (await runPrepared(pool, DELETE_METRICS, [before, limit])).length,

  /** The same for audit records. The same transaction records the deletion. */
  deleteAudit: (before: Date, limit: number, now: Date): Promise<number> =>
    prisma.$transaction(async (transaction) => {
      const rows = await transaction.$queryRawUnsafe<object[]>(DELETE_AUDIT, before, limit);
      if (rows.length === 0) return 0;
      const after = { deleted: rows.length };
      const entry = { action: 'audit.deleteOld', target: { before: before.toISOString() }, after };
      await appendAudit(transaction, { accountId: SERVICE_ACCOUNT }, entry, now);
      return rows.length;
    }),

  runAlone: (work: () => Promise<void>) => runAlone(pool, RETENTION_LOCK, work),
});
