// Changes of a session by game backends, besides its seats, as pure functions on the aggregate. A change without effect
// returns null, so that nothing is written and the ETag is unchanged.
import { isDeepStrictEqual } from 'node:util';
import type {
  Instance,
  InstanceInput,
  JoinStatus,
  PlatformSessionInput,
  SessionInput,
  sessionDetailInputs,
  TeamInput,
} from '@muster/contract';
import { ServiceError } from '../platform/index.ts';
import type {
  ChangeResult,
  PlatformSessionState,
  SessionDetails,
  SessionState,
  TeamState,
} from './session.ts';
import {
  changed,
  countSeats,
  DEFAULT_TYPE_RULES,
  fillOf,
  isSeated,
  NO_PLAYERS,
  platformSessionDigest,
  sessionKeyOf,
} from './session.ts';
import type { SessionFilter } from './session-list-store.ts';
import { FILLS } from './session-list-store.ts';

/** A new session: no seats, version 1, every absent `created` set to `at`. */
export const createSessionState = (
  input: Omit<SessionInput, 'teams'> & { teams: readonly TeamInput[] },
  { sessionId, incarnation, at }: { sessionId: string; incarnation: string; at: Date },
): SessionState => {
  const { joinable } = input;
  const instance = applyDated<Instance>(input.instance, undefined, at);
  return {
    key: sessionKeyOf({ type: input.type, sessionId }),
    type: input.type,
    sessionId,
    incarnation,
    version: 1,
    createdAt: input.created === undefined ? at : new Date(input.created),
    rules: DEFAULT_TYPE_RULES,
    details: applyDetails({ joinable, instance }, input, at),
    teams: input.teams.map(toTeamState),
    seats: new Map(),
    removedPlayers: NO_PLAYERS,
    disconnects: new Map(),
    platformSessions: input.platform_session.map(toPlatformSessionState),
  };
};

const toTeamState = (team: TeamInput, index: number): TeamState => ({
  teamId: team.team_id ?? index,
  maxSize: team.max_size,
  ticketIds: team.ticket_ids,
  customData: team.custom_data,
});

const toPlatformSessionState = (input: PlatformSessionInput): PlatformSessionState => ({
  digest: platformSessionDigest(input.platform, input.platform_session_id_base64),
  platform: input.platform,
  type: input.platform_session_type,
  idBase64: input.platform_session_id_base64,
  customData: input.custom_data,
});

/** An absent field is unchanged, null clears it. */
export type SessionUpdate = {
  [Field in keyof typeof sessionDetailInputs]?: SessionInput[Field] | null;
} & { joinable?: boolean | undefined; teams?: readonly TeamInput[] | undefined };

/** A team with seats can neither be removed nor become smaller than them. Errors: `team_in_use`. */
export const updateSession = (
  session: SessionState,
  update: SessionUpdate,
  now: Date,
): ChangeResult | null => {
  const details = keepIfEqual(session.details, applyDetails(session.details, update, now));
  const teams = keepIfEqual(session.teams, replaceTeams(session, update.teams));
  if (details === session.details && teams === session.teams) return null;
  return changed({ ...session, details, teams }, { kind: 'session_updated' });
};

/** The store compares the parts of a session by identity. */
const keepIfEqual = <Part>(before: Part, after: Part): Part =>
  isDeepStrictEqual(after, before) ? before : after;

const applyDetails = (
  before: SessionDetails,
  update: SessionUpdate,
  now: Date,
): SessionDetails => ({
  ...before,
  joinable: update.joinable ?? before.joinable,
  regionId: applyField(update.region_id, before.regionId),
  createdByMatchmaking: applyField(update.created_by_matchmaking, before.createdByMatchmaking),
  customData: applyField(update.custom_data, before.customData),
  match: applyDated(update.match, before.match, now),
  matchmaking: applyField(update.matchmaking, before.matchmaking),
  matchmakingResults: applyDated(update.matchmaking_results, before.matchmakingResults, now),
  backfill: applyField(update.backfill, before.backfill),
  browser: applyField(update.browser, before.browser),
});

/** The new value of a field: absent keeps it, null clears it. */
const applyField = <Value>(given: Value | null | undefined, before: Value | undefined) =>
  given === undefined ? before : (given ?? undefined);

/** The same for a nested object. Its `created` is the given one, the previous one, or now. */
const applyDated = <Stored extends { created: string }>(
  input: (Omit<Stored, 'created'> & { created?: string | undefined }) | null | undefined,
  before: Stored | undefined,
  now: Date,
): Stored | undefined => {
  if (input === undefined) return before;
  const created = input?.created ?? before?.created ?? now.toISOString();
  return input === null ? undefined : ({ ...input, created } as Stored);
};

const replaceTeams = (
  session: SessionState,
  inputs: SessionUpdate['teams'],
): readonly TeamState[] => {
  if (!inputs) return session.teams;
  const teams = inputs.map(toTeamState);
  const sizes = new Map(teams.map(({ teamId, maxSize }) => [teamId, maxSize]));
  for (const { teamId } of session.teams) {
    const seats = countSeats(session.seats, teamId);
    if (seats <= (sizes.get(teamId) ?? 0)) continue;
    throw new ServiceError('team_in_use', { desc: `Team ${teamId} has ${seats} seats.` });
  }
  return teams;
};

/**
 * Invitations and reservations end with their session. Errors: `session_not_empty` with `ifEmpty`, when there is a taken
 * or held seat.
 */
export const endSession = (session: SessionState, { ifEmpty = false } = {}): ChangeResult => {
  if (ifEmpty && session.seats.size > 0) throw new ServiceError('session_not_empty');
  const seats = new Map([...session.seats].filter(([, seat]) => isSeated(seat)));
  return changed({ ...session, seats }, { kind: 'session_ended' });
};

/** Applies the filters of the lists again to a session that may have changed since it was found. */
export const matchesFilter = (session: SessionState, filter: SessionFilter): boolean => {
  const { details, seats, platformSessions, createdAt, lastActivityAt = createdAt } = session;
  const is = <Value>(wanted: Value | undefined, value: Value | undefined) =>
    wanted === undefined || wanted === value;
  return (
    is(filter.type, session.type) &&
    is(filter.joinable, details.joinable) &&
    is(filter.joinStatus, details.instance?.join_status) &&
    is(filter.instanceHealth, details.instance?.instance_health) &&
    (filter.fill === undefined || FILLS[filter.fill].some((fill) => fill === fillOf(session))) &&
    (filter.playerUuid === undefined || seats.has(filter.playerUuid)) &&
    (filter.platform === undefined ||
      platformSessions.some(({ platform }) => platform === filter.platform)) &&
    is(filter.hasAbsent, session.disconnects.size > 0) &&
    (!filter.idleSince || lastActivityAt < filter.idleSince) &&
    (!filter.createdFrom || createdAt >= filter.createdFrom) &&
    (!filter.createdTo || createdAt < filter.createdTo)
  );
};

/** Sets or removes the instance. Errors: `instance_transition`. */
export const setInstance = (
  session: SessionState,
  input: InstanceInput | null,
  now: Date,
): ChangeResult | null => {
  const current = session.details.instance;
  const sameInstance = current?.instance_id === input?.instance_id ? current : undefined;
  const instance = applyDated(input, sameInstance, now);
  if (instance) checkInstanceChange(current, instance);
  if (isDeepStrictEqual(instance, current)) return null;
  const detail = instance && {
    instance_id: instance.instance_id,
    join_status: instance.join_status,
    ...(instance.instance_health && { instance_health: instance.instance_health }),
  };
  const details = { ...session.details, instance };
  return changed({ ...session, details }, { kind: 'instance_set', detail });
};

/** Moves the instance along its transitions; its health changes freely. Errors: `instance_not_found`, `instance_transition`. */
export const setInstanceStatus = (
  session: SessionState,
  { joinStatus, instanceHealth }: Pick<SessionFilter, 'joinStatus' | 'instanceHealth'>,
  now: Date,
): ChangeResult | null => {
  const { instance } = session.details;
  if (!instance) throw new ServiceError('instance_not_found');
  const next: InstanceInput = {
    ...instance,
    ...(joinStatus && { join_status: joinStatus }),
    ...(instanceHealth && { instance_health: instanceHealth }),
  };
  return setInstance(session, next, now);
};

/** The documented transitions: steps forward may be skipped; `closed` is final and can follow any state. */
const TRANSITIONS: Record<JoinStatus, readonly JoinStatus[]> = {
  requested: ['allocated', 'pending', 'joinable', 'unjoinable', 'closed'],
  allocated: ['pending', 'joinable', 'unjoinable', 'closed'],
  pending: ['joinable', 'unjoinable', 'closed'],
  joinable: ['unjoinable', 'pending', 'closed'],
  unjoinable: ['joinable', 'closed'],
  closed: [],
};

/** The next states of an instance; none for a session without one. */
export const listTransitions = (instance: Instance | undefined): readonly JoinStatus[] =>
  instance ? TRANSITIONS[instance.join_status] : [];

const HOST_FIELDS = [
  'host_type',
  'host_player_id',
  'host_player_uuid',
  'host_dedicated_process_id',
  'host_dedicated_server_id',
] satisfies readonly (keyof Instance)[];

/** A new instance_id starts in any state; the same one keeps its host and follows the transitions. */
const checkInstanceChange = (current: Instance | undefined, next: Instance): void => {
  if (!current || current.instance_id !== next.instance_id) return;
  const replaced = HOST_FIELDS.find((field) => current[field] !== next[field]);
  if (replaced) {
    const desc = `${replaced} of an instance cannot change; a host is replaced by a new instance.`;
    throw new ServiceError('instance_transition', { desc });
  }
  const [from, to] = [current.join_status, next.join_status];
  if (from === to || TRANSITIONS[from].includes(to)) return;
  const allowed = TRANSITIONS[from].join(', ') || 'none';
  const desc = `An instance cannot move from ${from} to ${to}; allowed: ${allowed}.`;
  throw new ServiceError('instance_transition', { desc });
};

/**
 * Registering a platform session again with the same content changes nothing. Its spelling, type and data change only
 * with `replace`. Errors: `platform_session_exists`.
 */
export const addPlatformSession = (
  session: SessionState,
  { replace, ...input }: PlatformSessionInput & { replace?: boolean | undefined },
): ChangeResult | null => {
  const added = toPlatformSessionState(input);
  const at = session.platformSessions.findIndex(({ digest }) => digest === added.digest);
  const current = session.platformSessions[at];
  if (isDeepStrictEqual(current, added)) return null;
  if (current && !replace) throw new ServiceError('platform_session_exists');
  const platformSessions = current
    ? session.platformSessions.with(at, added)
    : [...session.platformSessions, added];
  const event = { kind: 'platform_session_added', detail: { platform: added.platform } } as const;
  return changed({ ...session, platformSessions }, event);
};

/** Removing a missing one changes nothing, so repeating it is safe. */
export const removePlatformSession = (
  session: SessionState,
  input: Pick<PlatformSessionInput, 'platform' | 'platform_session_id_base64'>,
): ChangeResult | null => {
  const { platform, platform_session_id_base64: idBase64 } = input;
  const removed = platformSessionDigest(platform, idBase64);
  const platformSessions = session.platformSessions.filter(({ digest }) => digest !== removed);
  if (platformSessions.length === session.platformSessions.length) return null;
  const event = { kind: 'platform_session_removed', detail: { platform } } as const;
  return changed({ ...session, platformSessions }, event);
};
