// Finds the players who have arrived since the last render of the board. Pure.
import type { SeatedPlayer, Team } from './live-session.ts';

export type RecentJoin = { playerUuid: string; teamId: number | undefined; isHeld: boolean };

/** Player UUIDs; `true` if the seat is only held for the player. */
type Presence = ReadonlyMap<string, boolean>;

const isHeld = (status: string): boolean => status === 'invited' || status === 'reserved';

export const readPresence = (teams: readonly Team[]): Presence =>
  new Map(
    teams.flatMap(({ players }) =>
      players.map(({ player_uuid, status }) => [player_uuid, isHeld(status)] as const),
    ),
  );

/** Players who had no seat before, or only a held one. */
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

/** The slots of the board: a player's UUID, or null for a free seat. */
export type Slots = readonly (string | null)[];

/** The minimum number of free seats to draw. Further ones are only counted. */
const MAX_DRAWN = 16;

/**
 * Known players keep their slots, slots of players who left become free, and new players take the first free
 * slots. There are as many slots as the team has seats, except that a large team leaves out free seats at the end.
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

/** The next leader if this player leaves, by the service's rule: the earliest `joined`, then the lowest UUID. */
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
