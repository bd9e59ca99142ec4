// Deletes session events, refused joins and audit records that are older than the operator wants to keep them. Versions, seats and sessions
// are kept: no guarantee of the service depends on the others.
import type { Config } from './config.ts';
import { repeat } from './lifecycle.ts';
import type { RetentionStore } from './retention-store.ts';

export type Deleted = { events: number; refusedJoins: number; auditRecords: number };

export type DeletedKind = 'session_events' | 'refused_joins' | 'audit_records';

export type RetentionOptions = {
  store: RetentionStore;
  rules: Partial<Config['retention']>;
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
  const { eventDays, refusedJoinDays, auditDays } = options.rules;
  const before = (days: number) => new Date(now().getTime() - days * DAY_MS);

  const deleteEvents = async (days: number, signal: AbortSignal, deleted: Deleted) => {
    const oldest = before(days);
    for (let after: string | null = null; !signal.aborted; ) {
      const keys: string[] = await store.listSessions(after, sessionsPerStep);
      for (let batch = rowsPerBatch; batch === rowsPerBatch && !signal.aborted; ) {
        batch = keys.length === 0 ? 0 : await store.deleteEvents(keys, oldest, rowsPerBatch);
        countDeleted('session_events', batch);
        deleted.events += batch;
      }
      after = keys.at(-1) ?? null;
      if (keys.length < sessionsPerStep) return;
    }
  };

  const deleteRefusedJoins = async (days: number, signal: AbortSignal, deleted: Deleted) => {
    const oldest = before(days);
    for (let batch = rowsPerBatch; batch === rowsPerBatch && !signal.aborted; ) {
      batch = await store.deleteRefusedJoins(oldest, rowsPerBatch);
      countDeleted('refused_joins', batch);
      deleted.refusedJoins += batch;
    }
  };

  const deleteAudit = async (days: number, signal: AbortSignal, deleted: Deleted) => {
    const oldest = before(days);
    for (let batch = rowsPerBatch; batch === rowsPerBatch && !signal.aborted; ) {
      batch = await store.deleteAudit(oldest, rowsPerBatch, now());
      countDeleted('audit_records', batch);
      deleted.auditRecords += batch;
    }
  };

  /** Runs once. False when another process is running it. */
  const run = (signal: AbortSignal = new AbortController().signal) =>
    store.runAlone(async () => {
      const deleted: Deleted = { events: 0, refusedJoins: 0, auditRecords: 0 };
      try {
        if (eventDays !== undefined) await deleteEvents(eventDays, signal, deleted);
        if (refusedJoinDays !== undefined) {
          await deleteRefusedJoins(refusedJoinDays, signal, deleted);
        }
        if (auditDays !== undefined) await deleteAudit(auditDays, signal, deleted);
      } finally {
        if (deleted.events + deleted.refusedJoins + deleted.auditRecords > 0) onDeleted(deleted);
      }
    });
  /** Runs every hour. Call what it returns to stop. Does nothing without rules. */
  const start = () =>
    eventDays === undefined && refusedJoinDays === undefined && auditDays === undefined
      ? async () => {}
      : repeat(run, { intervalMs: INTERVAL_MS, firstAfterMs: FIRST_AFTER_MS, onFailure });
  return { run, start };
};
