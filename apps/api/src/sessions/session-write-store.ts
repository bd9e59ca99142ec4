// The one hot write: what arrives while a statement is in flight goes with the next one, several sessions at once.
import type { Database } from '@muster/database';
import { classifyDatabaseError, runPrepared } from '@muster/database';
import { createBatcher } from '../batching/index.ts';
import { WRITE_SESSIONS } from './session-statements.ts';
import type { SessionWrite, Written, WrittenRow } from './session-write.ts';
import { readWritten, toWriteParameters, UnstorableError } from './session-write.ts';

export type SessionWriterOptions = {
  /** Hears of how many sessions each statement wrote or tried to. */
  onBatch?: (sessions: number) => void;
};

type Outcome = Written | 'conflict' | UnstorableError;

/** Emptied before it is deleted: see PassingList. */
type Pending = { write: SessionWrite | undefined };

type RunBatch = (writes: readonly SessionWrite[]) => Promise<ReadonlyMap<string, Outcome>>;

/**
 * Answers what was found out when the write is committed, null when it had a conflict and nothing was written. Errors:
 * UnstorableError for a value that the database refuses; QueryTimeoutError and what the connection throws leave open
 * whether it was written.
 */
export const createSessionWriter = (
  pool: Database['pool'],
  { onBatch }: SessionWriterOptions = {},
) => {
  const runBatch: RunBatch = async (writes) => {
    onBatch?.(writes.length);
    try {
      const rows = await runPrepared<WrittenRow>(pool, WRITE_SESSIONS, toWriteParameters(writes));
      const written = readWritten(rows);
      return settle(writes, ({ base }) => written.get(base.key) ?? 'conflict');
    } catch (error) {
      return explainFailure(error, writes, runBatch);
    }
  };
  const pending = new Map<string, Pending>();
  const writeSoon = createBatcher<Outcome>((keys) => runBatch(keys.flatMap(takeFrom(pending))));
  return async (write: SessionWrite): Promise<Written | null> => {
    const { key } = write.base;
    // Of two writes of one session, one rests on what the other changes.
    if (pending.has(key)) return null;
    const own: Pending = { write };
    pending.set(key, own);
    try {
      const outcome = await writeSoon(key);
      if (outcome instanceof UnstorableError) throw outcome;
      return outcome === undefined || outcome === 'conflict' ? null : outcome;
    } finally {
      own.write = undefined;
      pending.delete(key);
    }
  };
};

const takeFrom =
  (pending: ReadonlyMap<string, Pending>) =>
  (key: string): SessionWrite[] => {
    const write = pending.get(key)?.write;
    return write ? [write] : [];
  };

const settle = (
  writes: readonly SessionWrite[],
  outcomeOf: (write: SessionWrite) => Outcome,
): ReadonlyMap<string, Outcome> =>
  new Map(writes.map((write) => [write.base.key, outcomeOf(write)]));

/**
 * Serialization failures and deadlocks are conflicts like any other. A refused value fails the statement as a whole, so
 * each write is tried alone to find whose it was.
 */
const explainFailure = async (
  error: unknown,
  writes: readonly SessionWrite[],
  runBatch: RunBatch,
): Promise<ReadonlyMap<string, Outcome>> => {
  const kind = classifyDatabaseError(error);
  if (kind === 'conflict') return settle(writes, () => 'conflict');
  if (kind !== 'data') throw error;
  if (writes.length === 1) return settle(writes, () => new UnstorableError(error));
  const outcomes = new Map<string, Outcome>();
  for (const write of writes) {
    for (const [key, outcome] of await runBatch([write])) outcomes.set(key, outcome);
  }
  return outcomes;
};
