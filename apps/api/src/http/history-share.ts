// The share of the histories that one player has. A page by name takes the database some hundred milliseconds, and a few players who ask
// for one after the other would slow down the joins of all others. Such pages, and large ones, are read one at a time for all players.
import type { ItemHistoryQuery } from '@muster/contract';
import type { Response } from 'express';
import { isIndividual } from '../auth/index.ts';
import { createCommonTurn, createShares } from '../platform/index.ts';
import type { Admission } from './admission.ts';
import { localsOf, signalLeaving } from './request.ts';

/** Within the time that clients and proxies wait for an answer. */
const LONGEST_WAIT_MS = 4_500;
/** Eight players together have half a page in work at any time, and as much of costly ones. What a game asks for when it starts is within `freeMs`. */
const SHARE = {
  // Those that wait, for either kind of page or for the common turn, are among the histories, of which there are 1,000 by default.
  ...{ atOnce: 1, maxWaiting: 12, maxWaitingInAll: 200 },
  ...{ rest: 15, freeMs: 1_000, longestMs: 4_000, longestWaitMs: LONGEST_WAIT_MS },
};
/** A larger page keeps a core of the database busy for ten milliseconds, and then the process. */
const USUAL_PAGE_SIZE = 200;

type HistoryQuery = Pick<ItemHistoryQuery, 'name' | 'page_size'>;

type HistoryShareOptions = {
  /** Those that wait for their share leave their slots to others. */
  admission: Pick<Admission, 'leaveSlot' | 'takeSlot'>;
  /** Called, and waited for, before a request is turned away: at once, or after a wait. */
  onRefused: (response: Response, hasWaited: boolean) => Promise<void> | void;
};

/** Errors: service_unavailable. */
export const createHistoryShare = ({ admission, onRefused }: HistoryShareOptions) => {
  const inShare = createShares(SHARE);
  // By itself: usual pages of a player do not wait for the costly ones of others.
  const inTurn = createCommonTurn(createShares(SHARE), LONGEST_WAIT_MS);
  return <Result>(response: Response, work: () => Promise<Result>): Promise<Result> => {
    const { caller, input } = localsOf(response);
    if (!caller || !isIndividual(caller)) return work();
    const run = isCostly(input?.query as HistoryQuery) ? inTurn : inShare;
    return run(caller.accountId, work, {
      signal: signalLeaving(response),
      aside: {
        leave: () => admission.leaveSlot(response),
        comeBack: () => admission.takeSlot(response),
      },
      onRefused: (hasWaited) => onRefused(response, hasWaited),
    });
  };
};

const isCostly = ({ name, page_size }: HistoryQuery): boolean =>
  page_size > USUAL_PAGE_SIZE || Boolean(name);
