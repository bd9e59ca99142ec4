// Ends sessions: one, all that match a filter, and those that their type ends.
import type { Actor } from '../platform/index.ts';
import { SERVICE_ACCOUNT, ServiceError } from '../platform/index.ts';
import type { Apply, ListedSession, SessionName, SessionState } from './session.ts';
import { isOutlived } from './session.ts';
import { endSession, matchesFilter } from './session-changes.ts';
import type { ListPosition, SessionFilter, SessionListStore } from './session-list-store.ts';
import { readInParts } from './session-list-store.ts';
import type { EndedSession, SessionStore } from './session-store.ts';

/** `skipped` no longer matched, or were too busy. */
type EndedPage = { ended: number; skipped: number; next: ListPosition | null };

type EndOptions = {
  ifEmpty?: boolean | undefined;
  /** For the audit record. */
  reason?: string | undefined;
};

type SessionEndingOptions = {
  /** Writes a change with its audit record. */
  write: (
    actor: Actor,
    name: SessionName,
    action: string,
    apply: Apply,
    options: {
      expectedEtag?: string | undefined;
      reason?: string | undefined;
      ends: true;
    },
  ) => Promise<SessionState>;
  findEnded: (name: SessionName) => Promise<EndedSession | null>;
  store: Pick<SessionStore, 'readSessions'>;
  listStore: Pick<SessionListStore, 'listKeys'>;
};

export const createSessionEnding = ({
  write,
  findEnded,
  store,
  listStore,
}: SessionEndingOptions) => ({
  /** A session that ended before is returned as it is, with that time. Errors: `session_not_empty` with `ifEmpty`. */
  endSession: async (
    actor: Actor,
    name: SessionName,
    { ifEmpty = false, reason }: EndOptions = {},
    expectedEtag?: string,
  ): Promise<ListedSession> => {
    const apply: Apply = (session) => endSession(session, { ifEmpty });
    try {
      const options = { expectedEtag, reason, ends: true } as const;
      return { session: await write(actor, name, 'sessions.end', apply, options) };
    } catch (error) {
      const isEnded = error instanceof ServiceError && error.code === 'session_not_found';
      const ended = isEnded && (await findEnded(name));
      if (!ended) throw error;
      if (ifEmpty && ended.session.seats.size > 0) throw new ServiceError('session_not_empty');
      return ended;
    }
  },

  /** Ends a session that its type ends now; false for any other one, and for one that is too busy. */
  endOutlived: async (name: SessionName): Promise<boolean> => {
    let isEnded = false;
    const apply: Apply = (session, at) => {
      isEnded = isOutlived(session, at);
      return isEnded ? endSession(session) : null;
    };
    const actor = { accountId: SERVICE_ACCOUNT };
    const ending = write(actor, name, 'sessions.end', apply, { ends: true });
    return ending.then(() => isEnded, isPassedBy);
  },

  /**
   * Ends one page of the live sessions that match, newest first, each like `endSession`. Each session is checked
   * again before it is ended: one that no longer matches is skipped.
   */
  endSessions: async (
    actor: Actor,
    filter: SessionFilter,
    after: ListPosition | null,
    limit: number,
    reason?: string,
  ): Promise<EndedPage> => {
    const { keys, next } = await listStore.listKeys(filter, after, limit);
    const page: EndedPage = { ended: 0, skipped: 0, next };
    for await (const name of readInParts(store.readSessions, keys)) {
      let matches = false;
      const apply: Apply = (session) => {
        matches = matchesFilter(session, filter);
        return matches ? endSession(session) : null;
      };
      const ending = write(actor, name, 'sessions.end', apply, { reason, ends: true });
      const isDone = await ending.then(() => matches, isPassedBy);
      page[isDone ? 'ended' : 'skipped'] += 1;
    }
    return page;
  },
});

/** A session that another caller has ended, or that is too busy, does not block the next ones. */
const isPassedBy = (error: unknown): false => {
  const code = error instanceof ServiceError && error.code;
  if (code === 'session_not_found' || code === 'session_busy') return false;
  throw error;
};
