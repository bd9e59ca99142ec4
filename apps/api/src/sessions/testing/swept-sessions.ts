// Two processes, each with a sweeper, on one database and one clock that tests set.
import { randomUUID } from 'node:crypto';
import { createTestDatabase } from '@muster/database/testing';
import type { SessionName, SessionState } from '../session.ts';
import { sessionKeyOf } from '../session.ts';
import type { JoinNode } from './join-nodes.ts';
import { ACTOR, createSession, startNode } from './join-nodes.ts';

const START = new Date('2026-03-14T12:00:00.000Z');

/** Opens them. Everything below is for tests of presence and of the sweeper. */
export const openSweptSessions = async () => {
  const { url, drop } = await createTestDatabase();
  const clock = { at: START };
  const now = () => clock.at;
  const nodes: [JoinNode, JoinNode] = [startNode(url, { now }), startNode(url, { now })];
  const [{ sessions, database, store }] = nodes;
  return {
    url,
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
    createSession: (type: string) => createSession(nodes[0], 4, { type }),
    disconnect: (name: SessionName, playerUuid: string) =>
      sessions.setPresence(ACTOR, name, { playerUuid, present: false }),
    /** The stored state of a live session, with seats that have expired. */
    read: async (name: SessionName): Promise<SessionState> => {
      const session = await store.readSession(sessionKeyOf(name));
      if (!session) throw new Error('The session is not live.');
      return session;
    },
    kindsOf: async (name: SessionName): Promise<string[]> =>
      (await sessions.listEvents(name, null, 50)).map(({ kind }) => kind).reverse(),
  };
};

export type SweptSessions = Awaited<ReturnType<typeof openSweptSessions>>;

/** A self-join of the player. */
export const join = (node: JoinNode, ...what: Parameters<JoinNode['join']>) => node.join(...what);
