import { setTimeout as delay } from 'node:timers/promises';

const HOUR_MS = 3_600_000;
/** Longer than a test of a page takes on a busy machine. */
const ROOM_MS = 60_000;

/** Returns when a test fits into the hour (UTC), for what is counted in each hour or named after the day or month. */
export const waitForRoomInHour = async (): Promise<void> => {
  const left = HOUR_MS - (Date.now() % HOUR_MS);
  if (left < ROOM_MS) await delay(left);
};
