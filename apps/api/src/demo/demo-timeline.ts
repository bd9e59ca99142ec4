// A year of a sandbox: the moments of its versions follow from how many there are, in working hours.

const DAY_MS = 86_400_000;
const OPENING_MS = 8 * 3_600_000;
const WORKING_DAY_MS = 11 * 3_600_000;

/** Midnight (UTC) at the end of yesterday: nothing in the demo is younger. */
export const endOfYesterday = (now: Date): Date =>
  new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);

export const daysBefore = (end: Date, days: number): Date =>
  new Date(end.getTime() - days * DAY_MS);

/**
 * The moment at a fraction (0 up to 1) of the time from `start` to `end`, both at midnight. Larger fractions are later,
 * and every moment lies between 8:00 and 19:00.
 */
export const workingMoment = (start: Date, end: Date, fraction: number): Date => {
  const raw = start.getTime() + fraction * (end.getTime() - start.getTime());
  const midnight = Math.floor(raw / DAY_MS) * DAY_MS;
  const share = (raw - midnight) / DAY_MS;
  return new Date(midnight + OPENING_MS + Math.floor(share * WORKING_DAY_MS));
};
