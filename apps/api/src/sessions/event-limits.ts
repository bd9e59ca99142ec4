// A client that joins repeatedly, refused or with changed data, would fill the timeline and the disk. This process
// records a limited number of events per player, session and hour, and a limited number of refusals per session and
// hour. Events of backends and admins are all recorded.
import { LRUCache } from 'lru-cache';
import type { RefusalRecorder, RefusedJoin } from './refusal-store.ts';
import type { SessionEvent } from './session.ts';

export const MAX_PER_PLAYER = 10;
export const MAX_REFUSALS_PER_SESSION = 500;

export const HOUR_MS = 60 * 60_000;
/** About 10 MB. An evicted session or player is counted from zero. */
const MAX_REMEMBERED = 50_000;

/**
 * Counts per key and hour: returns the new count of the key in this hour. The parts are joined to a flat text, since a
 * template literal keeps each of its parts in memory.
 */
export const createHourlyCounts = () => {
  const counts = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  return (at: Date, ...key: readonly (string | undefined)[]): number => {
    const keyOfHour = [Math.floor(at.getTime() / HOUR_MS), ...key].join(' ');
    const count = (counts.get(keyOfHour) ?? 0) + 1;
    counts.set(keyOfHour, count);
    return count;
  };
};

/** Records refusals within the limits, and calls `countCapped` for each of the others. */
export const limitRefusals = (
  { record }: Pick<RefusalRecorder, 'record'>,
  countCapped: () => void,
): Pick<RefusalRecorder, 'record'> => {
  const count = createHourlyCounts();
  return {
    record: (refusal: RefusedJoin) => {
      const { sessionKey, playerUuid, at } = refusal;
      const ofPlayer = count(at, sessionKey, playerUuid);
      const isCapped =
        ofPlayer > MAX_PER_PLAYER || count(at, sessionKey) > MAX_REFUSALS_PER_SESSION;
      if (isCapped) countCapped();
      else record(ofPlayer === MAX_PER_PLAYER ? { ...refusal, isLastOfHour: true } : refusal);
    },
  };
};

/** Marks the events of one accepted join, or of a player who leaves, that the timeline does not record. */
export type LimitEvents = (events: SessionEvent[], sessionKey: string, at: Date) => SessionEvent[];

/** Changes that players make to their own seats. Each kind has a limit of its own. */
const LIMITED: ReadonlySet<SessionEvent['kind']> = new Set([
  'player_joined',
  'player_left',
  'player_updated',
]);

/**
 * Marks events beyond the limit of players who change their own seats. Call the result once per change: it returns the
 * limit of that change, which counts once even if the change is decided repeatedly. `countCapped` is called for each
 * unlisted event.
 */
export const limitUpdates = (countCapped: () => void): (() => LimitEvents) => {
  const count = createHourlyCounts();
  return () => {
    let ofPlayer: number | undefined;
    return (events, sessionKey, at) => {
      const update = events.find(({ kind }) => LIMITED.has(kind));
      if (!update) return events;
      if (ofPlayer === undefined) {
        ofPlayer = count(at, sessionKey, update.playerUuid, update.kind);
        if (ofPlayer > MAX_PER_PLAYER) countCapped();
      }
      if (ofPlayer < MAX_PER_PLAYER) return events;
      const limited: SessionEvent =
        ofPlayer === MAX_PER_PLAYER
          ? { ...update, detail: { ...update.detail, last_of_hour: true } }
          : { ...update, unlisted: true };
      return events.map((event) => (event === update ? limited : event));
    };
  };
};
