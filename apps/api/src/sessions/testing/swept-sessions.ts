// Two processes with a sweeper each, on one database and one clock that tests move.
import { randomUUID } from 'node:crypto';
import { JoinRequest } from '@muster/contract';
import { openDatabase } from '@muster/database';
import { createTestDatabase } from '@muster/database/testing';
import { createExpiryStore } from '../expiry-store.ts';
import { createJoinService } from '../join-service.ts';
import { createPlayerStore } from '../player-store.ts';
import { createSessionAdminStore } from '../session-admin-store.ts';
import { createSessionListStore } from '../session-list-store.ts';
import { SessionQueue } from '../session-queue.ts';
import type { SessionName } from '../session-service.ts';
import { createSessionService } from '../session-service.ts';
import { createSessionStore } from '../session-store.ts';
import { createSessionSweeper } from '../session-sweeper.ts';

export const ACTOR = { accountId: 'backend' };
const START = new Date('2026-03-14T12:00:00.000Z');

/** Each stands for a process: they share the database and nothing in memory. */
const startNode = (url: string, clock: { at: Date }) => {
  const database = openDatabase({ url, maxConnections: 6 });
  const now = () => clock.at;
  const store = createSessionStore(database);
  const queue = new SessionQueue({ store, now });
  const players = createPlayerStore(database);
  const swept = { seats: 0, sessions: 0, failures: 0 };
  const sessions = createSessionService({
    ...{ store, queue, now },
    adminStore: createSessionAdminStore(database),
    listStore: createSessionListStore(database),
    findDefaultTeams: async () => [],
  });
  const refusals = { record: () => {} };
  const joins = createJoinService({ sessions: store, players, queue, refusals, now });
  const startSweeper = (intervalMs?: number) =>
    createSessionSweeper({
      ...{ store: createExpiryStore(database), queue, now },
      ...(intervalMs !== undefined && { intervalMs }),
      counters: {
        countExpiredSeats: (seats) => (swept.seats += seats),
        countDeletedSessions: (count) => (swept.sessions += count),
      },
      onFailure: () => (swept.failures += 1),
    });
  return { database, sessions, joins, swept, startSweeper, sweeper: startSweeper() };
};

type SweptNode = ReturnType<typeof startNode>;

/** Opens them; everything that follows is for tests of presence and of the sweeper. */
export const openSweptSessions = async () => {
  const { url, drop } = await createTestDatabase();
  const clock = { at: START };
  const nodes: [SweptNode, SweptNode] = [startNode(url, clock), startNode(url, clock)];
  const [{ sessions, database }] = nodes;
  return {
    nodes,
    clock,
    close: async () => {
      await Promise.all(nodes.map((node) => node.database.close()));
      await drop();
    },
    later: (seconds: number) => {
      clock.at = new Date(clock.at.getTime() + seconds * 1000);
    },
    createType: async (lives: Record<string, number>): Promise<string> => {
      const type = randomUUID();
      await database.prisma.sessionType.create({ data: { type, ...lives } });
      return type;
    },
    createSession: async (type: string) => {
      const idBase64 = randomUUID();
      const platformSession = {
        platform: 'Steam' as const,
        platform_session_type: 'lobby',
        platform_session_id_base64: idBase64,
      };
      const { sessionId } = await sessions.createSession(ACTOR, {
        ...{ type, joinable: true, teams: [{ max_size: 4 }] },
        platform_session: [platformSession],
      });
      return { idBase64, name: { type, sessionId } };
    },
    disconnect: (name: SessionName, playerUuid: string) =>
      sessions.setPresence(ACTOR, name, { playerUuid, present: false }),
    read: (name: SessionName) => sessions.getSession(name),
    kindsOf: async (name: SessionName): Promise<string[]> =>
      (await sessions.listEvents(name, null, 50)).map(({ kind }) => kind).reverse(),
  };
};

export type SweptSessions = Awaited<ReturnType<typeof openSweptSessions>>;

/** A join by the player in person. */
export const join = (node: SweptNode, idBase64: string, player: string, change: object = {}) =>
  node.joins.join(
    { accountId: player, permissions: ['session:update-player:self'] },
    {
      ...{ platform: 'Steam', platformSessionIdBase64: idBase64, playerUuid: player },
      request: JoinRequest.parse({
        ...{ client_version: '1.0.0', team_id: 0, ...change },
        client_settings: { platform: 'Steam', input: 'gamepad' },
      }),
    },
  );
