// The joins of one player that are in work. A client sends one and waits for its answer; of a hundred that come at once, a few begin, and joins of
// others come in between.
import type { ServerResponse } from 'node:http';
import type { Caller } from '../auth/index.ts';
import { isIndividual } from '../auth/index.ts';
import { createShares, tooMany } from '../platform/index.ts';
import type { Admission } from './admission.ts';
import { signalLeaving } from './request.ts';

type JoinShareOptions = {
  /** Those that wait for their share leave their slots to others. */
  admission: Pick<Admission, 'leaveSlot' | 'takeSlot' | 'whenEnded'>;
  maxConcurrentRequests: number;
  /** Who is owed so many answers that further joins are turned away. */
  isBehind: (caller: Caller) => boolean;
  /** Called for each join that is turned away. */
  onRefused: () => void;
};

/** Of one player. More would be answered no sooner: they are about one seat. */
const SHARE = { atOnce: 4, longestWaitMs: 1_000, rest: 0, freeMs: 0, longestMs: 0 };
/** However many joins of a few players wait, there are places for others, and of those for other players. */
const SHARE_OF_REQUESTS = { one: 1 / 8, all: 1 / 2 };

export type JoinShare = {
  /** Before anything is read. Errors: service_unavailable (the player is owed too many answers). */
  refuseBehind(caller: Caller | null): void;
  /**
   * Begins what decides about a join and answers it, once all of the join has been read: a body that does not come keeps the player from
   * nothing. Errors: service_unavailable (too many wait, or it has waited for too long), RequestAbortedError.
   */
  run(caller: Caller | null, response: ServerResponse, begin: () => void): Promise<void>;
};

export const createJoinShare = (options: JoinShareOptions): JoinShare => {
  const { admission, maxConcurrentRequests, onRefused } = options;
  const inShare = createShares({
    ...SHARE,
    maxWaiting: Math.ceil(SHARE_OF_REQUESTS.one * maxConcurrentRequests),
    maxWaitingInAll: Math.ceil(SHARE_OF_REQUESTS.all * maxConcurrentRequests),
  });
  const refuseBehind = (caller: Caller | null) => {
    if (!caller || !isIndividual(caller) || !options.isBehind(caller)) return;
    onRefused();
    throw tooMany();
  };
  return {
    refuseBehind,
    run: async (caller, response, begin) => {
      if (!caller || !isIndividual(caller)) {
        begin();
        return;
      }
      const work = async () => {
        // Of those that came together, none was behind.
        refuseBehind(caller);
        begin();
        await admission.whenEnded(response);
      };
      await inShare(caller.accountId, work, {
        signal: signalLeaving(response),
        aside: {
          leave: () => admission.leaveSlot(response),
          comeBack: () => admission.takeSlot(response),
        },
        onRefused,
      });
    },
  };
};
