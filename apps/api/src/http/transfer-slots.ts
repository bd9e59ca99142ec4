// Limits the exports and imports that run at once in this process. Each holds a connection to the database while it reads a page: without
// a limit, a few callers could take all connections of the admin API, and its memory.
import { ServiceError } from '../platform/index.ts';
import type { Protection } from './protection.ts';

type TransferLimits = {
  /** In the plural, for the sentence of a refusal. */
  what: string;
  perCaller: number;
  inAll: number;
};

/** A transfer takes seconds: an earlier retry would fail. */
const RETRY_AFTER_SECONDS = 5;

export const createTransferSlots = (
  { what, perCaller, inAll }: TransferLimits,
  overload: Pick<Protection['overload'], 'noteRejected'>,
) => {
  const running = new Map<string, number>();
  let all = 0;
  const refuse = (desc: string): never => {
    overload.noteRejected('other', 'transfers');
    throw new ServiceError('rate_limited', { desc, retryAfterSeconds: RETRY_AFTER_SECONDS });
  };
  return {
    /** Call the result when the transfer has ended. Errors: `rate_limited`. */
    take(accountId: string): () => void {
      const own = running.get(accountId) ?? 0;
      if (own >= perCaller) refuse(`This account has ${own} ${what} running; wait for one.`);
      if (all >= inAll) refuse(`There are ${all} ${what} running; try again later.`);
      running.set(accountId, own + 1);
      all += 1;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        all -= 1;
        const left = (running.get(accountId) ?? 1) - 1;
        if (left > 0) running.set(accountId, left);
        else running.delete(accountId);
      };
    },
  };
};
