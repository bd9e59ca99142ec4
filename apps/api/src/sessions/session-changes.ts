// What game backends do to a session as a whole, as pure functions on the aggregate. A change that changes
// nothing answers null, so that nothing is written and the ETag stays.
import { isDeepStrictEqual } from 'node:util';
import type {
  Match,
  MatchInput,
  MatchmakingResults,
  MatchmakingResultsInput,
  TeamInput,
} from '@muster/contract';
import { ServiceError } from '../errors/service-error.ts';
import type { ChangeResult } from './change-result.ts';
import { changed } from './change-result.ts';
import { isSeated } from './seat-rules.ts';
import type { SessionDetails, SessionState, TeamState } from './session-state.ts';

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

/** Invitations and reservations end with their session. */
export const endSession = (session: SessionState): ChangeResult => {
  const seats = new Map([...session.seats].filter(([, seat]) => isSeated(seat)));
  return changed({ ...session, seats }, { kind: 'session_ended' });
};
