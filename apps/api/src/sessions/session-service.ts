// Sessions for game backends and admins. Every change goes through the queue that joins go through, with an
// audit record; reads wait for no queue.
import { randomBytes, randomUUID } from 'node:crypto';
import type {
  InstanceInput,
  PlatformSessionInput,
  SessionInput,
  SessionTypeInput,
  TeamInput,
} from '@muster/contract';
import type { Actor } from '../platform/index.ts';
import { appendAudit, ServiceError } from '../platform/index.ts';
import { claimLegacyId } from './player-store.ts';
import type { Invitation } from './seat-rules.ts';
import {
  invitePlayer,
  movePlayer,
  promotePlayer,
  removePlayer,
  withoutExpiredSeats,
} from './seat-rules.ts';
import type { ChangeResult, SessionState } from './session.ts';
import { etagOf, platformSessionDigest, sessionKeyOf } from './session.ts';
import type { SessionAdminStore, StoredEvent } from './session-admin-store.ts';
import type { DetailChanges, InstanceStatus } from './session-changes.ts';
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
import type {
  BoundedCount,
  ListPosition,
  SessionFilter,
  SessionListStore,
} from './session-list-store.ts';
import { readInParts, readWithinBytes } from './session-list-store.ts';
import type { SessionQueue } from './session-queue.ts';
import { checkSessionSize, DEFAULT_MAX_SESSION_BYTES } from './session-size.ts';
import type { TransactionStep } from './session-sql.ts';
import type { EndedSession, SessionStore } from './session-store.ts';

export type SessionName = { type: string; sessionId: string };

/** `endedAt` is absent while the session lives. */
export type ListedSession = { session: SessionState; endedAt?: Date };

type SessionPage = { sessions: ListedSession[]; next: ListPosition | null };

/** `skipped` did not match any more, or were too busy. */
type EndedPage = { ended: number; skipped: number; next: ListPosition | null };

type SessionServiceOptions = {
  store: Pick<SessionStore, 'readSession' | 'readSessions' | 'readEndedSessions'>;
  adminStore: SessionAdminStore;
  listStore: SessionListStore;
  queue: Pick<SessionQueue, 'change'>;
  findDefaultTeams: (type: string) => Promise<SessionTypeInput['default_teams']>;
  /** What is known of a player whom a backend names; without it, nothing is. */
  findPlayer?: (playerUuid: string) => Promise<{ playerId?: number } | undefined>;
  maxSessionBytes?: number;
  now?: () => Date;
};

type Change = {
  actor: Actor;
  name: SessionName;
  action: string;
  about?: Record<string, string>;
  expectedEtag?: string | undefined;
  apply: (session: SessionState, now: Date) => ChangeResult | null;
  /** The player for whom the change takes a seat, who is registered with it. */
  seatsPlayer?: string;
  alsoWrite?: (after: SessionState, now: Date) => TransactionStep;
};

const OTHER_ID = { desc: 'The player has another legacy id.' };

/** Errors: `player_id_taken`. */
const claimId =
  (playerUuid: string, playerId: number): TransactionStep =>
  async (transaction) => {
    if (await claimLegacyId(transaction, playerUuid, playerId)) return;
    throw new ServiceError('player_id_taken');
  };

export type SessionService = ReturnType<typeof createSessionService>;

export const createSessionService = ({
  store,
  adminStore,
  listStore,
  queue,
  findDefaultTeams,
  findPlayer = async () => undefined,
  maxSessionBytes = DEFAULT_MAX_SESSION_BYTES,
  now = () => new Date(),
}: SessionServiceOptions) => {
  const change = async (options: Change): Promise<SessionState> => {
    const { name, expectedEtag, apply, seatsPlayer, alsoWrite, ...audit } = options;
    let decidedAt = now();
    const { session } = await queue.change(sessionKeyOf(name.type, name.sessionId), {
      accountId: audit.actor.accountId,
      alone: true,
      ...(seatsPlayer !== undefined && { seatsPlayer }),
      decide: (state, at) => {
        if (!state) throw new ServiceError('session_not_found');
        checkEtag(state, expectedEtag);
        decidedAt = at;
        return apply(state, at);
      },
      inTransaction: (before, after) => async (transaction) => {
        await alsoWrite?.(after, decidedAt)(transaction);
        await auditSession(audit, before, after, decidedAt)(transaction);
      },
    });
    return session;
  };

  /** A live session. Errors: `session_not_found`. */
  const getSession = async ({ type, sessionId }: SessionName): Promise<SessionState> => {
    const session = await store.readSession(sessionKeyOf(type, sessionId));
    if (!session) throw new ServiceError('session_not_found');
    return session;
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
      const audit = auditSession({ actor, action: 'sessions.create' }, null, session, at);
      await adminStore.createSession(session, event, audit);
      return getSession({ type: session.type, sessionId });
    },

    updateSession: (
      actor: Actor,
      name: SessionName,
      changes: DetailChanges,
      teams: readonly TeamInput[] | undefined,
      expectedEtag: string | undefined,
    ) =>
      change({
        ...{ actor, name, expectedEtag, action: 'sessions.update' },
        apply: (session, at) => updateSession(session, changes, teams, at),
      }),

    endSession: (actor: Actor, name: SessionName) =>
      change({
        ...{ actor, name, action: 'sessions.end' },
        apply: endSession,
        alsoWrite: adminStore.endSession,
      }),

    /**
     * Ends one page of the live sessions that match, newest first, each as `endSession` does. What a session holds is
     * looked at again when it is its turn: one that has changed and does not match any more is left alone.
     */
    endSessions: async (
      actor: Actor,
      filter: SessionFilter,
      after: ListPosition | null,
      limit: number,
    ): Promise<EndedPage> => {
      const { keys, next } = await listStore.listKeys(filter, after, limit);
      const page: EndedPage = { ended: 0, skipped: 0, next };
      for await (const { type, sessionId } of readInParts(store.readSessions, keys)) {
        let matches = false;
        const ending = change({
          ...{ actor, name: { type, sessionId }, action: 'sessions.end' },
          apply: (session) => {
            matches = matchesFilter(session, filter);
            return matches ? endSession(session) : null;
          },
          alsoWrite: adminStore.endSession,
        });
        const isDone = await ending.then(() => matches, isPassedBy);
        page[isDone ? 'ended' : 'skipped'] += 1;
      }
      return page;
    },

    /** Deletes an ended session with its timeline. Errors: `session_not_found`, `session_not_ended`. */
    deleteSession: (actor: Actor, name: SessionName): Promise<void> =>
      adminStore.deleteSession(actor, sessionKeyOf(name.type, name.sessionId), name, now()),

    setInstance: (
      actor: Actor,
      name: SessionName,
      instance: InstanceInput | null,
      expectedEtag: string | undefined,
    ) =>
      change({
        ...{ actor, name, expectedEtag, action: 'sessions.setInstance' },
        apply: (session, at) => setInstance(session, instance, at),
      }),

    setInstanceStatus: (
      actor: Actor,
      name: SessionName,
      status: InstanceStatus,
      expectedEtag: string | undefined,
    ) =>
      change({
        ...{ actor, name, expectedEtag, action: 'sessions.setInstanceStatus' },
        apply: (session, at) => setInstanceStatus(session, status, at),
      }),

    addPlatformSession: (actor: Actor, name: SessionName, input: PlatformSessionInput) =>
      change({
        ...{ actor, name, action: 'sessions.addPlatformSession' },
        about: { platform: input.platform },
        apply: (session) => addPlatformSession(session, input),
      }),

    removePlatformSession: (
      actor: Actor,
      name: SessionName,
      {
        platform,
        platform_session_id_base64: id,
      }: Pick<PlatformSessionInput, 'platform' | 'platform_session_id_base64'>,
    ) => {
      const digest = platformSessionDigest(platform, id);
      return change({
        ...{ actor, name, action: 'sessions.removePlatformSession', about: { platform } },
        apply: (session) => removePlatformSession(session, { platform, digest }),
      });
    },

    invitePlayer: async (actor: Actor, name: SessionName, invitation: Invitation) => {
      const { playerUuid } = invitation;
      const known = (await findPlayer(playerUuid))?.playerId;
      const playerId = invitation.playerId ?? known;
      const isNew = playerId !== undefined && known === undefined;
      if (playerId !== known && !isNew) throw new ServiceError('player_id_taken', OTHER_ID);
      return change({
        ...{ actor, name, action: 'sessions.invitePlayer', seatsPlayer: playerUuid },
        about: { player_uuid: playerUuid },
        apply: (state, at) => invitePlayer(state, { ...invitation, playerId }, at),
        ...(isNew && { alsoWrite: () => claimId(playerUuid, playerId) }),
      });
    },

    removePlayer: (actor: Actor, name: SessionName, playerUuid: string) =>
      change({
        ...{ actor, name, action: 'sessions.removePlayer', about: { player_uuid: playerUuid } },
        apply: (session, at) => removePlayer(session, playerUuid, at),
      }),

    movePlayer: (
      actor: Actor,
      name: SessionName,
      move: { playerUuid: string; teamId: number },
      expectedEtag: string | undefined,
    ) =>
      change({
        ...{ actor, name, expectedEtag, action: 'sessions.movePlayer' },
        about: { player_uuid: move.playerUuid },
        apply: (session, at) => movePlayer(session, move, at),
      }),

    promotePlayer: (
      actor: Actor,
      name: SessionName,
      playerUuid: string,
      expectedEtag: string | undefined,
    ) =>
      change({
        ...{ actor, name, expectedEtag, action: 'sessions.promotePlayer' },
        about: { player_uuid: playerUuid },
        apply: (session, at) => promotePlayer(session, playerUuid, at),
      }),

    /** Marks a seated player disconnected or connected. The resource and its ETag stay as they are. */
    setPresence: async (
      actor: Actor,
      name: SessionName,
      { playerUuid, present }: { playerUuid: string; present: boolean },
    ): Promise<SessionState> => {
      const sessionKey = sessionKeyOf(name.type, name.sessionId);
      const target = { type: name.type, session_id: name.sessionId, player_uuid: playerUuid };
      const audit = { action: 'sessions.setPresence', target };
      const change = { sessionKey, playerUuid, present };
      try {
        await adminStore.setPresence(actor, change, audit, now());
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'seat_held') throw error;
        // The store does not know how long seats are held.
        const { seats } = withoutExpiredSeats(await getSession(name), now());
        throw seats.has(playerUuid) ? error : new ServiceError('seat_not_found');
      }
      return getSession(name);
    },

    getSession,

    /** A live session, else the one of this name as it was when it ended; null when there is neither. */
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

    /** A page of sessions, newest first. A session that ends or is deleted meanwhile is left out. */
    listSessions: async (
      filter: SessionFilter,
      after: ListPosition | null,
      limit: number,
    ): Promise<SessionPage> => {
      const { keys, next } = await listStore.listKeys(filter, after, limit);
      const read = filter.ended ? store.readEndedSessions : readListed;
      const { sessions, isCut } = await readWithinBytes(keys, read);
      const last = sessions.at(-1)?.session;
      return {
        sessions,
        next: isCut && last ? { createdAt: last.createdAt, key: last.key } : next,
      };
    },

    /** How many sessions match, counted up to `most` and through as many as one page may look at. */
    countSessions: (filter: SessionFilter, most: number): Promise<BoundedCount> =>
      listStore.countSessions(filter, most),

    /** A page of a session's timeline, newest first; of ended sessions too. */
    listEvents: (name: SessionName, after: string | null, limit: number): Promise<StoredEvent[]> =>
      adminStore.listEvents(sessionKeyOf(name.type, name.sessionId), after, limit),
  };
};

/** A session that another caller ended meanwhile, or that is too busy, does not hold up those after it. */
const isPassedBy = (error: unknown): false => {
  const isKnown = error instanceof ServiceError && PASSED_BY.includes(error.code);
  if (isKnown) return false;
  throw error;
};
const PASSED_BY: readonly string[] = ['session_not_found', 'session_busy'];

const checkEtag = (session: SessionState, expected: string | undefined): void => {
  if (expected === undefined || expected === etagOf(session)) return;
  throw new ServiceError('session_etag_mismatch', { facts: { current_etag: etagOf(session) } });
};

type SessionAudit = {
  actor: Actor;
  /** The procedure, such as sessions.update. */
  action: string;
  /** What the change was about besides the session, such as a player. */
  about?: Record<string, string>;
};

/** The audit record of one change of a session: who, what, and the ETags before and after. */
export const auditSession =
  (
    { actor, action, about }: SessionAudit,
    before: SessionState | null,
    after: SessionState,
    now: Date,
  ): TransactionStep =>
  (transaction) =>
    appendAudit(
      transaction,
      actor,
      {
        action,
        target: { type: after.type, session_id: after.sessionId, ...about },
        ...(before && { before: { etag: etagOf(before) } }),
        after: { etag: etagOf(after) },
      },
      now,
    );
