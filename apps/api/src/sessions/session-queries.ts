// What admins ask of sessions: one, pages of them, and timelines. Reading changes nothing and waits for no queue.
import { ServiceError } from '../errors/service-error.ts';
import type { SessionAdminStore, StoredEvent } from './session-admin-store.ts';
import { sessionKeyOf } from './session-key.ts';
import type {
  BoundedCount,
  ListPosition,
  SessionFilter,
  SessionListStore,
} from './session-list-store.ts';
import type { SessionState } from './session-state.ts';
import type { EndedSession, SessionStore } from './session-store.ts';

export type SessionName = { type: string; sessionId: string };

/** `endedAt` is absent while the session lives. */
export type ListedSession = { session: SessionState; endedAt?: Date };

export type SessionPage = { sessions: ListedSession[]; next: ListPosition | null };

export type SessionQueriesOptions = {
  store: Pick<SessionStore, 'readSession' | 'readSessions' | 'readEndedSessions'>;
  adminStore: Pick<SessionAdminStore, 'listEvents'>;
  listStore: SessionListStore;
};

export const createSessionQueries = ({ store, adminStore, listStore }: SessionQueriesOptions) => ({
  /** A live session. Errors: `session_not_found`. */
  getSession: async ({ type, sessionId }: SessionName): Promise<SessionState> => {
    const session = await store.readSession(sessionKeyOf(type, sessionId));
    if (!session) throw new ServiceError('session_not_found');
    return session;
  },

  /** A live session, else the one of this name as it was when it ended; null where there is neither. */
  findSession: async ({ type, sessionId }: SessionName): Promise<ListedSession | null> => {
    const key = sessionKeyOf(type, sessionId);
    const session = await store.readSession(key);
    if (session) return { session };
    return (await store.readEndedSessions([key])).get(key) ?? null;
  },

  /** A session as it was when it ended. Errors: `session_not_found`. */
  getEndedSession: async ({ type, sessionId }: SessionName): Promise<EndedSession> => {
    const key = sessionKeyOf(type, sessionId);
    const ended = (await store.readEndedSessions([key])).get(key);
    if (!ended) throw new ServiceError('session_not_found');
    return ended;
  },

  /** A page of sessions, newest first. One that ends, or is deleted, meanwhile is left out. */
  listSessions: async (
    filter: SessionFilter,
    after: ListPosition | null,
    limit: number,
  ): Promise<SessionPage> => {
    const { keys, next } = await listStore.listKeys(filter, after, limit);
    const found = await (filter.ended ? store.readEndedSessions(keys) : readLive(store, keys));
    return { sessions: keys.flatMap((key) => found.get(key) ?? []), next };
  },

  /** How many sessions match, counted up to `most` and through as many as one page may look at. */
  countSessions: (filter: SessionFilter, most: number): Promise<BoundedCount> =>
    listStore.countSessions(filter, most),

  /** A page of a session's timeline, newest first; of ended sessions too. */
  listEvents: (name: SessionName, after: string | null, limit: number): Promise<StoredEvent[]> =>
    adminStore.listEvents(sessionKeyOf(name.type, name.sessionId), after, limit),
});

const readLive = async (
  store: Pick<SessionStore, 'readSessions'>,
  keys: readonly string[],
): Promise<Map<string, ListedSession>> => {
  const states = await store.readSessions(keys);
  return new Map([...states].map(([key, session]) => [key, { session }]));
};
