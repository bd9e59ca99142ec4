// Sessions for game backends and admins. Every change uses the same queue as joins and writes an audit record; reads
// use no queue.
import type { SessionTypeInput } from '@muster/contract';
import type { LongPoll } from '../flow/index.ts';
import type { Actor } from '../platform/index.ts';
import { SERVICE_ACCOUNT, ServiceError } from '../platform/index.ts';
import { createSessionCreator } from './create-session.ts';
import { createSessionEnding } from './end-sessions.ts';
import type { LimitEvents } from './event-limits.ts';
import type { FindPlayer, ResolveInvitation } from './invitations.ts';
import { claimNewIds, createInvitationResolver } from './invitations.ts';
import { registerPlayers } from './player-store.ts';
import {
  beforeExpiry,
  invitePlayers,
  leaveSession,
  movePlayer,
  promotePlayer,
  removeExpiredSeats,
  removePlayer,
  swapPlayers,
  withExpiry,
} from './seat-rules.ts';
import type { Apply, ChangeResult, ListedSession, SessionName, SessionState } from './session.ts';
import { findOverdue, sessionKeyOf, withoutExpiredSeats } from './session.ts';
import type { Presence, SessionAdminStore } from './session-admin-store.ts';
import type { AuditSubject } from './session-audit.ts';
import { auditSession, toPlatform, toPlayer, toPlayers, toRemoval } from './session-audit.ts';
import {
  addPlatformSession,
  removePlatformSession,
  setInstance,
  setInstanceStatus,
  updateSession,
} from './session-changes.ts';
import type { ListPosition, SessionFilter, SessionListStore } from './session-list-store.ts';
import { readWithinBytes } from './session-list-store.ts';
import type { SessionQueue } from './session-queue.ts';
import { etagOf, requireEtag } from './session-resource.ts';
import type { TransactionStep } from './session-sql.ts';
import type { EndedSession, SessionStore } from './session-store.ts';
import type { SessionWatch } from './session-watch.ts';

type SessionServiceOptions = {
  store: Pick<SessionStore, 'readSession' | 'readSessions' | 'readEndedSessions'>;
  adminStore: SessionAdminStore;
  listStore: SessionListStore;
  queue: Pick<SessionQueue, 'change'>;
  watch: Pick<SessionWatch, 'watch'>;
  findDefaultTeams: (type: string) => Promise<SessionTypeInput['default_teams']>;
  /** Looks up a player named by a backend. */
  findPlayer: FindPlayer;
  maxSessionBytes: number;
  now?: () => Date;
};

type ChangeOptions = {
  about?: AuditSubject | undefined;
  /** For the audit record. */
  reason?: string | undefined;
  expectedEtag?: string | undefined;
  /** The players for whom the change holds seats. */
  seatsPlayers?: readonly string[];
  /** The change may remove a seat that has expired. */
  removesExpired?: boolean | undefined;
  ends?: boolean;
  /** Steps that must commit with the change. */
  steps?: readonly TransactionStep[];
};

type WatchSessionOptions<View> = {
  ifNoneMatch: string | undefined;
  waitMs: number;
  longPoll: LongPoll;
  toView: (found: ListedSession | null) => View;
};

/** Each seat of a party that expires while the party is invited costs one more attempt. */
const MAX_EXPIRIES = 8;

/** A player's seat has expired, and the change would hold another one. */
class ExpiredSeatError extends Error {}

export type SessionService = ReturnType<typeof createSessionService>;

export const createSessionService = ({
  store,
  adminStore,
  listStore,
  queue,
  watch,
  findDefaultTeams,
  findPlayer,
  maxSessionBytes,
  now = () => new Date(),
}: SessionServiceOptions) => {
  const write = (
    actor: Actor,
    name: SessionName,
    action: string,
    apply: Apply,
    options: ChangeOptions = {},
  ): Promise<SessionState> => {
    const { about, reason, expectedEtag, removesExpired, ends } = options;
    const { seatsPlayers = [], steps = [] } = options;
    return queue.change(sessionKeyOf(name), {
      accountId: actor.accountId,
      alone: true,
      // The write registers a single player; several ones are registered in its transaction.
      seatsPlayer: seatsPlayers.length === 1 ? seatsPlayers[0] : undefined,
      decide: (session, at) => {
        requireEtag(session, expectedEtag);
        const overdue = findOverdue(session, at);
        if (seatsPlayers.some((player) => overdue.has(player))) throw new ExpiredSeatError();
        return (removesExpired ? beforeExpiry : withExpiry)(apply)(session, at);
      },
      audit: auditSession({ actor, action, about, reason }),
      ends,
      ...(steps.length > 0 && {
        inTransaction: () => async (transaction) => {
          for (const step of steps) await step(transaction);
        },
      }),
    });
  };

  /** Returns the session without expired seats, also after a change without effect, which has removed none. */
  const change = async (...parameters: Parameters<typeof write>): Promise<SessionState> => {
    for (let attempt = 0; attempt < MAX_EXPIRIES; attempt += 1) {
      try {
        return await removeExpired(await write(...parameters));
      } catch (error) {
        if (!(error instanceof ExpiredSeatError)) throw error;
        // One write cannot end a seat and hold another one for the same player.
        const [, name] = parameters;
        await getSession(name);
      }
    }
    throw new ServiceError('session_busy');
  };

  /** A change made by a rule with its input, only with the expected ETag, if one is given. */
  const changeBy =
    <Input>(
      action: string,
      rule: (session: SessionState, input: Input, now: Date) => ChangeResult | null,
      toAbout?: (input: Input) => AuditSubject,
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

  /** A live session, or the last state of an ended one with this name; null when there is neither. */
  const findSession = async (name: SessionName): Promise<ListedSession | null> => {
    try {
      return { session: await getSession(name) };
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'session_not_found')
        return findEnded(name);
      throw error;
    }
  };

  const resolveInvitation = createInvitationResolver(findPlayer);
  const create = createSessionCreator({
    adminStore,
    findDefaultTeams,
    resolveInvitation,
    findSession,
    maxSessionBytes,
    now,
  });

  const readListed = async (keys: readonly string[]) => {
    const live = await store.readSessions(keys);
    return new Map([...live].map(([key, session]): [string, ListedSession] => [key, { session }]));
  };

  return {
    createSession: create,

    ...createSessionEnding({ write, findEnded, store, listStore }),

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
    removePlayer: (
      actor: Actor,
      name: SessionName,
      removal: Parameters<typeof removePlayer>[1],
      expectedEtag?: string,
    ) =>
      change(actor, name, 'sessions.removePlayer', (session) => removePlayer(session, removal), {
        about: toRemoval(removal),
        expectedEtag,
        // A join would give an absent player the expired seat back.
        removesExpired: removal.preventRejoin,
      }),
    movePlayer: changeBy('sessions.movePlayer', movePlayer, (move) => toPlayer(move.playerUuid)),
    promotePlayer: changeBy('sessions.promotePlayer', promotePlayer, toPlayer),

    swapPlayers: changeBy('sessions.swapPlayers', swapPlayers, toPlayers),

    /** Holds seats for a party, all or nothing. Registers the players. */
    invitePlayers: async (
      actor: Actor,
      name: SessionName,
      inputs: readonly Parameters<ResolveInvitation>[0][],
      expectedEtag?: string,
    ): Promise<SessionState> => {
      const resolved = await Promise.all(inputs.map(resolveInvitation));
      const invitations = resolved.map(({ invitation }) => invitation);
      const players = invitations.map(({ playerUuid }) => playerUuid);
      const apply: Apply = (session, at) => invitePlayers(session, invitations, at);
      const steps = claimNewIds(resolved);
      if (players.length > 1) steps.unshift(registerPlayers(players));
      const action = players.length === 1 ? 'sessions.invitePlayer' : 'sessions.invitePlayers';
      return change(actor, name, action, apply, {
        about: toPlayers(players),
        expectedEtag,
        seatsPlayers: players,
        steps,
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
      const session = await getSession(name);
      // The player was absent for too long. One who reconnects keeps the seat.
      if (!session.seats.has(presence.playerUuid)) throw new ServiceError('seat_not_found');
      return session;
    },

    getSession,

    findSession,

    /**
     * The same, but while the caller knows the state of a live session, it waits for another one. Keeps the view during the
     * wait, and not the session.
     */
    watchSession: <View>(
      callerId: string,
      name: SessionName,
      { ifNoneMatch, toView, ...wait }: WatchSessionOptions<View>,
    ): Promise<View> =>
      watch.watch({
        ...wait,
        callerId,
        sessionKey: sessionKeyOf(name),
        read: async () => {
          const found = await findSession(name);
          const etag = found && !found.endedAt ? etagOf(found.session) : undefined;
          return { view: toView(found), knownEtag: etag === ifNoneMatch ? etag : undefined };
        },
      }),

    /** The same for one of its players. Errors: `session_not_found`, also for any other player. */
    getSessionOfPlayer: async (name: SessionName, playerUuid: string): Promise<SessionState> => {
      const stored = await readLive(name);
      // A refusal writes nothing, so the seats are checked before the expired ones are removed.
      const { seats } = removeExpiredSeats(stored, now())?.session ?? stored;
      if (seats.has(playerUuid)) {
        const session = await removeExpired(stored);
        if (session.seats.has(playerUuid)) return session;
      }
      throw new ServiceError('session_not_found');
    },

    /** The player leaves. Without a seat, nothing changes. `limit` returns the recorded events. Errors: `session_not_found`. */
    leaveSession: async (
      accountId: string,
      name: SessionName,
      playerUuid: string,
      limit?: LimitEvents,
    ): Promise<void> => {
      const key = sessionKeyOf(name);
      const leave = beforeExpiry((session) => leaveSession(session, playerUuid));
      await queue.change(key, {
        accountId,
        // A join in the same batch would return a session without its player.
        alone: true,
        decide: (session, at) => {
          const result = leave(session, at);
          return result && limit ? { ...result, events: limit(result.events, key, at) } : result;
        },
      });
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
