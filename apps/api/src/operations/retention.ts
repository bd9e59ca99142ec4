// Deletes session events, refused joins, kept metrics and audit records that are older than the operator wants to keep them. Versions, seats and sessions
// are kept: no guarantee of the service depends on the others.
import type { Config } from '../platform/index.ts';
import { deleteInBatches, repeat } from '../platform/index.ts';
import type { RetentionStore } from './retention-store.ts';

export type DeletedKind = 'session_events' | 'refused_joins' | 'metric_minutes' | 'audit_records';

type Deleted = Record<DeletedKind, number>;

/** Deletes in batches, and counts them. */
type DeleteOld = (
  kind: DeletedKind,
  deleteBatch: (limit: number) => Promise<number>,
) => Promise<number>;

export type RetentionOptions = {
  store: RetentionStore;
  /** The days of each kind; undefined: kept for ever. */
  rules: Omit<Config['retention'], 'endedSessionDays'>;
  /** Called for each batch. */
  countDeleted(kind: DeletedKind, count: number): void;
  /** Called for each run that has deleted something. */
  onDeleted(deleted: Deleted): void;
  onFailure(error: unknown): void;
  now?: () => Date;
  rowsPerBatch?: number;
  sessionsPerStep?: number;
};

const INTERVAL_MS = 60 * 60_000;
const FIRST_AFTER_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** A delete of this size takes some tens of milliseconds, and locks no row that a join needs. */
const ROWS_PER_BATCH = 2_000;
const SESSIONS_PER_STEP = 500;

export const createRetention = (options: RetentionOptions) => {
  const { store, countDeleted, onDeleted, onFailure, now = () => new Date() } = options;
  const { rowsPerBatch = ROWS_PER_BATCH, sessionsPerStep = SESSIONS_PER_STEP } = options;
  const { eventDays, refusedJoinDays, metricDays, auditDays } = options.rules;
  const before = (days: number) => new Date(now().getTime() - days * DAY_MS);

  const deleteEvents = async (days: number, signal: AbortSignal, deleteOld: DeleteOld) => {
    const oldest = before(days);
    for (let after: string | null = null; !signal.aborted; ) {
      const keys: string[] = await store.listSessions(after, sessionsPerStep);
      if (keys.length > 0) {
        await deleteOld('session_events', (limit) => store.deleteEvents(keys, oldest, limit));
      }
      after = keys.at(-1) ?? null;
      if (keys.length < sessionsPerStep) return;
    }
  };

  /** Runs once. False when another process is running it. */
  const run = (signal: AbortSignal = new AbortController().signal) =>
    store.runAlone(async () => {
      const deleted = { session_events: 0, refused_joins: 0, metric_minutes: 0, audit_records: 0 };
      const deleteOld: DeleteOld = (kind, deleteBatch) =>
        deleteInBatches(
          rowsPerBatch,
          async (limit) => {
            const count = await deleteBatch(limit);
            countDeleted(kind, count);
            deleted[kind] += count;
            return count;
          },
          signal,
        );
      try {
        if (eventDays !== undefined) await deleteEvents(eventDays, signal, deleteOld);
        if (refusedJoinDays !== undefined) {
          const oldest = before(refusedJoinDays);
          await deleteOld('refused_joins', (limit) => store.deleteRefusedJoins(oldest, limit));
        }
        if (metricDays !== undefined) {
          const oldest = before(metricDays);
          await deleteOld('metric_minutes', (limit) => store.deleteMetrics(oldest, limit));
        }
        if (auditDays !== undefined) {
          const oldest = before(auditDays);
          await deleteOld('audit_records', (limit) => store.deleteAudit(oldest, limit, now()));
        }
      } finally {
        if (Object.values(deleted).some((count) => count > 0)) onDeleted(deleted);
      }
    });
  /** Runs every hour. Call what it returns to stop. Does nothing without rules. */
  const start = () =>
    [eventDays, refusedJoinDays, metricDays, auditDays].every((days) => days === undefined)
      ? async () => {}
      : repeat(run, { intervalMs: INTERVAL_MS, firstAfterMs: FIRST_AFTER_MS, onFailure });
  return { run, start };
};
