// Limits the exports and imports that run at once in this process. Each holds a connection to the database while it reads a page: without
// a limit, a few callers could take all connections of the admin API, and its memory.
import type { Caller } from '../../auth/index.ts';
import { ServiceError } from '../../platform/index.ts';
import { isPlayer } from '../caller-limiter.ts';
import { LIMITS } from '../limits.ts';
import type { Protection } from '../protection.ts';

type TransferKind = 'exports' | 'imports';

const MOST: Record<TransferKind, number> = {
  exports: LIMITS.runningExports.value,
  imports: LIMITS.runningImports.value,
};

/** A transfer takes seconds: an earlier retry would fail. */
const RETRY_AFTER_SECONDS = 5;

export const createTransferSlots = (
  kind: TransferKind,
  overload: Pick<Protection['overload'], 'noteRejected'>,
) => {
  const running = new Map<string, number>();
  const counts = { all: 0, ofPlayers: 0 };
  const refuse = (desc: string): never => {
    overload.noteRejected('other', 'transfers');
    throw new ServiceError('rate_limited', { desc, retryAfterSeconds: RETRY_AFTER_SECONDS });
  };
  return {
    /** Call the result once, when the transfer has ended. Errors: `rate_limited`. */
    take(caller: Caller): () => void {
      const { accountId } = caller;
      const ofPlayer = isPlayer(caller) ? 1 : 0;
      const own = running.get(accountId) ?? 0;
      const mostOwn = ofPlayer ? 1 : LIMITS.transfersOfCaller.value;
      if (own >= mostOwn)
        refuse(`This account has ${own} ${kind} running: try again when one has ended.`);
      const isFull = counts.all >= MOST[kind];
      if (isFull || (ofPlayer && counts.ofPlayers >= LIMITS.exportsOfPlayers.value)) {
        refuse(`There are ${counts.all} ${kind} running; try again later.`);
      }
      running.set(accountId, own + 1);
      counts.all += 1;
      counts.ofPlayers += ofPlayer;
      return () => {
        counts.all -= 1;
        counts.ofPlayers -= ofPlayer;
        const left = (running.get(accountId) ?? 1) - 1;
        if (left > 0) running.set(accountId, left);
        else running.delete(accountId);
      };
    },
  };
};
