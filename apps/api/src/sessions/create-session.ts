// Creates sessions with their held seats, all or nothing. A creation that names the session can be repeated.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { SessionInput, SessionTypeInput } from '@muster/contract';
import type { Actor } from '../platform/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { ResolveInvitation } from './invitations.ts';
import { listNewIds } from './invitations.ts';
import { invitePlayers } from './seat-rules.ts';
import type { ListedSession, SessionName, SessionState } from './session.ts';
import { sessionKeyOf, withFullEvent } from './session.ts';
import type { Digest } from './session-admin-sql.ts';
import type { SessionAdminStore } from './session-admin-store.ts';
import { auditSession } from './session-audit.ts';
import { createSessionState } from './session-changes.ts';
import { checkSessionSize } from './session-resource.ts';

type SessionCreatorOptions = {
  adminStore: Pick<SessionAdminStore, 'createSession' | 'isCreatedFrom'>;
  findDefaultTeams: (type: string) => Promise<SessionTypeInput['default_teams']>;
  resolveInvitation: ResolveInvitation;
  /** A live session, or an ended one; null when there is neither. */
  findSession: (name: SessionName) => Promise<ListedSession | null>;
  maxSessionBytes: number;
  now: () => Date;
};

/**
 * Returns the new session, or the one that the same input has created before, also when it has ended within a day.
 * Errors: `session_exists`, `session_without_teams`, `session_too_large`, `platform_session_taken`, and those of
 * invitations.
 */
export const createSessionCreator =
  (options: SessionCreatorOptions) =>
  async (actor: Actor, input: SessionInput): Promise<ListedSession> => {
    const sessionId = input.session_id ?? randomUUID();
    const digest = input.session_id === undefined ? undefined : digestOf(input);
    const name = { type: input.type, sessionId };
    try {
      return { session: await create(options, actor, input, { sessionId, digest }) };
    } catch (error) {
      // The type, the players or the rules may have changed since the first call.
      const { adminStore, findSession, now } = options;
      const isRepeated =
        digest !== undefined &&
        error instanceof ServiceError &&
        (await adminStore.isCreatedFrom(sessionKeyOf(name), digest, now()));
      if (!isRepeated) throw error;
      const found = await findSession(name);
      if (!found) throw new ServiceError('session_not_found');
      return found;
    }
  };

type Identity = { sessionId: string; digest: Digest | undefined };

const create = async (
  { adminStore, findDefaultTeams, resolveInvitation, ...options }: SessionCreatorOptions,
  actor: Actor,
  input: SessionInput,
  { sessionId, digest }: Identity,
): Promise<SessionState> => {
  const teams = input.teams ?? (await findDefaultTeams(input.type));
  if (teams.length === 0) throw new ServiceError('session_without_teams');
  const resolved = await Promise.all((input.players ?? []).map(resolveInvitation));
  const at = options.now();
  const incarnation = randomBytes(6).toString('base64url');
  const empty = createSessionState({ ...input, teams }, { sessionId, incarnation, at });
  const invitations = resolved.map(({ invitation }) => invitation);
  const held = invitePlayers(empty, invitations, at);
  const session = held?.session ?? empty;
  checkSessionSize(null, session, options.maxSessionBytes);
  const created = [{ kind: 'session_created' } as const, ...(held?.events ?? [])];
  const events = withFullEvent(null, session, created);
  const creation = {
    session,
    digest,
    legacyIds: listNewIds(resolved),
    events: events.map((event) => ({ ...event, accountId: actor.accountId, at })),
    audit: auditSession({ actor, action: 'sessions.create' })(null, session, at),
  };
  await adminStore.createSession(creation, at);
  return session;
};

/**
 * SHA-256 of the input, whatever the order of its members. Members that are ignored, and those that have their default
 * value, count as absent.
 */
const digestOf = ({ teams, players, platform_session, ...input }: SessionInput): Digest => {
  const known = {
    ...input,
    teams: teams?.map((team, index) => ({
      ...team,
      team_id: team.team_id ?? index,
      players: undefined,
    })),
    platform_session: platform_session.map((child) => ({ ...child, players: undefined })),
    players: players?.length === 0 ? undefined : players,
  };
  const text = JSON.stringify(known, sortMembers);
  return new Uint8Array(createHash('sha256').update(text).digest());
};

const sortMembers = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
