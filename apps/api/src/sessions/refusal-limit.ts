// Bounds what refused joins write: a client that asks again and again would fill the timeline of its session, and the disk,
// with the same event. Of each player and session some are recorded per hour, of each session some hundreds, by this process.
import { LRUCache } from 'lru-cache';
import type { RefusalRecorder, RefusedJoin } from './refusal-store.ts';

export const MAX_PER_PLAYER = 10;
export const MAX_PER_SESSION = 500;

const HOUR_MS = 60 * 60_000;
/** Some 10 MB. A session or player that is forgotten begins anew. */
const MAX_REMEMBERED = 50_000;

type Counted = { hour: number; count: number };

/** Passes on what is within the limits. `countCapped` is called for each refusal that is not. */
export const limitRefusals = (
  { record }: Pick<RefusalRecorder, 'record'>,
  countCapped: () => void,
): Pick<RefusalRecorder, 'record'> => {
  const counted = new LRUCache<string, Counted>({ max: MAX_REMEMBERED });

  /** How many there are of the key in this hour, with this one. */
  const count = (key: string, at: Date): number => {
    const hour = Math.floor(at.getTime() / HOUR_MS);
    const known = counted.get(key);
    if (known?.hour === hour) {
      known.count += 1;
      return known.count;
    }
    counted.set(key, { hour, count: 1 });
    return 1;
  };

  return {
    record: (refusal: RefusedJoin): void => {
      const { sessionKey, playerUuid, at } = refusal;
      const ofPlayer = count(`${sessionKey} ${playerUuid}`, at);
      if (ofPlayer > MAX_PER_PLAYER || count(sessionKey, at) > MAX_PER_SESSION) countCapped();
      else record(ofPlayer === MAX_PER_PLAYER ? { ...refusal, isLastOfHour: true } : refusal);
    },
  };
};
