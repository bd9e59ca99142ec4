// When requests fall due at even spacing: the first one at the start.

/** From the start of the run to when the request `index`, counted from 0, is due. */
export const dueAfterMs = (index: number, ratePerSecond: number): number =>
  (index / ratePerSecond) * 1_000;

/** How many requests are due so long after the start. */
export const countDue = (elapsedMs: number, ratePerSecond: number): number =>
  Math.floor((elapsedMs / 1_000) * ratePerSecond) + 1;
