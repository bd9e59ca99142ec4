// How many rooms Colyseus is asked to join, and what its variants are called for it.

/** It looks through its list of rooms on each join: few rooms are fast, and reported beside the many. */
export const FEW_ROOMS = 64;

export const nameColyseus = (rooms: number): string =>
  `colyseus, ${rooms.toLocaleString('en-US')} rooms`;
