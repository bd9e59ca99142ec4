// Reads and writes session aggregates. The one hot write is optimistic; changes of the structure (teams,
// platform sessions, details) and audit records join it in a transaction.
import type { Database, Prisma, PrismaClient } from '@muster/database';
import { classifyDatabaseError, runPrepared } from '@muster/database';
import { createBatcher } from '../batching/index.ts';
import type { Return } from './session-absence-store.ts';
import { endAbsences, lockAbsences } from './session-absence-store.ts';
import { createSessionCheck } from './session-check-store.ts';
import type { SessionRow } from './session-rows.ts';
import { toSessionState } from './session-rows.ts';
import type { SessionState } from './session-state.ts';
import {
  FIND_ROUTES,
  READ_ENDED_SESSIONS,
  READ_SESSIONS,
  WRITE_SESSIONS,
} from './session-statements.ts';
import { writeStructure } from './session-structure-store.ts';
import type { SessionWrite, Written, WrittenRow } from './session-write.ts';
import { readWritten, toWriteParameters, UnstorableError } from './session-write.ts';
import type { SessionWriterOptions } from './session-write-store.ts';
import { createSessionWriter } from './session-write-store.ts';

/** What must commit together with a write, such as an audit record. It throws to undo the whole write. */
export type TransactionStep = (transaction: Prisma.TransactionClient) => Promise<void>;

export type SessionStore = ReturnType<typeof createSessionStore>;

export const createSessionStore = (
  { pool, keyedPool, prisma }: Database,
  writerOptions: SessionWriterOptions = {},
) => {
  const write = createSessionWriter(keyedPool, writerOptions);
  return {
    /** The key of the session that a platform session belongs to, by its hex digest. */
    findKeyByPlatformSession: createBatcher(async (digests) => {
      const values = [digests.map((digest) => Buffer.from(digest, 'hex'))];
      const rows = await runPrepared<RouteRow>(keyedPool, FIND_ROUTES, values);
      return new Map(rows.map((row) => [row.digest, row.session_key]));
    }),

    /** A live session by its key; one that ended or never was is undefined. */
    readSession: createBatcher((keys) => readSessions(keyedPool, keys)),

    isStored: createSessionCheck(keyedPool),

    /** The live sessions among the keys. */
    readSessions: (keys: readonly string[]) => readSessions(keyedPool, keys),

    /** The sessions among the keys that have ended, and when. */
    readEndedSessions: async (keys: readonly string[]): Promise<Map<string, EndedSession>> => {
      const rows = await runPrepared<EndedRow>(keyedPool, READ_ENDED_SESSIONS, [keys]);
      return new Map(
        rows.map((row) => [
          row.session_key,
          { session: toSessionState(row), endedAt: row.ended_at },
        ]),
      );
    },

    /**
     * Deletes the marks of absence of players who have come back, committed. False when one was gone already: the
     * seat may have gone with it.
     */
    endAbsences: (sessionKey: string, returns: readonly Return[], now: Date) =>
      endAbsences(pool, sessionKey, returns, now).catch((error) => toConflict(error) ?? false),

    /** What was found out when the change is committed; null when the session has moved on and nothing was written. */
    writeSession: async (
      change: SessionWrite,
      steps: readonly TransactionStep[],
    ): Promise<Written | null> => {
      const isPlain = steps.length === 0 && !change.stillAbsent && !hasNewStructure(change);
      if (isPlain) return write(change);
      return writeInTransaction(prisma, change, steps).catch(toConflict);
    },
  };
};

/** A session as it was in the end. */
export type EndedSession = { session: SessionState; endedAt: Date };

type EndedRow = SessionRow & { ended_at: Date };
type RouteRow = { digest: string; session_key: string };

const readSessions = async (
  pool: Database['pool'],
  keys: readonly string[],
): Promise<Map<string, SessionState>> => {
  const rows = await runPrepared<SessionRow>(pool, READ_SESSIONS, [keys]);
  return new Map(rows.map((row) => [row.session_key, toSessionState(row)]));
};

/** Serialization failures and deadlocks are conflicts like any other. */
const toConflict = (error: unknown): null => {
  const kind = classifyDatabaseError(error);
  if (kind === 'conflict') return null;
  throw kind === 'data' ? new UnstorableError(error) : error;
};

/** Joins change seats only; what else a state holds is compared by identity, since states are immutable. */
const hasNewStructure = ({ base, next }: SessionWrite): boolean =>
  base.details !== next.details ||
  base.teams !== next.teams ||
  base.platformSessions !== next.platformSessions;

/** Undoes a transaction whose session has moved on. */
class VersionConflict extends Error {}

const writeInTransaction = async (
  prisma: PrismaClient,
  write: SessionWrite,
  steps: readonly TransactionStep[],
): Promise<Written | null> => {
  try {
    return await prisma.$transaction(async (transaction) => {
      const { base, stillAbsent } = write;
      if (stillAbsent && !(await lockAbsences(transaction, base.key, stillAbsent))) {
        throw new VersionConflict();
      }
      const parameters = toWriteParameters([write]);
      const { text } = WRITE_SESSIONS;
      const rows = await transaction.$queryRawUnsafe<WrittenRow[]>(text, ...parameters);
      const written = readWritten(rows).get(base.key);
      if (!written) throw new VersionConflict();
      await writeStructure(transaction, write.base, write.next);
      for (const step of steps) await step(transaction);
      return written;
    });
  } catch (error) {
    if (error instanceof VersionConflict) return null;
    throw error;
  }
};
