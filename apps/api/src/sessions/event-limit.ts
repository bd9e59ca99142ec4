// Bounds what players write into the timelines of sessions: a client that joins again and again, refused or with other data each
// time, would fill the timeline, and the disk. Some events are recorded of each player and session per hour, and of the refusals
// of a session some hundreds, by this process. What backends and admins do is recorded in full.
import { LRUCache } from 'lru-cache';
import type { RefusalRecorder, RefusedJoin } from './refusal-store.ts';
import type { SessionEvent } from './session.ts';

export const MAX_PER_PLAYER = 10;
export const MAX_REFUSALS_PER_SESSION = 500;

const HOUR_MS = 60 * 60_000;
/** Some 10 MB. A session or player that is forgotten begins anew. */
const MAX_REMEMBERED = 50_000;

type Counted = { hour: number; count: number };

/** Counts per key and hour: the result answers how many there are of the key in this hour, with this one. */
const createHourlyCounts = () => {
  const counted = new LRUCache<string, Counted>({ max: MAX_REMEMBERED });
  return (key: string, at: Date): number => {
    const hour = Math.floor(at.getTime() / HOUR_MS);
    const known = counted.get(key);
    if (known?.hour === hour) {
      known.count += 1;
      return known.count;
    }
    counted.set(key, { hour, count: 1 });
    return 1;
  };
};

/** Passes on what is within the limits. `countCapped` is called for each refusal that is not. */
export const limitRefusals = (
  { record }: Pick<RefusalRecorder, 'record'>,
  countCapped: () => void,
): Pick<RefusalRecorder, 'record'> => {
  const count = createHourlyCounts();
  return {
    record: (refusal: RefusedJoin): void => {
      const { sessionKey, playerUuid, at } = refusal;
      const ofPlayer = count(`${sessionKey} ${playerUuid}`, at);
      const isCapped =
        ofPlayer > MAX_PER_PLAYER || count(sessionKey, at) > MAX_REFUSALS_PER_SESSION;
      if (isCapped) countCapped();
      else record(ofPlayer === MAX_PER_PLAYER ? { ...refusal, isLastOfHour: true } : refusal);
    },
  };
};

/** Answers those of the events of one accepted join that are recorded. */
export type LimitEvents = (events: SessionEvent[], sessionKey: string, at: Date) => SessionEvent[];

/**
 * Drops events of players who change their own seats, beyond the limit. What it returns is called for each join, and gives the
 * limit of that join, which counts once, however often the join is decided. `countCapped` is called for each dropped event.
 */
export const limitUpdates = (countCapped: () => void): (() => LimitEvents) => {
  const count = createHourlyCounts();
  return () => {
    let ofPlayer: number | undefined;
    return (events, sessionKey, at) => {
      const update = events.find(({ kind }) => kind === 'player_updated');
      if (!update) return events;
      if (ofPlayer === undefined) {
        ofPlayer = count(`${sessionKey} ${update.playerUuid}`, at);
        if (ofPlayer > MAX_PER_PLAYER) countCapped();
      }
      if (ofPlayer < MAX_PER_PLAYER) return events;
      const detail = { ...update.detail, last_of_hour: true };
      const kept = ofPlayer === MAX_PER_PLAYER ? [{ ...update, detail }] : [];
      return events.flatMap((event) => (event === update ? kept : [event]));
    };
  };
};
