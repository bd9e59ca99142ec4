// How soon refusals are answered. A refusal takes the process as long as an answer, and whoever asks for it without end, with many
// requests at once, lets every join wait for several times as long. So the refusals of one player, and those of everybody at one address
// who shows no credential that works, are answered later and later when there are too many. Nobody else is delayed, and no join that succeeds.
import type { ErrorRequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import { isIndividual } from '../auth/index.ts';
import type { Admission } from './admission.ts';
import { localsOf, RequestAbortedError } from './request.ts';

/** A refusal delays those after it by so much: 200 a second of a player, 1,000 of an address, which many may share. */
const PLAYER_MS = 5;
const ADDRESS_MS = 1;
/** So many milliseconds may add up before anything is delayed: twenty refusals of a player at once are not. */
const FREE_MS = 100;
/** Clients and proxies wait for longer. */
const LONGEST_MS = 1_000;
const MOST_REMEMBERED = 10_000;

type RefusalPaceOptions = {
  /** A refusal that waits leaves its slot to others. */
  admission: Pick<Admission, 'holdBack'>;
  /** Milliseconds that only grow. */
  now?: () => number;
};

/** To be mounted in front of what answers errors, which gets them unchanged. */
export const createRefusalPace = ({
  admission,
  now = () => performance.now(),
}: RefusalPaceOptions): ErrorRequestHandler => {
  /** When the refusals of a player or an address have all been made up for. */
  const settledAt = new LRUCache<string, number>({ max: MOST_REMEMBERED });

  const delayOf = (key: string, costMs: number): number => {
    const owed = Math.max(0, (settledAt.get(key) ?? 0) - now()) + costMs;
    settledAt.set(key, now() + Math.min(owed, FREE_MS + LONGEST_MS));
    return Math.min(owed - FREE_MS, LONGEST_MS);
  };

  return async (error, request, response, next) => {
    const { routeName, caller } = localsOf(response);
    const isMany = caller && !isIndividual(caller);
    if (routeName && !isMany && !(error instanceof RequestAbortedError)) {
      const delayMs = caller
        ? delayOf(`player ${caller.accountId}`, PLAYER_MS)
        : delayOf(`address ${request.ip}`, ADDRESS_MS);
      if (delayMs > 0) await admission.holdBack(response, delayMs);
    }
    next(error);
  };
};
