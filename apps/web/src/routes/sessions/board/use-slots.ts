import { useState } from 'react';
import type { Slots } from './place-seats.ts';
import { areSameSlots, placeSeats } from './place-seats.ts';

/** The slots of one team, as stable as `placeSeats` keeps them while the page is open. */
export const useSlots = (players: readonly { player_uuid: string }[], maxSize: number): Slots => {
  const [shown, setShown] = useState<Slots>([]);
  const uuids = players.map(({ player_uuid }) => player_uuid);
  const next = placeSeats(shown, uuids, maxSize);
  if (areSameSlots(shown, next)) return shown;
  setShown(next);
  return next;
};
