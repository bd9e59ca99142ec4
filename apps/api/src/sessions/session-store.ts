// Reads and writes session aggregates. The one hot write is optimistic and batched. Changes of the structure (teams,
// platform sessions) are written with it in a transaction; on a cluster also details and audit records.
import type { Database, Prisma } from '@muster/database';
import { classifyDatabaseError, groupByNode, groupByShard, runPrepared } from '@muster/database';
import { createBatcher } from '../flow/index.ts';
import type { ShardedPool } from './player-store.ts';
import { createPlayerRegistration } from './player-store.ts';
import type { Disconnects, SessionState } from './session.ts';
import { newEventId } from './session.ts';
import {
  CHANGE_SESSIONS,
  hasRecords,
  RECORD_CHANGES,
  toChangeRecords,
} from './session-admin-sql.ts';
import { writeStructure } from './session-admin-store.ts';
import type { FoundPlayers, SessionRow, SessionWrite, WrittenRow } from './session-sql.ts';
import {
  CHECK_SESSIONS,
  FIND_ROUTES,
  READ_ENDED_SESSIONS,
  READ_ETAGS,
  READ_SESSIONS,
  RECONNECT_PLAYERS,
  readWritten,
  toSessionState,
  toWriteParameters,
  WRITE_SESSIONS,
} from './session-sql.ts';

type SessionStoreOptions = {
  /** Called with the number of sessions of each write statement. */
  onBatch: (sessions: number) => void;
};

/** The last state of an ended session. */
export type EndedSession = { session: SessionState; endedAt: Date };

export type KnownState = { key: string; etag: string };

/** A reconnected player, and the account whose change proves it. */
export type Reconnect = { playerUuid: string; accountId: string };

/** The database refused a value. In a batch, the other changes are retried without it. */
export class UnstorableError extends Error {
  override readonly name = 'UnstorableError';

  constructor(cause: unknown) {
    super('The database refused a value', { cause });
  }
}

export type SessionStore = ReturnType<typeof createSessionStore>;

export const createSessionStore = (database: Database, options: SessionStoreOptions) => {
  const { pool, keyedPool, shards } = database;
  const read = READ_SESSIONS(shards);
  const readSessions = async (keys: readonly string[]): Promise<Map<string, SessionState>> => {
    const rows = await runPrepared<SessionRow>(keyedPool, read, [keys]);
    return new Map(rows.map((row) => [row.session_key, toSessionState(row)]));
  };
  const write = createSessionWriter(database, options);
  const register = createPlayerRegistration(database);
  return {
    /** The key of the session that a platform session belongs to, by its hex digest. */
    findKeyByPlatformSession: createBatcher(
      async (digests) => {
        const values = [digests.map((digest) => Buffer.from(digest, 'hex'))];
        type Row = { digest: string; session_key: string };
        const rows = await runPrepared<Row>(keyedPool, FIND_ROUTES, values);
        return new Map(rows.map((row) => [row.digest, row.session_key]));
      },
      groupByShard(database, 'platform_session_route'),
    ),

    /** A live session by its key; undefined when it ended or never existed. */
    readSession: createBatcher(readSessions, groupByShard(database, 'session')),

    isStored: createSessionCheck(database),

    /** Those of the states that are no longer stored: of changed, ended and deleted sessions. */
    findChanged: async (known: readonly KnownState[]): Promise<KnownState[]> => {
      type Row = { etags: string | null };
      // The driver would write the list element by element, which takes far longer.
      const values = [`{${known.map(({ key }) => key).join(',')}}`];
      const [row] = await runPrepared<Row>(keyedPool, READ_ETAGS, values);
      const stored = new Set(row?.etags?.split(','));
      return known.filter(({ key, etag }) => !stored.has(`${key} ${etag}`));
    },

    /** The live sessions among the keys. */
    readSessions,

    /** The ended sessions among the keys, with their times. */
    readEndedSessions: async (keys: readonly string[]): Promise<Map<string, EndedSession>> => {
      type Row = SessionRow & { ended_at: Date };
      const rows = await runPrepared<Row>(keyedPool, READ_ENDED_SESSIONS(shards), [keys]);
      const toEnded = (row: Row) => ({ session: toSessionState(row), endedAt: row.ended_at });
      return new Map(rows.map((row) => [row.session_key, toEnded(row)]));
    },

    /**
     * Ends the disconnects of players. Returns true when each was stored and its end is committed, and false when one
     * was missing: the sweeper may have removed the seat with it.
     */
    reconnect: async (
      session: Pick<SessionState, 'key' | 'type' | 'sessionId'>,
      players: readonly Reconnect[],
      now: Date,
    ): Promise<boolean> => {
      const records = players.map(({ playerUuid, accountId }) => ({
        session_key: session.key,
        type: session.type,
        session_id: session.sessionId,
        event_id: newEventId(now),
        occurred_at: now,
        kind: 'player_present',
        account_id: accountId,
        player_uuid: playerUuid,
      }));
      const values = [session.key, JSON.stringify(records)];
      const ended = await runPrepared(pool, RECONNECT_PLAYERS, values).catch(toConflict);
      return ended?.length === players.length;
    },

    /**
     * Returns what the write found out about players when the change is committed; null when the session has changed
     * and nothing was written.
     */
    writeSession: async (change: SessionWrite): Promise<FoundPlayers | null> => {
      const { base, next, newcomers = [], stillDisconnected, steps = [] } = change;
      const hasNewParts =
        base.teams !== next.teams || base.platformSessions !== next.platformSessions;
      const needsTransaction =
        steps.length > 0 || stillDisconnected || hasNewParts || (shards > 1 && hasRecords(change));
      // Players and sessions may be on different nodes. A player whose registration fails gets no seat.
      if (shards > 1) await Promise.all([...newcomers].map(register));
      return needsTransaction
        ? writeInTransaction(database, change).catch(toConflict)
        : write(change);
    },
  };
};

/** Rolls back a transaction whose session has changed. */
class VersionConflict extends Error {}

/** Serialization failures and deadlocks are conflicts like any other. */
const toConflict = (error: unknown): null => {
  const kind = classifyDatabaseError(error);
  if (kind === 'conflict' || error instanceof VersionConflict) return null;
  throw kind === 'data' ? new UnstorableError(error) : error;
};

type CheckRow = Pick<SessionRow, 'session_key' | 'incarnation' | 'version' | 'rules_since'> & {
  has_disconnects: boolean;
  /** UUIDs separated by spaces. */
  outdated_players: string | null;
};

/**
 * Returns true when the live session is stored exactly as given, and the given players with seats but without a legacy
 * id still have none. As reliable as a read of the session, at a fraction of the cost.
 */
const createSessionCheck = ({ keyedPool, ...sharding }: ShardedPool) => {
  const statement = CHECK_SESSIONS(sharding.shards);
  const checkMany = async (questions: readonly string[]) => {
    const asked = questions.map((question) => question.split(' '));
    const keys = new Set(asked.map(([key]) => key));
    const players = new Set(asked.flatMap(([, ...playerUuids]) => playerUuids));
    const rows = await runPrepared<CheckRow>(keyedPool, statement, [[...keys], [...players]]);
    const found = new Map(rows.map((row) => [row.session_key, row]));
    return new Map(
      questions.map((question, index) => [question, found.get(asked[index]?.[0] ?? '')]),
    );
  };
  const check = createBatcher(checkMany, groupByNode(sharding, 'session'));
  return async (session: SessionState, playerUuids: readonly string[]): Promise<boolean> => {
    const found = await check([session.key, ...playerUuids].join(' '));
    return (
      found !== undefined &&
      session.version === found.version &&
      session.incarnation === found.incarnation &&
      (session.rules.since?.getTime() ?? null) === found.rules_since &&
      session.disconnects.size === 0 &&
      !found.has_disconnects &&
      !playerUuids.some((playerUuid) => found.outdated_players?.includes(playerUuid))
    );
  };
};

/**
 * The one hot write: writes that arrive during a statement join the next one, with several sessions per statement. Null
 * on a conflict. Errors: UnstorableError for a value that the database refuses. After QueryTimeoutError and connection
 * errors the outcome is unknown.
 */
export const createSessionWriter = (
  { keyedPool, ...sharding }: ShardedPool,
  { onBatch }: SessionStoreOptions,
) => {
  const statement = WRITE_SESSIONS(sharding.shards);
  /** By session; a session with a conflict is left out. */
  type Outcomes = Map<string, FoundPlayers | UnstorableError>;
  const writeBatch = async (writes: readonly SessionWrite[]): Promise<Outcomes> => {
    onBatch(writes.length);
    try {
      const parameters = toWriteParameters(writes);
      const rows = writes.some(hasRecords)
        ? await runPrepared<WrittenRow>(keyedPool, CHANGE_SESSIONS, [
            ...parameters,
            toChangeRecords(writes),
          ])
        : await runPrepared<WrittenRow>(keyedPool, statement, parameters);
      return readWritten(rows);
    } catch (error) {
      const kind = classifyDatabaseError(error);
      // Serialization failures and deadlocks.
      if (kind === 'conflict') return new Map();
      if (kind !== 'data') throw error;
      const [{ base }, ...others] = writes as [SessionWrite, ...SessionWrite[]];
      if (others.length === 0) return new Map([[base.key, new UnstorableError(error)]]);
      // The statement fails as a whole, so each write is retried alone to find the refused value.
      const outcomes: Outcomes = new Map();
      for (const write of writes) {
        for (const [key, outcome] of await writeBatch([write])) outcomes.set(key, outcome);
      }
      return outcomes;
    }
  };

  /** Emptied before they are deleted: see LinkedList. */
  const pending = new Map<string, { write: SessionWrite | undefined }>();
  const writeSoon = createBatcher(
    (keys) => writeBatch(keys.flatMap((key) => pending.get(key)?.write ?? [])),
    groupByNode(sharding, 'session'),
  );

  return async (write: SessionWrite): Promise<FoundPlayers | null> => {
    const { key } = write.base;
    // Of two writes of one session, one depends on what the other changes.
    if (pending.has(key)) return null;
    const own: { write: SessionWrite | undefined } = { write };
    pending.set(key, own);
    try {
      const outcome = await writeSoon(key);
      if (outcome instanceof UnstorableError) throw outcome;
      return outcome ?? null;
    } finally {
      own.write = undefined;
      pending.delete(key);
    }
  };
};

/** Errors: VersionConflict. */
const writeInTransaction = (
  { prisma, shards }: Pick<Database, 'prisma' | 'shards'>,
  write: SessionWrite,
): Promise<FoundPlayers> => {
  const { base, next, stillDisconnected, steps = [] } = write;
  return prisma.$transaction(async (transaction) => {
    if (stillDisconnected) await lockDisconnects(transaction, base.key, stillDisconnected);
    const parameters = toWriteParameters([write]);
    const { text } = WRITE_SESSIONS(shards);
    const rows = await transaction.$queryRawUnsafe<WrittenRow[]>(text, ...parameters);
    const written = readWritten(rows).get(base.key);
    if (!written) throw new VersionConflict();
    if (hasRecords(write)) {
      await transaction.$executeRawUnsafe(RECORD_CHANGES, [base.key], toChangeRecords([write]));
    }
    await writeStructure(transaction, base, next);
    for (const step of steps) await step(transaction);
    return written;
  });
};

/**
 * A disconnect is a column of the seat that is not part of the resource and changes no version. The sweeper locks it
 * before it removes the seat, and a reconnect deletes it before its response: only one of them succeeds. Locks the
 * session first and then the seats, in the same order as joins. Errors: VersionConflict when a disconnect is gone or
 * has changed.
 */
const lockDisconnects = async (
  transaction: Prisma.TransactionClient,
  sessionKey: string,
  disconnects: Disconnects,
): Promise<void> => {
  await transaction.$queryRaw`
    SELECT 1 FROM session WHERE session_key = ${sessionKey}::uuid FOR NO KEY UPDATE`;
  const expected = [...disconnects].map(([player_uuid, since]) => ({ player_uuid, since }));
  const locked = await transaction.$queryRaw<unknown[]>`
    SELECT 1 FROM session_seat p
    JOIN json_to_recordset(${JSON.stringify(expected)}::json) AS m(player_uuid uuid, since timestamptz)
      ON m.player_uuid = p.player_uuid AND m.since = p.absent_since
    WHERE p.session_key = ${sessionKey}::uuid FOR UPDATE OF p`;
  if (locked.length !== disconnects.size) throw new VersionConflict();
};
