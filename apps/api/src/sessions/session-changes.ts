// What game backends do to a session, as pure functions on the aggregate. A change that changes nothing
// answers null, so that nothing is written and the ETag stays.

import { isDeepStrictEqual } from 'node:util';
import type {
  Instance,
  InstanceInput,
  Match,
  MatchInput,
  MatchmakingResults,
  MatchmakingResultsInput,
  PlatformSessionInput,
  TeamInput,
} from '@muster/contract';
import { ServiceError } from '../errors/service-error.ts';
import { checkInstanceChange } from './instance-rules.ts';
import {
  fullness,
  hasRoom,
  isSeated,
  withoutExpiredSeats,
  withoutPlayer,
  withSeat,
} from './seat-rules.ts';
import { platformSessionDigest } from './session-key.ts';
import type { ChangeResult } from './session-queue.ts';
import type {
  PlatformSessionState,
  Seat,
  SessionDetails,
  SessionEvent,
  SessionState,
  TeamState,
} from './session-state.ts';

const changed = (session: SessionState, ...events: SessionEvent[]): ChangeResult => ({
  session,
  events,
});

/** Fills in the `created` of a nested object: the one given, the one it had before, or now. */
export const withCreated = <Input extends { created?: string | undefined }>(
  input: Input,
  before: { created: string } | undefined,
  now: Date,
): Input & { created: string } => ({
  ...input,
  created: input.created ?? before?.created ?? now.toISOString(),
});

export const toTeamState = (team: TeamInput, index: number): TeamState => ({
  teamId: team.team_id ?? index,
  maxSize: team.max_size,
  ticketIds: team.ticket_ids,
  customData: team.custom_data,
});

export const toPlatformSessionState = (input: PlatformSessionInput): PlatformSessionState => ({
  digest: platformSessionDigest(input.platform, input.platform_session_id_base64),
  platform: input.platform,
  type: input.platform_session_type,
  idBase64: input.platform_session_id_base64,
  customData: input.custom_data,
});

/** The fields of an update: absent leaves a field alone, null clears it. */
export type DetailChanges = {
  [Field in Exclude<
    keyof SessionDetails,
    'instance' | 'joinable' | 'match' | 'matchmakingResults'
  >]?: SessionDetails[Field] | null;
} & {
  joinable?: boolean | undefined;
  match?: MatchInput | null | undefined;
  matchmakingResults?: MatchmakingResultsInput | null | undefined;
};

/** Sets details and, when given, the list of teams; a team that has seats can neither go nor shrink below them. */
export const updateSession = (
  session: SessionState,
  changes: DetailChanges,
  teams: readonly TeamInput[] | undefined,
  now: Date,
): ChangeResult | null => {
  const next = {
    ...session,
    details: applyDetails(session.details, changes, now),
    teams: teams ? replaceTeams(session, teams) : session.teams,
  };
  const details = isDeepStrictEqual(next.details, session.details) ? session.details : next.details;
  const kept = isDeepStrictEqual(next.teams, session.teams) ? session.teams : next.teams;
  if (details === session.details && kept === session.teams) return null;
  return changed({ ...next, details, teams: kept }, { kind: 'session_updated' });
};

const applyDetails = (
  details: SessionDetails,
  { match, matchmakingResults, ...plain }: DetailChanges,
  now: Date,
): SessionDetails => {
  const given = Object.entries(plain).filter(([, value]) => value !== undefined);
  const cleared = given.map(([field, value]) => [field, value === null ? undefined : value]);
  return {
    ...details,
    ...Object.fromEntries(cleared),
    match: pick<MatchInput, Match>(match, details.match, now),
    matchmakingResults: pick<MatchmakingResultsInput, MatchmakingResults>(
      matchmakingResults,
      details.matchmakingResults,
      now,
    ),
  };
};

const pick = <Input extends { created?: string | undefined }, Stored extends { created: string }>(
  input: Input | null | undefined,
  before: Stored | undefined,
  now: Date,
): (Input & { created: string }) | Stored | undefined => {
  if (input === undefined) return before;
  return input === null ? undefined : withCreated(input, before, now);
};

const replaceTeams = (session: SessionState, inputs: readonly TeamInput[]): TeamState[] => {
  const teams = inputs.map(toTeamState);
  const sizes = new Map(teams.map(({ teamId, maxSize }) => [teamId, maxSize]));
  for (const { teamId } of session.teams) {
    const seats = [...session.seats.values()].filter((seat) => seat.teamId === teamId).length;
    if (seats <= (sizes.get(teamId) ?? 0)) continue;
    const desc = `Team ${teamId} has ${seats} seats.`;
    throw new ServiceError('team_in_use', { desc });
  }
  return teams;
};

export const setInstance = (
  session: SessionState,
  input: InstanceInput | null,
  now: Date,
): ChangeResult | null => {
  const current = session.details.instance;
  const sameInstance = current?.instance_id === input?.instance_id ? current : undefined;
  const instance: Instance | undefined = input ? withCreated(input, sameInstance, now) : undefined;
  if (instance) checkInstanceChange(current, instance);
  if (isDeepStrictEqual(instance, current)) return null;
  const detail = instance && {
    instance_id: instance.instance_id,
    join_status: instance.join_status,
  };
  return changed(
    { ...session, details: { ...session.details, instance } },
    { kind: 'instance_set', detail },
  );
};

export const addPlatformSession = (
  session: SessionState,
  input: PlatformSessionInput,
): ChangeResult | null => {
  const added = toPlatformSessionState(input);
  const existing = session.platformSessions.find(({ digest }) => digest === added.digest);
  if (existing && isDeepStrictEqual(existing, added)) return null;
  const others = session.platformSessions.filter(({ digest }) => digest !== added.digest);
  const detail = { platform: added.platform };
  return changed(
    { ...session, platformSessions: [...others, added] },
    { kind: 'platform_session_added', detail },
  );
};

/** Removing one that is not there changes nothing: repeating it is safe. */
export const removePlatformSession = (
  session: SessionState,
  { platform, digest }: Pick<PlatformSessionState, 'platform' | 'digest'>,
): ChangeResult | null => {
  const platformSessions = session.platformSessions.filter((child) => child.digest !== digest);
  if (platformSessions.length === session.platformSessions.length) return null;
  const detail = { platform };
  return changed({ ...session, platformSessions }, { kind: 'platform_session_removed', detail });
};

export type Invitation = {
  playerUuid: string;
  teamId: number;
  status: 'invited' | 'reserved';
  invitingPlayerUuid?: string | undefined;
  sourceSessionId?: string | undefined;
};

/** Holds a seat for a player. One who is seated already stays seated; a held seat takes the new terms. */
export const invitePlayer = (
  stored: SessionState,
  invitation: Invitation,
  now: Date,
): ChangeResult | null => {
  const session = withoutExpiredSeats(stored, now);
  const { playerUuid, teamId, status } = invitation;
  const team = session.teams.find((candidate) => candidate.teamId === teamId);
  if (!team) throw new ServiceError('team_not_found');
  const current = session.seats.get(playerUuid);
  if (current && isSeated(current)) return null;
  if (current?.teamId !== teamId && !hasRoom(session.seats, team)) {
    throw new ServiceError(fullness(session));
  }
  const seat: Seat = { ...(current ?? newHeldSeat(playerUuid, now)), ...invitation };
  if (isDeepStrictEqual(seat, current)) return null;
  const detail = { team_id: teamId, status };
  const seats = withSeat(session.seats, seat);
  return changed({ ...session, seats }, { kind: 'player_invited', playerUuid, detail });
};

/** A held seat before its terms; every field is present, since the rules compare whole seats. */
const newHeldSeat = (playerUuid: string, now: Date) => ({
  playerUuid,
  seatedAt: now,
  playerId: undefined,
  platform: undefined,
  input: undefined,
  clientVersion: undefined,
  crossplay: undefined,
  customData: undefined,
  invitingPlayerUuid: undefined,
  sourceSessionId: undefined,
  invitedAt: now,
  joinedAt: undefined,
});

/** Takes a player's seat away; a leader is followed by the most senior member. */
export const removePlayer = (session: SessionState, playerUuid: string): ChangeResult => {
  const seat = session.seats.get(playerUuid);
  if (!seat) throw new ServiceError('seat_not_found');
  const seats = withoutPlayer(session.seats, playerUuid);
  const detail = { team_id: seat.teamId, status: seat.status };
  const events: SessionEvent[] = [{ kind: 'player_removed', playerUuid, detail }];
  for (const heir of seats.values()) {
    if (heir !== session.seats.get(heir.playerUuid)) {
      events.push({ kind: 'leader_changed', playerUuid: heir.playerUuid });
    }
  }
  return changed({ ...session, seats }, ...events);
};
