// Sessions for game backends and admins: every change goes through the queue that joins go through.
import { randomBytes, randomUUID } from 'node:crypto';
import type {
  InstanceInput,
  PlatformSessionInput,
  SessionInput,
  SessionTypeInput,
  TeamInput,
} from '@muster/contract';
import type { Actor } from '../audit/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import { createSessionState } from './new-session.ts';
import type { ListPosition, SessionAdminStore, StoredEvent } from './session-admin-store.ts';
import { auditSession } from './session-audit.ts';
import type { DetailChanges, Invitation } from './session-changes.ts';
import {
  addPlatformSession,
  invitePlayer,
  removePlatformSession,
  removePlayer,
  setInstance,
  updateSession,
} from './session-changes.ts';
import { platformSessionDigest, sessionKeyOf } from './session-key.ts';
import type { ChangeResult, SessionQueue } from './session-queue.ts';
import { etagOf } from './session-resource.ts';
import type { SessionState } from './session-state.ts';
import type { SessionStore, TransactionStep } from './session-store.ts';

export type SessionName = { type: string; sessionId: string };

export type SessionServiceOptions = {
  store: Pick<SessionStore, 'readSession' | 'readSessions'>;
  adminStore: SessionAdminStore;
  queue: Pick<SessionQueue, 'change'>;
  findDefaultTeams: (type: string) => Promise<SessionTypeInput['default_teams']>;
  /** Makes a player known whom a backend names. */
  registerPlayer: (playerUuid: string) => Promise<unknown>;
  now?: () => Date;
};

type Change = {
  actor: Actor;
  name: SessionName;
  action: string;
  about?: Record<string, string>;
  expectedEtag?: string | undefined;
  apply: (session: SessionState, now: Date) => ChangeResult | null;
  alsoWrite?: (after: SessionState, now: Date) => TransactionStep;
};

export type SessionService = ReturnType<typeof createSessionService>;

export const createSessionService = (options: SessionServiceOptions) => {
  const { store, adminStore, queue, now = () => new Date() } = options;

  const getSession = async ({ type, sessionId }: SessionName): Promise<SessionState> => {
    const session = await store.readSession(sessionKeyOf(type, sessionId));
    if (!session) throw new ServiceError('session_not_found');
    return session;
  };

  const change = ({ name, expectedEtag, apply, alsoWrite, ...audit }: Change) => {
    let decidedAt = now();
    return queue.change(sessionKeyOf(name.type, name.sessionId), {
      accountId: audit.actor.accountId,
      alone: true,
      decide: (session, at) => {
        if (!session) throw new ServiceError('session_not_found');
        checkEtag(session, expectedEtag);
        decidedAt = at;
        return apply(session, at);
      },
      inTransaction: (before, after) => async (transaction) => {
        await alsoWrite?.(after, decidedAt)(transaction);
        await auditSession(audit, before, after, decidedAt)(transaction);
      },
    });
  };

  return {
    getSession,

    createSession: async (actor: Actor, input: SessionInput): Promise<SessionState> => {
      const teams = input.teams ?? (await options.findDefaultTeams(input.type));
      if (teams.length === 0) throw new ServiceError('session_without_teams');
      const at = now();
      const sessionId = input.session_id ?? randomUUID();
      const incarnation = randomBytes(6).toString('base64url');
      const session = createSessionState({ ...input, teams }, { sessionId, incarnation, at });
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
      const session = await change({
        ...{ actor, name, action: 'sessions.invitePlayer' },
        about: { player_uuid: playerUuid },
        apply: (state, at) => invitePlayer(state, invitation, at),
      });
      await options.registerPlayer(playerUuid);
      return session;
    },

    removePlayer: (actor: Actor, name: SessionName, playerUuid: string) =>
      change({
        ...{ actor, name, action: 'sessions.removePlayer', about: { player_uuid: playerUuid } },
        apply: (session) => removePlayer(session, playerUuid),
      }),

    endSession: (actor: Actor, name: SessionName) =>
      change({
        ...{ actor, name, action: 'sessions.end' },
        apply: (session) => ({
          session: { ...session },
          events: [{ kind: 'session_ended' }],
        }),
        alsoWrite: adminStore.endSession,
      }),

    /** A page of live sessions, newest first. */
    listSessions: async (
      filter: { type?: string | undefined },
      after: ListPosition | null,
      limit: number,
    ): Promise<{ sessions: SessionState[]; next: ListPosition | null }> => {
      const positions = await adminStore.listKeys(filter, after, limit + 1);
      const page = positions.slice(0, limit);
      const states = await store.readSessions(page.map(({ key }) => key));
      const sessions = page.flatMap(({ key }) => states.get(key) ?? []);
      return { sessions, next: positions.length > limit ? (page.at(-1) ?? null) : null };
    },

    /** A page of a session's timeline, newest first; of ended sessions too. */
    listEvents: (name: SessionName, after: string | null, limit: number): Promise<StoredEvent[]> =>
      adminStore.listEvents(sessionKeyOf(name.type, name.sessionId), after, limit),
  };
};

const checkEtag = (session: SessionState, expected: string | undefined): void => {
  if (expected === undefined || expected === etagOf(session)) return;
  throw new ServiceError('session_etag_mismatch', { facts: { current_etag: etagOf(session) } });
};
