// Processes on one database, each with its own memory. Each one is unaware of what the others have cached.
import { randomUUID } from 'node:crypto';
import type { JoinRequest as Request, SessionInput } from '@muster/contract';
import { JoinRequest } from '@muster/contract';
import type { Shards } from '@muster/database';
import { openDatabase } from '@muster/database';
import { createTestDatabase, divideEqually } from '@muster/database/testing';
import type { CircuitBreaker } from '../../flow/index.ts';
import { alwaysClosed } from '../../flow/index.ts';
import { createExpiryStore } from '../expiry-store.ts';
import { createJoinService } from '../join-service.ts';
import { createPlayerStore } from '../player-store.ts';
import type { SessionState } from '../session.ts';
import { createSessionAdminStore } from '../session-admin-store.ts';
import { createSessionCache } from '../session-cache.ts';
import { createSessionListStore } from '../session-list-store.ts';
import { SessionQueue } from '../session-queue.ts';
import { createSessionService } from '../session-service.ts';
import { createSessionStore } from '../session-store.ts';
import { createSessionSweeper } from '../session-sweeper.ts';
import { createSessionWatch } from '../session-watch.ts';

export const ACTOR = { accountId: 'backend' };

const MAX_SESSION_BYTES = 256 * 1_024;

type NodeOptions = {
  shards?: Shards | undefined;
  maxSessionBytes?: number;
  maxAttempts?: number;
  now?: () => Date;
  endedSessionDays?: number;
  breaker?: Pick<CircuitBreaker, 'run'>;
};

/** Represents one process with its own memory. Counters start at zero. */
export const startNode = (
  url: string,
  { shards, now, endedSessionDays, breaker = alwaysClosed, ...limits }: NodeOptions = {},
) => {
  const database = openDatabase({ url, ...shards, maxConnections: 6 });
  const clock = now ? { now } : {};
  const store = createSessionStore(database, { onBatch: () => {} });
  const players = createPlayerStore(database);
  const counts = { memory: 0, database: 0, conflicts: 0, lookUps: 0 };
  const refused: string[] = [];
  const watch = createSessionWatch({ store, onFailure: () => {} });
  const queue = new SessionQueue({
    store,
    cache: createSessionCache(),
    maxSessionBytes: MAX_SESSION_BYTES,
    onLook: () => {},
    onWritten: watch.noteChange,
    ...clock,
    ...limits,
    onConflict: () => (counts.conflicts += 1),
    onDecided: (source) => (counts[source] += 1),
  });
  const sessions = createSessionService({
    store,
    queue,
    watch,
    maxSessionBytes: MAX_SESSION_BYTES,
    ...clock,
    adminStore: createSessionAdminStore(database),
    listStore: createSessionListStore(database),
    findDefaultTeams: async () => [],
    findPlayer: players.findPlayer,
  });
  const findPlayer = (playerUuid: string) => {
    counts.lookUps += 1;
    return players.findPlayer(playerUuid);
  };
  const joins = createJoinService({
    sessions: store,
    queue,
    ...clock,
    players: { ...players, findPlayer },
    breaker,
    limitEvents: () => (events) => events,
    observeCache: () => () => {},
    refusals: { record: ({ errorCode }) => refused.push(errorCode) },
  });
  const join = (
    platformSessionIdBase64: string,
    playerUuid: string = randomUUID(),
    change: Partial<Request> = {},
  ): Promise<SessionState> =>
    joins.join(
      { accountId: playerUuid, permissions: ['session:update-player:self'] },
      { platform: 'Steam', platformSessionIdBase64, playerUuid, request: requestOf(change) },
    );
  const swept = { seats: 0, sessions: 0, failures: 0 };
  const startSweeper = (intervalMs?: number) =>
    createSessionSweeper({
      store: createExpiryStore(database),
      queue,
      endOutlived: sessions.endOutlived,
      endedSessionDays,
      ...clock,
      ...(intervalMs !== undefined && { intervalMs }),
      counters: {
        countExpiredSeats: (seats) => (swept.seats += seats),
        countDeletedSessions: (count) => (swept.sessions += count),
      },
      onFailure: () => (swept.failures += 1),
    });
  return {
    database,
    store,
    queue,
    sessions,
    players,
    joins,
    join,
    counts,
    refused,
    swept,
    startSweeper,
    sweeper: startSweeper(),
  };
};

export type JoinNode = ReturnType<typeof startNode>;

export const requestOf = (change: Partial<Request>): Request =>
  JoinRequest.parse({
    client_version: '1.0.0',
    client_settings: { platform: 'Steam', input: 'gamepad' },
    team_id: 0,
    ...change,
  });

/** Makes a node see every shard as remote, so that it writes them through Citus, row by row. */
const SHARDS_ELSEWHERE = `
  CREATE OR REPLACE FUNCTION shards_of_keys(table_name regclass, keys uuid[], for_write boolean)
  RETURNS TABLE (shard_id bigint, is_local boolean, own_keys uuid[]) LANGUAGE sql AS 'SELECT 1, false, keys'`;

export const openJoinNodes = async () => {
  const { url, drop } = await createTestDatabase();
  const nodes: [JoinNode, JoinNode] = [startNode(url), startNode(url)];
  await nodes[0].database.pool.query(SHARDS_ELSEWHERE);
  return {
    nodes,
    /** Another process, which sees the database as this number of shards. */
    openNode: (shards: number, maxSessionBytes?: number) =>
      startNode(url, {
        shards: shards > 1 ? divideEqually(shards) : undefined,
        ...(maxSessionBytes !== undefined && { maxSessionBytes }),
      }),
    close: async () => {
      await Promise.all(nodes.map(({ database }) => database.close()));
      await drop();
    },
  };
};

export const platformSession = (platform_session_id_base64: string = randomUUID()) => ({
  platform: 'Steam' as const,
  platform_session_type: 'lobby',
  platform_session_id_base64,
});

/** A session with one platform session, by whose id players join it. */
export const createSession = async (
  { sessions }: JoinNode,
  size = 4,
  change: Partial<SessionInput> = {},
) => {
  const idBase64 = randomUUID();
  const { session } = await sessions.createSession(ACTOR, {
    type: 'race',
    joinable: true,
    teams: [{ max_size: size }],
    platform_session: [platformSession(idBase64)],
    ...change,
  });
  return { idBase64, name: { type: session.type, sessionId: session.sessionId } };
};
