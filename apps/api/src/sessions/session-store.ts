// Reads and writes session aggregates. The one hot write is optimistic; changes of the structure (teams,
// platform sessions, details) and audit records join it in a transaction.
import type { Database, Prisma, PrismaClient } from '@muster/database';
import { classifyDatabaseError, runPrepared } from '@muster/database';
import { createBatcher } from '../batching/index.ts';
import type { Return } from './session-absence-store.ts';
import { endAbsences, lockAbsences } from './session-absence-store.ts';
import type { SessionRow } from './session-rows.ts';
import { toSessionState } from './session-rows.ts';
import type { SessionState } from './session-state.ts';
import {
  CHECK_SESSIONS,
  FIND_ROUTES,
  READ_ENDED_SESSIONS,
  READ_SESSIONS,
  WRITE_SESSIONS,
} from './session-statements.ts';
import { writeStructure } from './session-structure-store.ts';
import type { SessionWrite } from './session-write.ts';
import { toWriteParameters, UnstorableError } from './session-write.ts';
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
  const checkSession = createBatcher(async (keys) => {
    const rows = await runPrepared<CheckRow>(keyedPool, CHECK_SESSIONS, [keys]);
    return new Map(rows.map((row) => [row.session_key, row]));
  });
  return {
    /** The key of the session that a platform session belongs to, by its hex digest. */
    findKeyByPlatformSession: createBatcher(async (digests) => {
      const values = [digests.map((digest) => Buffer.from(digest, 'hex'))];
      const rows = await runPrepared<RouteRow>(keyedPool, FIND_ROUTES, values);
      return new Map(rows.map((row) => [row.digest, row.session_key]));
    }),

    /** A live session by its key; one that ended or never was is undefined. */
    readSession: createBatcher((keys) => readSessions(keyedPool, keys)),

    /** True when the session lives and is stored as it is here: worth a read of it, at a fraction of the cost. */
    isStored: async (session: SessionState): Promise<boolean> => {
      const found = await checkSession(session.key);
      return found !== undefined && isSame(session, found);
    },

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
      endAbsences(pool, sessionKey, returns, now).catch(explainFailure),

    /** True when the change is committed; false when the session has moved on and nothing was written. */
    writeSession: async (
      change: SessionWrite,
      steps: readonly TransactionStep[],
    ): Promise<boolean> => {
      const isPlain = steps.length === 0 && !change.stillAbsent && !hasNewStructure(change);
      if (isPlain) return write(change);
      return writeInTransaction(prisma, change, steps).catch(explainFailure);
    },
  };
};

/** A session as it was in the end. */
export type EndedSession = { session: SessionState; endedAt: Date };

type EndedRow = SessionRow & { ended_at: Date };
type RouteRow = { digest: string; session_key: string };

type CheckRow = Pick<SessionRow, 'session_key' | 'incarnation' | 'version' | 'rules_since'> & {
  somebody_absent: boolean;
};

const isSame = (session: SessionState, found: CheckRow): boolean =>
  session.version === Number(found.version) &&
  session.incarnation === found.incarnation &&
  (session.rules.since?.getTime() ?? null) === toNumber(found.rules_since) &&
  session.absences.size === 0 &&
  !found.somebody_absent;

const toNumber = (value: number | bigint | null): number | null =>
  value === null ? null : Number(value);

const readSessions = async (
  pool: Database['pool'],
  keys: readonly string[],
): Promise<Map<string, SessionState>> => {
  const rows = await runPrepared<SessionRow>(pool, READ_SESSIONS, [keys]);
  return new Map(rows.map((row) => [row.session_key, toSessionState(row)]));
};

/** Serialization failures and deadlocks are conflicts like any other. */
const explainFailure = (error: unknown): false => {
  const kind = classifyDatabaseError(error);
  if (kind === 'conflict') return false;
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
): Promise<boolean> => {
  try {
    await prisma.$transaction(async (transaction) => {
      const { base, stillAbsent } = write;
      if (stillAbsent && !(await lockAbsences(transaction, base.key, stillAbsent))) {
        throw new VersionConflict();
      }
      const parameters = toWriteParameters([write]);
      const rows = await transaction.$queryRawUnsafe<unknown[]>(WRITE_SESSIONS.text, ...parameters);
      if (rows.length === 0) throw new VersionConflict();
      await writeStructure(transaction, write.base, write.next);
      for (const step of steps) await step(transaction);
    });
    return true;
  } catch (error) {
    if (error instanceof VersionConflict) return false;
    throw error;
  }
};
