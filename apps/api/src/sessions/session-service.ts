// Sessions for game backends and admins. Every change uses the same queue as joins and writes an audit record; reads
// use no queue.
import { randomBytes, randomUUID } from 'node:crypto';
import type { PlatformSessionInput, SessionInput, SessionTypeInput } from '@muster/contract';
import type { Actor } from '../platform/index.ts';
import { appendAudit, SERVICE_ACCOUNT, ServiceError } from '../platform/index.ts';
import { claimLegacyId } from './player-store.ts';
import type { Invitation } from './seat-rules.ts';
import {
  invitePlayer,
  movePlayer,
  promotePlayer,
  removeExpiredSeats,
  removePlayer,
  withExpiry,
} from './seat-rules.ts';
import type { ChangeResult, SessionName, SessionState } from './session.ts';
import { findOverdue, isOutlived, sessionKeyOf, withoutExpiredSeats } from './session.ts';
import type { Presence, SessionAdminStore } from './session-admin-store.ts';
import {
  addPlatformSession,
  createSessionState,
  endSession,
  matchesFilter,
  removePlatformSession,
  setInstance,
  setInstanceStatus,
  updateSession,
} from './session-changes.ts';
import type { ListPosition, SessionFilter, SessionListStore } from './session-list-store.ts';
import { readInParts, readWithinBytes } from './session-list-store.ts';
import type { SessionQueue } from './session-queue.ts';
import { checkSessionSize, etagOf, requireEtag } from './session-resource.ts';
import type { TransactionStep } from './session-sql.ts';
import type { EndedSession, SessionStore } from './session-store.ts';

/** `endedAt` is absent while the session lives. */
export type ListedSession = { session: SessionState; endedAt?: Date };

/** `skipped` no longer matched, or were too busy. */
type EndedPage = { ended: number; skipped: number; next: ListPosition | null };

type SessionServiceOptions = {
  store: Pick<SessionStore, 'readSession' | 'readSessions' | 'readEndedSessions'>;
  adminStore: SessionAdminStore;
  listStore: SessionListStore;
  queue: Pick<SessionQueue, 'change'>;
  findDefaultTeams: (type: string) => Promise<SessionTypeInput['default_teams']>;
  /** Looks up a player named by a backend. */
  findPlayer?: (playerUuid: string) => Promise<{ playerId?: number } | undefined>;
  maxSessionBytes: number;
  now?: () => Date;
};

type Apply = (session: SessionState, now: Date) => ChangeResult | null;

type ChangeOptions = {
  /** Audit details besides the session, such as a player. */
  about?: Record<string, string> | undefined;
  expectedEtag?: string | undefined;
  /** The player for whom the change takes a seat, who is registered with it. */
  seatsPlayer?: string;
  inSameTransaction?: (after: SessionState, now: Date) => TransactionStep;
};

/** The player's seat has expired, and the change would hold another one. */
class ExpiredSeatError extends Error {}

export type SessionService = ReturnType<typeof createSessionService>;

export const createSessionService = ({
  store,
  adminStore,
  listStore,
  queue,
  findDefaultTeams,
  findPlayer = async () => undefined,
  maxSessionBytes,
  now = () => new Date(),
}: SessionServiceOptions) => {
  const write = (
    actor: Actor,
    name: SessionName,
    action: string,
    apply: Apply,
    { about, expectedEtag, seatsPlayer, inSameTransaction }: ChangeOptions = {},
  ): Promise<SessionState> =>
    queue.change(sessionKeyOf(name), {
      accountId: actor.accountId,
      alone: true,
      seatsPlayer,
      decide: (session, at) => {
        requireEtag(session, expectedEtag);
        if (seatsPlayer && findOverdue(session, at).has(seatsPlayer)) throw new ExpiredSeatError();
        return withExpiry(apply)(session, at);
      },
      inTransaction: (before, after, at) => async (transaction) => {
        await inSameTransaction?.(after, at)(transaction);
        await auditSession({ actor, action, about })(before, after, at)(transaction);
      },
    });

  /** Returns the session without expired seats, also after a change without effect, which has removed none. */
  const change = async (...parameters: Parameters<typeof write>): Promise<SessionState> => {
    try {
      return await removeExpired(await write(...parameters));
    } catch (error) {
      if (!(error instanceof ExpiredSeatError)) throw error;
      // One write cannot end a seat and hold another one for the same player.
      const [, name] = parameters;
      await getSession(name);
      return write(...parameters);
    }
  };

  /** A change made by a rule with its input, only with the expected ETag, if one is given. */
  const changeBy =
    <Input>(
      action: string,
      rule: (session: SessionState, input: Input, now: Date) => ChangeResult | null,
      toAbout?: (input: Input) => Record<string, string>,
    ) =>
    (actor: Actor, name: SessionName, input: Input, expectedEtag?: string) =>
      change(actor, name, action, (session, at) => rule(session, input, at), {
        about: toAbout?.(input),
        expectedEtag,
      });

  const readLive = async (name: SessionName): Promise<SessionState> => {
    const session = await store.readSession(sessionKeyOf(name));
    if (!session) throw new ServiceError('session_not_found');
    return session;
  };

  /** Removes the seats of a session that have expired. Errors: `session_not_found`. */
  const removeExpired = async (session: SessionState): Promise<SessionState> => {
    if (!removeExpiredSeats(session, now())) return session;
    return queue.change(session.key, {
      accountId: SERVICE_ACCOUNT,
      alone: true,
      decide: (stored, at) => removeExpiredSeats(stored, at),
    });
  };

  /** A live session, without expired seats. Errors: `session_not_found`. */
  const getSession = async (name: SessionName): Promise<SessionState> =>
    removeExpired(await readLive(name));

  const findEnded = async (name: SessionName): Promise<EndedSession | null> => {
    const key = sessionKeyOf(name);
    return (await store.readEndedSessions([key])).get(key) ?? null;
  };

  const readListed = async (keys: readonly string[]) => {
    const live = await store.readSessions(keys);
    return new Map([...live].map(([key, session]): [string, ListedSession] => [key, { session }]));
  };

  return {
    createSession: async (actor: Actor, input: SessionInput): Promise<SessionState> => {
      const teams = input.teams ?? (await findDefaultTeams(input.type));
      if (teams.length === 0) throw new ServiceError('session_without_teams');
      const at = now();
      const sessionId = input.session_id ?? randomUUID();
      const incarnation = randomBytes(6).toString('base64url');
      const session = createSessionState({ ...input, teams }, { sessionId, incarnation, at });
      checkSessionSize(null, session, maxSessionBytes);
      const event = { kind: 'session_created', accountId: actor.accountId, at } as const;
      const audit = auditSession({ actor, action: 'sessions.create' })(null, session, at);
      await adminStore.createSession(session, event, audit);
      return getSession(session);
    },

    endSession: (actor: Actor, name: SessionName, expectedEtag?: string) =>
      write(actor, name, 'sessions.end', endSession, {
        expectedEtag,
        inSameTransaction: adminStore.endSession,
      }),

    /** Ends a session that its type ends now; false for any other one, and for one that is too busy. */
    endOutlived: async (name: SessionName): Promise<boolean> => {
      let isEnded = false;
      const apply: Apply = (session, at) => {
        isEnded = isOutlived(session, at);
        return isEnded ? endSession(session) : null;
      };
      const inSameTransaction = adminStore.endSession;
      const actor = { accountId: SERVICE_ACCOUNT };
      const ending = write(actor, name, 'sessions.end', apply, { inSameTransaction });
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
    ): Promise<EndedPage> => {
      const { keys, next } = await listStore.listKeys(filter, after, limit);
      const page: EndedPage = { ended: 0, skipped: 0, next };
      for await (const name of readInParts(store.readSessions, keys)) {
        let matches = false;
        const apply: Apply = (session) => {
          matches = matchesFilter(session, filter);
          return matches ? endSession(session) : null;
        };
        const inSameTransaction = adminStore.endSession;
        const ending = write(actor, name, 'sessions.end', apply, { inSameTransaction });
        const isDone = await ending.then(() => matches, isPassedBy);
        page[isDone ? 'ended' : 'skipped'] += 1;
      }
      return page;
    },

    /** Deletes an ended session with its timeline. Errors: `session_not_found`, `session_not_ended`. */
    deleteSession: (actor: Actor, name: SessionName, expectedEtag?: string): Promise<void> =>
      adminStore.deleteSession(actor, name, expectedEtag, now()),

    updateSession: changeBy('sessions.update', updateSession),
    setInstance: changeBy('sessions.setInstance', setInstance),
    setInstanceStatus: changeBy('sessions.setInstanceStatus', setInstanceStatus),
    addPlatformSession: changeBy('sessions.addPlatformSession', addPlatformSession, toPlatform),
    removePlatformSession: changeBy(
      'sessions.removePlatformSession',
      removePlatformSession,
      toPlatform,
    ),
    removePlayer: changeBy('sessions.removePlayer', removePlayer, toPlayer),
    movePlayer: changeBy('sessions.movePlayer', movePlayer, (move) => toPlayer(move.playerUuid)),
    promotePlayer: changeBy('sessions.promotePlayer', promotePlayer, toPlayer),

    invitePlayer: async (
      actor: Actor,
      name: SessionName,
      invitation: Invitation,
      expectedEtag?: string,
    ) => {
      const known = (await findPlayer(invitation.playerUuid))?.playerId;
      const { playerUuid, playerId = known } = invitation;
      if (known !== undefined && playerId !== known) {
        throw new ServiceError('player_id_taken', { desc: 'The player has another legacy id.' });
      }
      const apply: Apply = (session, at) => invitePlayer(session, { ...invitation, playerId }, at);
      const isNew = playerId !== undefined && known === undefined;
      const taken = () => new ServiceError('player_id_taken');
      return change(actor, name, 'sessions.invitePlayer', apply, {
        about: toPlayer(playerUuid),
        expectedEtag,
        seatsPlayer: playerUuid,
        ...(isNew && { inSameTransaction: () => claimLegacyId(playerUuid, playerId, taken) }),
      });
    },

    /** Marks a seated player disconnected or connected. The resource and its ETag are unchanged. */
    setPresence: async (
      actor: Actor,
      name: SessionName,
      presence: Presence,
      expectedEtag?: string,
    ): Promise<SessionState> => {
      try {
        await adminStore.setPresence(actor, name, presence, expectedEtag, now());
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'seat_held') throw error;
        // The store does not know how long seats are held.
        const { seats } = withoutExpiredSeats(await readLive(name), now());
        throw seats.has(presence.playerUuid) ? error : new ServiceError('seat_not_found');
      }
      return getSession(name);
    },

    getSession,

    /** A live session, or the last state of an ended one with this name; null when there is neither. */
    findSession: async (name: SessionName): Promise<ListedSession | null> => {
      try {
        return { session: await getSession(name) };
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'session_not_found')
          return findEnded(name);
        throw error;
      }
    },

    /** The last state of an ended session. Errors: `session_not_found`. */
    getEndedSession: async (name: SessionName): Promise<EndedSession> => {
      const ended = await findEnded(name);
      if (!ended) throw new ServiceError('session_not_found');
      return ended;
    },

    /** A page of sessions, newest first. A session that ends or is deleted during the read is left out. */
    listSessions: async (
      filter: SessionFilter,
      after: ListPosition | null,
      limit: number,
    ): Promise<{ sessions: ListedSession[]; next: ListPosition | null }> => {
      const { keys, next } = await listStore.listKeys(filter, after, limit);
      const read = filter.ended ? store.readEndedSessions : readListed;
      const { sessions, isCut } = await readWithinBytes(keys, read);
      const last = isCut ? sessions.at(-1)?.session : undefined;
      return { sessions, next: last ?? next };
    },

    /** The number of matching sessions, up to `most` and within the scan limit of one page. */
    countSessions: listStore.countSessions,

    /** A page of a session's timeline, newest first, including ended sessions. */
    listEvents: (name: SessionName, after: string | null, limit: number) =>
      adminStore.listEvents(sessionKeyOf(name), after, limit),
  };
};

/** A session that another caller has ended, or that is too busy, does not block the next ones. */
const isPassedBy = (error: unknown): false => {
  const code = error instanceof ServiceError && error.code;
  if (code === 'session_not_found' || code === 'session_busy') return false;
  throw error;
};

const toPlayer = (playerUuid: string) => ({ player_uuid: playerUuid });

const toPlatform = ({ platform }: Pick<PlatformSessionInput, 'platform'>) => ({ platform });

/** The audit record of one change of a session: actor, target, and the ETags before and after. */
export const auditSession =
  ({ actor, action, about }: { actor: Actor; action: string } & Pick<ChangeOptions, 'about'>) =>
  (before: SessionState | null, after: SessionState, now: Date): TransactionStep =>
  (transaction) => {
    const entry = {
      action,
      target: { type: after.type, session_id: after.sessionId, ...about },
      ...(before && { before: { etag: etagOf(before) } }),
      after: { etag: etagOf(after) },
    };
    return appendAudit(transaction, actor, entry, now);
  };
