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
import type { CircuitBreaker } from '../flow/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { LimitEvents } from './event-limits.ts';
import { heldEtagOf, toHeldView } from './held-view.ts';
import type { PlayerSessionStore } from './player-session-store.ts';
import type { SessionName } from './session.ts';
import { isSeated } from './session.ts';
import { etagOf, toSessionResource } from './session-resource.ts';
import type { SessionService } from './session-service.ts';

type CompanionServiceOptions = {
  sessions: Pick<SessionService, 'getSession' | 'getSessionOfPlayer' | 'leaveSession'>;
  store: PlayerSessionStore;
  /** Called for each leave that the player requests. */
  limitEvents: () => LimitEvents;
  breaker: Pick<CircuitBreaker, 'run'>;
  now?: () => Date;
};

/** A session as one caller sees it. The body is made when it is needed: an unchanged session has none. */
export type SessionView = { etag: string; toBody: () => Session };

export type CompanionService = ReturnType<typeof createCompanionService>;

export const createCompanionService = ({
  sessions,
  store,
  limitEvents,
  breaker,
  now = () => new Date(),
}: CompanionServiceOptions) => {
  const viewForService = async (name: SessionName): Promise<SessionView> => {
    const session = await sessions.getSession(name);
    return { etag: etagOf(session), toBody: () => toSessionResource(session) };
  };

  const viewForPlayer = async (name: SessionName, playerUuid: string): Promise<SessionView> => {
    const session = await sessions.getSessionOfPlayer(name, playerUuid);
    return isSeated(session.seats.get(playerUuid))
      ? { etag: etagOf(session), toBody: () => toSessionResource(session) }
      : { etag: heldEtagOf(session), toBody: () => toHeldView(session, playerUuid) };
  };

  return {
    /** Errors: `insufficient_permissions`; `session_not_found`, also for a player without a seat. */
    readSession: async (caller: Caller, name: SessionName): Promise<SessionView> => {
      if (permits(caller.permissions, ['session:view'])) {
        return breaker.run(() => viewForService(name));
      }
      if (!permits(caller.permissions, JOIN_FOR_SELF)) refuse();
      return breaker.run(() => viewForPlayer(name, toWrittenUuid(caller.accountId)));
    },

    /** Errors: `insufficient_permissions`. */
    listSessions: async (caller: Caller, playerUuid: string): Promise<PlayerSessions> => {
      const mayList =
        permits(caller.permissions, ['session:view']) || isPermittedSelf(caller, playerUuid);
      if (!mayList) refuse();
      const list = () => store.listLiveSessions(playerUuid, now(), MAX_LISTED_SESSIONS);
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

const isOneself = ({ accountId }: Caller, playerUuid: string): boolean =>
  toWrittenUuid(accountId) === playerUuid;

const isPermittedSelf = (caller: Caller, playerUuid: string): boolean =>
  isOneself(caller, playerUuid) && permits(caller.permissions, JOIN_FOR_SELF);

const refuse = (): never => {
  throw new ServiceError('insufficient_permissions');
};
