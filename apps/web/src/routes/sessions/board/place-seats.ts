// Where players stand on the board. Pure: whoever is shown stays in place when others come and go.

/** A player's UUID, or null for a free seat. */
export type Slots = readonly (string | null)[];

/** How many free seats are drawn at least before the rest is only counted. */
const MOST_DRAWN = 16;

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
  while (slots.length < Math.min(maxSize, MOST_DRAWN)) slots.push(null);
  while (
    slots.length > Math.max(players.length, Math.min(maxSize, MOST_DRAWN)) &&
    slots.at(-1) === null
  )
    slots.pop();
  return slots;
};

export const areSameSlots = (a: Slots, b: Slots): boolean =>
  a.length === b.length && a.every((player, index) => player === b[index]);
