// How many exports and imports run at once in this process. Each holds a database connection for as long as a page takes to
// read: without a limit, a few callers could keep all connections of the admin API, and its memory, for themselves.
import type { ServerResponse } from 'node:http';
import { ServiceError } from '../platform/index.ts';

type TransferLimits = {
  /** In the plural, for the sentence of a refusal. */
  what: string;
  perCaller: number;
  inAll: number;
  /** Waited for before the refusal. */
  onRefused?: OnTooMany | undefined;
};

export type OnTooMany = (response: ServerResponse) => Promise<void>;

/** A transfer takes seconds: coming back at once would be in vain. */
const RETRY_AFTER_SECONDS = 5;

export const createTransferSlots = ({ what, perCaller, inAll, onRefused }: TransferLimits) => {
  const running = new Map<string, number>();
  let all = 0;
  const refuse = async (response: ServerResponse, desc: string): Promise<never> => {
    await onRefused?.(response);
    throw new ServiceError('rate_limited', { desc, retryAfterSeconds: RETRY_AFTER_SECONDS });
  };
  return {
    /** Call what it returns when the transfer is over. Errors: `rate_limited`. */
    async take(accountId: string, response: ServerResponse): Promise<() => void> {
      const own = running.get(accountId) ?? 0;
      if (own >= perCaller) {
        await refuse(response, `This account has ${own} ${what} running; wait for one.`);
      }
      if (all >= inAll) {
        await refuse(response, `There are ${all} ${what} running; try again later.`);
      }
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
