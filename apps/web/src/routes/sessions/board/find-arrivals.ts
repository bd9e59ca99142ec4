// Who has come since the board was last drawn. Pure.
import type { Team } from '../live-session.ts';

export type Arrival = { playerUuid: string; teamId: number | undefined; isHeld: boolean };

/** Player UUIDs; `true` for those whose seat only waits for them. */
type Presence = ReadonlyMap<string, boolean>;

const isHeld = (status: string): boolean => status === 'invited' || status === 'reserved';

export const readPresence = (teams: readonly Team[]): Presence =>
  new Map(
    teams.flatMap(({ players }) =>
      players.map(({ player_uuid, status }) => [player_uuid, isHeld(status)] as const),
    ),
  );

/** Players who were not there, or for whom a seat was only held. */
export const findArrivals = (before: Presence, teams: readonly Team[]): Arrival[] =>
  teams.flatMap(({ players, team_id: teamId }) =>
    players
      .map(({ player_uuid: playerUuid, status }) => ({
        playerUuid,
        teamId,
        isHeld: isHeld(status),
      }))
      .filter(({ playerUuid, isHeld: isNowHeld }) => {
        const wasHeld = before.get(playerUuid);
        return wasHeld === undefined || (wasHeld && !isNowHeld);
      }),
  );
