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
import type { ChangeResult } from './change-result.ts';
import type { InstanceStatus } from './instance-changes.ts';
import { setInstance, setInstanceStatus } from './instance-changes.ts';
import { createSessionState } from './new-session.ts';
import { addPlatformSession, removePlatformSession } from './platform-session-changes.ts';
import type { Invitation } from './seat-changes.ts';
import { invitePlayer, movePlayer, promotePlayer, removePlayer } from './seat-changes.ts';
import type { SessionAbsenceStore } from './session-absence-store.ts';
import type { SessionAdminStore } from './session-admin-store.ts';
import { auditSession } from './session-audit.ts';
import type { DetailChanges } from './session-changes.ts';
import { endSession, updateSession } from './session-changes.ts';
import { platformSessionDigest, sessionKeyOf } from './session-key.ts';
import type { SessionName, SessionQueriesOptions } from './session-queries.ts';
import { createSessionQueries } from './session-queries.ts';
import type { SessionQueue } from './session-queue.ts';
import { etagOf } from './session-resource.ts';
import type { SessionState } from './session-state.ts';
import type { TransactionStep } from './session-store.ts';

export type SessionServiceOptions = {
  store: SessionQueriesOptions['store'];
  adminStore: SessionAdminStore;
  listStore: SessionQueriesOptions['listStore'];
  absenceStore: SessionAbsenceStore;
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
  const { adminStore, queue, now = () => new Date() } = options;
  const queries = createSessionQueries(options);

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
    ...queries,

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
      return queries.getSession({ type: session.type, sessionId });
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
        apply: (session) => promotePlayer(session, playerUuid),
      }),

    /** Marks a seated player absent or present. The resource and its ETag stay as they are. */
    setPresence: async (
      actor: Actor,
      name: SessionName,
      { playerUuid, present }: { playerUuid: string; present: boolean },
    ): Promise<SessionState> => {
      const sessionKey = sessionKeyOf(name.type, name.sessionId);
      const target = { type: name.type, session_id: name.sessionId, player_uuid: playerUuid };
      const audit = { action: 'sessions.setPresence', target };
      await options.absenceStore.setPresence(
        actor,
        { sessionKey, playerUuid, present },
        audit,
        now(),
      );
      return queries.getSession(name);
    },

    endSession: (actor: Actor, name: SessionName) =>
      change({
        ...{ actor, name, action: 'sessions.end' },
        apply: endSession,
        alsoWrite: adminStore.endSession,
      }),
  };
};

const checkEtag = (session: SessionState, expected: string | undefined): void => {
  if (expected === undefined || expected === etagOf(session)) return;
  throw new ServiceError('session_etag_mismatch', { facts: { current_etag: etagOf(session) } });
};
