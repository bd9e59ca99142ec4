// How many exports and imports run at once in this process. Each holds a database connection for as long as a page takes to
// read: without a limit, a few callers could keep all connections of the admin API, and its memory, for themselves.
import { ServiceError } from '../platform/index.ts';

type TransferSlots = {
  /** Call what it returns when the transfer is over. Errors: `rate_limited`. */
  take(accountId: string): () => void;
};

type TransferLimits = {
  /** In the plural, for the sentence of a refusal. */
  what: string;
  perCaller: number;
  inAll: number;
  onRefused?: (() => void) | undefined;
};

/** A transfer takes seconds: coming back at once would be in vain. */
const RETRY_AFTER_SECONDS = 5;

export const createTransferSlots = ({
  what,
  perCaller,
  inAll,
  onRefused,
}: TransferLimits): TransferSlots => {
  const running = new Map<string, number>();
  let all = 0;
  const refuse = (desc: string): ServiceError => {
    onRefused?.();
    return new ServiceError('rate_limited', { desc, retryAfterSeconds: RETRY_AFTER_SECONDS });
  };
  return {
    take(accountId) {
      const own = running.get(accountId) ?? 0;
      if (own >= perCaller) throw refuse(`This account has ${own} ${what} running; wait for one.`);
      if (all >= inAll) throw refuse(`There are ${all} ${what} running; try again later.`);
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
