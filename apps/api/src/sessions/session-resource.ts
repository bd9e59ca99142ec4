// From the aggregate to the public resource. One function writes it, so that equal states are equal bytes.
import type { Session } from '@muster/contract';
import type { PlatformSessionState, Seat, SessionState, TeamState } from './session-state.ts';

/** The strong validator of a session (RFC 9110 section 8.8.3), quotes included. */
export const etagOf = ({ incarnation, version }: SessionState): string =>
  `"${incarnation}-${version}"`;

export const toSessionResource = (session: SessionState): Session => {
  const { details } = session;
  return {
    type: session.type,
    session_id: session.sessionId,
    instance: details.instance,
    match: details.match,
    matchmaking_results: details.matchmakingResults,
    matchmaking: details.matchmaking,
    backfill: details.backfill,
    browser: details.browser,
    joinable: details.joinable,
    teams: toTeams(session),
    platform_session: session.platformSessions.map(toPlatformSession),
    custom_data: details.customData,
    created: session.createdAt.toISOString(),
    region_id: details.regionId,
    created_by_matchmaking: details.createdByMatchmaking,
  };
};

const toTeams = ({ teams, seats }: SessionState): Session['teams'] => {
  const ordered = [...seats.values()].sort(bySeatOrder);
  return teams.map((team) => toTeam(team, ordered));
};

const toTeam = (team: TeamState, ordered: readonly Seat[]): Session['teams'][number] => ({
  players: ordered.filter((seat) => seat.teamId === team.teamId).map(toSessionPlayer),
  max_size: team.maxSize,
  team_id: team.teamId,
  ticket_ids: team.ticketIds && [...team.ticketIds],
  custom_data: team.customData,
});

/** First seated first; the UUID decides between seats of one moment. */
const bySeatOrder = (a: Seat, b: Seat): number =>
  a.seatedAt.getTime() - b.seatedAt.getTime() || (a.playerUuid < b.playerUuid ? -1 : 1);

const toSessionPlayer = (seat: Seat): Session['teams'][number]['players'][number] => ({
  player_id: seat.playerId,
  player_uuid: seat.playerUuid,
  status: seat.status,
  inviting_player_uuid: seat.invitingPlayerUuid,
  source_session_id: seat.sourceSessionId,
  custom_data: seat.customData,
  version: seat.clientVersion,
  client_settings: seat.input && { platform: seat.platform, input: seat.input },
  crossplay_preferences: seat.crossplay,
  invited: seat.invitedAt?.toISOString(),
  joined: seat.joinedAt?.toISOString(),
});

const toPlatformSession = (
  platformSession: PlatformSessionState,
): Session['platform_session'][number] => ({
  platform: platformSession.platform,
  platform_session_type: platformSession.type,
  platform_session_id_base64: platformSession.idBase64,
  players: [],
  custom_data: platformSession.customData,
});
