// Who has come since the board was last drawn. Pure.
import type { SeatedPlayer, Team } from './live-session.ts';

export type RecentJoin = { playerUuid: string; teamId: number | undefined; isHeld: boolean };

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
export const findRecentJoins = (before: Presence, teams: readonly Team[]): RecentJoin[] =>
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

/** The places of the players on the board: a player's UUID, or null for a free seat. */
export type Slots = readonly (string | null)[];

/** How many free seats are drawn at least before the rest is only counted. */
const MAX_DRAWN = 16;

/**
 * Known players keep their slots, the slots of those who left are free, and new players take the first free
 * ones. As long as the size of the team, up to a bound beyond which free seats at the end are left out.
 */
export const placeSeats = (shown: Slots, players: readonly string[], maxSize: number): Slots => {
  const present = new Set(players);
  const slots = shown.map((player) => (player !== null && present.has(player) ? player : null));
  const placed = new Set(slots);
  for (const player of players) {
    if (placed.has(player)) continue;
    const free = slots.indexOf(null);
    if (free === -1) slots.push(player);
    else slots[free] = player;
  }
  while (slots.length < Math.min(maxSize, MAX_DRAWN)) slots.push(null);
  while (
    slots.length > Math.max(players.length, Math.min(maxSize, MAX_DRAWN)) &&
    slots.at(-1) === null
  )
    slots.pop();
  return slots;
};

export const areSameSlots = (a: Slots, b: Slots): boolean =>
  a.length === b.length && a.every((player, index) => player === b[index]);

const isSeated = ({ status }: SeatedPlayer): boolean => status === 'leader' || status === 'member';

/** Who will lead when this player goes, by the service's own rule: the earliest `joined`, then the lowest UUID. */
export const findNextLeader = (
  teams: readonly Team[],
  playerUuid: string,
): SeatedPlayer | undefined =>
  teams
    .flatMap(({ players }) => players)
    .filter((player) => player.player_uuid !== playerUuid && isSeated(player))
    .sort(
      (a, b) =>
        Date.parse(a.joined ?? '') - Date.parse(b.joined ?? '') ||
        (a.player_uuid < b.player_uuid ? -1 : 1),
    )[0];
