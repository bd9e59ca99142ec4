import type { SessionInput, TeamInput } from '@muster/contract';
import { toPlatformSessionState } from './platform-session-changes.ts';
import { toTeamState, withCreated } from './session-changes.ts';
import { sessionKeyOf } from './session-key.ts';
import type { SessionState } from './session-state.ts';
import { DEFAULT_TYPE_RULES } from './session-state.ts';

type Birth = { sessionId: string; incarnation: string; at: Date };

/** The aggregate of a new session: no seats, version 1, every absent `created` set to now. */
export const createSessionState = (
  input: Omit<SessionInput, 'teams'> & { teams: readonly TeamInput[] },
  { sessionId, incarnation, at }: Birth,
): SessionState => {
  const dated = <Part extends { created?: string | undefined }>(part: Part | undefined) =>
    part && withCreated(part, undefined, at);
  return {
    key: sessionKeyOf(input.type, sessionId),
    type: input.type,
    sessionId,
    incarnation,
    version: 1,
    createdAt: input.created === undefined ? at : new Date(input.created),
    rules: DEFAULT_TYPE_RULES,
    details: {
      joinable: input.joinable,
      regionId: input.region_id,
      createdByMatchmaking: input.created_by_matchmaking,
      customData: input.custom_data,
      instance: dated(input.instance),
      match: dated(input.match),
      matchmaking: input.matchmaking,
      matchmakingResults: dated(input.matchmaking_results),
      backfill: input.backfill,
      browser: input.browser,
    },
    teams: input.teams.map(toTeamState),
    seats: new Map(),
    absences: new Map(),
    platformSessions: input.platform_session.map(toPlatformSessionState),
  };
};
