// The joins of one player that are in work. A client sends one and waits for its answer; of a hundred that come at once, a few begin, and joins of
// others come in between.
import type { ServerResponse } from 'node:http';
import type { Caller } from '../auth/index.ts';
import { isIndividual } from '../auth/index.ts';
import { createShares, tooMany } from '../platform/index.ts';
import type { Admission } from './admission.ts';

type JoinShareOptions = {
  /** Those that wait for their share leave their slots to others. */
  admission: Pick<Admission, 'leaveSlot' | 'takeSlot' | 'whenEnded'>;
  maxConcurrentRequests: number;
  /** Who is owed so many answers that further joins are turned away. */
  isBehind: (caller: Caller) => boolean;
};

/** Of one player. More would be answered no sooner: they are about one seat. */
const SHARE = { atOnce: 4, longestWaitMs: 1_000, rest: 0, freeMs: 0, longestMs: 0 };
/** However many joins of a few players wait, there are places for others. */
const SHARE_OF_REQUESTS = 0.5;

/** Begins what answers a join, which goes on behind it. Errors: service_unavailable (too many wait, or it has waited for too long). */
export type ShareJoins = (
  caller: Caller | null,
  response: ServerResponse,
  begin: () => Promise<void>,
) => Promise<void>;

export const createJoinShare = ({
  admission,
  maxConcurrentRequests,
  isBehind,
}: JoinShareOptions): ShareJoins => {
  const maxWaiting = Math.ceil(SHARE_OF_REQUESTS * maxConcurrentRequests);
  const inShare = createShares({ ...SHARE, maxWaiting, maxWaitingInAll: maxWaiting });
  return (caller, response, begin) => {
    if (!caller || !isIndividual(caller)) return begin();
    if (isBehind(caller)) return Promise.reject(tooMany());
    const work = async () => {
      await begin();
      await admission.whenEnded(response);
    };
    const aside = {
      leave: () => admission.leaveSlot(response),
      // Where its client has left meanwhile, this throws.
      comeBack: () => admission.takeSlot(response),
    };
    return inShare(caller.accountId, work, { aside });
  };
};
