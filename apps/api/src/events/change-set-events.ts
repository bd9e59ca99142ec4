// What the feed has about change sets.
import type { Prisma } from '@muster/database';
import { v7 as uuidv7 } from 'uuid';
import { appendToOutbox } from './outbox-store.ts';

export type FailedStep = { step: 'apply' | 'return'; code: string };

type ChangeSetOutcome = {
  sandboxId: string;
  changeSetId: string;
  accountId: string;
  at: Date;
  /** Of the edit; null when nothing had to change. */
  transactionId?: string | null;
  /** Present when a scheduled step failed. */
  failure?: FailedStep;
};

/** The event becomes visible with the transaction. */
export const announceChangeSet = (
  transaction: Prisma.TransactionClient,
  { sandboxId, changeSetId, accountId, at, transactionId = null, failure }: ChangeSetOutcome,
): Promise<void> =>
  appendToOutbox(transaction, sandboxId, [
    {
      event_id: uuidv7({ msecs: at.getTime() }),
      occurred_at: at,
      account_id: accountId,
      kind: failure ? 'change_set_failed' : 'change_set_applied',
      sandbox_id: sandboxId,
      change_set_id: changeSetId,
      ...(transactionId !== null && { transaction_id: transactionId }),
      ...(failure && { detail: failure }),
    },
  ]);
