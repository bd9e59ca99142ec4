// What a game client does with its sessions besides the join: who may read, list and leave, and what each caller sees.
import type { PlayerSessions, Session } from '@muster/contract';
import {
  JOIN_FOR_ANY,
  JOIN_FOR_SELF,
  MAX_LISTED_SESSIONS,
  permits,
  toWrittenUuid,
} from '@muster/contract';
import type { Caller } from '../auth/index.ts';
import type { CircuitBreaker, LongPoll } from '../flow/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { LimitEvents } from './event-limits.ts';
import { heldEtagOf, toHeldView } from './held-view.ts';
import type { PlayerSessionStore } from './player-session-store.ts';
import type { SessionName, SessionState } from './session.ts';
import { isSeated, sessionKeyOf } from './session.ts';
import { etagOf, toSessionResource } from './session-resource.ts';
import type { SessionService } from './session-service.ts';
import type { SessionWatch } from './session-watch.ts';

type CompanionServiceOptions = {
  sessions: Pick<SessionService, 'getSession' | 'getSessionOfPlayer' | 'leaveSession'>;
  store: PlayerSessionStore;
  watch: Pick<SessionWatch, 'watch'>;
  /** Called for each leave that the player requests. */
  limitEvents: () => LimitEvents;
  breaker: Pick<CircuitBreaker, 'run'>;
};

/** A session as one caller sees it. */
type SessionView = {
  /** Of what the caller sees. */
  etag: string;
  /** Of the whole session. */
  sessionEtag: string;
  toBody: () => Session;
};

/** The body is made when it is needed. A client that has it gets none, so that a waiting request keeps no session. */
export type ReadView = { etag: string; toBody: SessionView['toBody'] | null };

type ReadOptions = {
  /** Whether the client has the representation with this ETag. */
  isKnown: (etag: string) => boolean;
  /** How long to wait for another state of a known session, in milliseconds. */
  waitMs: number;
  longPoll: LongPoll;
};

export type CompanionService = ReturnType<typeof createCompanionService>;

export const createCompanionService = ({
  sessions,
  store,
  watch,
  limitEvents,
  breaker,
}: CompanionServiceOptions) => {
  const viewForService = async (name: SessionName): Promise<SessionView> => {
    const session = await sessions.getSession(name);
    return toWholeView(session);
  };

  const viewForPlayer = async (name: SessionName, playerUuid: string): Promise<SessionView> => {
    const session = await sessions.getSessionOfPlayer(name, playerUuid);
    if (isSeated(session.seats.get(playerUuid))) return toWholeView(session);
    return {
      etag: heldEtagOf(session),
      sessionEtag: etagOf(session),
      toBody: () => toHeldView(session, playerUuid),
    };
  };

  const view = async (caller: Caller, name: SessionName): Promise<SessionView> => {
    if (permits(caller.permissions, ['session:view'])) {
      return breaker.run(() => viewForService(name));
    }
    if (!permits(caller.permissions, JOIN_FOR_SELF)) refuse();
    return breaker.run(() => viewForPlayer(name, toWrittenUuid(caller.accountId)));
  };

  return {
    /**
     * `findCaller` returns the caller as last verified: again after a wait. Errors: `insufficient_permissions`;
     * `session_not_found`, also for a player without a seat.
     */
    readSession: (
      findCaller: () => Caller,
      name: SessionName,
      { isKnown, ...wait }: ReadOptions,
    ): Promise<ReadView> =>
      watch.watch<ReadView>({
        ...wait,
        callerId: findCaller().accountId,
        sessionKey: sessionKeyOf(name),
        read: async () => {
          const { etag, sessionEtag, toBody } = await view(findCaller(), name);
          return isKnown(etag)
            ? { view: { etag, toBody: null }, knownEtag: sessionEtag }
            : { view: { etag, toBody }, knownEtag: undefined };
        },
      }),

    /** Errors: `insufficient_permissions`. */
    listSessions: async (caller: Caller, playerUuid: string): Promise<PlayerSessions> => {
      const mayList =
        permits(caller.permissions, ['session:view']) || isPermittedSelf(caller, playerUuid);
      if (!mayList) refuse();
      const list = () => store.listLiveSessions(playerUuid, new Date(), MAX_LISTED_SESSIONS);
      return { sessions: await breaker.run(list) };
    },

    /** Without a seat, nothing changes. Errors: `insufficient_permissions`, `session_not_found`. */
    leaveSession: async (caller: Caller, name: SessionName, playerUuid: string): Promise<void> => {
      const isSelf = isOneself(caller, playerUuid);
      const mayLeave =
        permits(caller.permissions, JOIN_FOR_ANY) || isPermittedSelf(caller, playerUuid);
      if (!mayLeave) refuse();
      const limit = isSelf ? limitEvents() : undefined;
      await breaker.run(() => sessions.leaveSession(caller.accountId, name, playerUuid, limit));
    },
  };
};

const toWholeView = (session: SessionState): SessionView => {
  const etag = etagOf(session);
  return { etag, sessionEtag: etag, toBody: () => toSessionResource(session) };
};

const isOneself = ({ accountId }: Caller, playerUuid: string): boolean =>
  toWrittenUuid(accountId) === playerUuid;

const isPermittedSelf = (caller: Caller, playerUuid: string): boolean =>
  isOneself(caller, playerUuid) && permits(caller.permissions, JOIN_FOR_SELF);

const refuse = (): never => {
  throw new ServiceError('insufficient_permissions');
};
