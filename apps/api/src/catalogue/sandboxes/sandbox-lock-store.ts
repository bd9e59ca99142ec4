// The lock of a sandbox: every write to it, or change of it, locks its row until the transaction ends.
import type { Prisma } from '@muster/database';
import { isStatementCancelled } from '@muster/database';
import { ServiceError } from '../../platform/index.ts';

/** How long a write waits for one other write. */
export const LONGEST_WAIT_MS = 3_000;

/** For the brief locks that any statement of the transaction may need. */
const LEAST_WAIT_MS = 200;

export type LockedSandbox = {
  name: string;
  protected: boolean;
  archived: boolean;
  requiredApprovals: number;
  deleted: boolean;
  headSeq: bigint;
  headHash: Uint8Array | null;
};

/**
 * Undefined when there is none. Also locks a deleted one, which only the procedures about sandboxes themselves may
 * change. Errors: sandbox_busy, when another process holds the lock for longer than `waitMs`.
 */
export const lockSandbox = async (
  transaction: Prisma.TransactionClient,
  sandboxId: string,
  waitMs = LONGEST_WAIT_MS,
): Promise<LockedSandbox | undefined> => {
  const timeout = `${Math.max(LEAST_WAIT_MS, Math.ceil(waitMs))}ms`;
  try {
    const [row] = await transaction.$queryRawUnsafe<LockedSandbox[]>(LOCK, sandboxId, timeout);
    return row;
  } catch (error) {
    // Of several writers, the second one first waits for the first, and the statement timeout ends that wait.
    throw isStatementCancelled(error) ? new ServiceError('sandbox_busy', { cause: error }) : error;
  }
};

/**
 * Sets the timeout in the statement that finds the row, before it locks it: no extra round trip, and on Citus on the
 * row's node. The timeout applies to the rest of the transaction, which waits for no other lock. NO KEY: rows that
 * refer to the sandbox may be added concurrently, also by this transaction.
 */
const LOCK = `SELECT name, protected, archived_at IS NOT NULL AS archived, required_approvals AS "requiredApprovals",
  deleted_at IS NOT NULL AS deleted, head_seq AS "headSeq", head_hash AS "headHash"
FROM sandbox WHERE sandbox_id = $1::uuid AND set_config('lock_timeout', $2, true) IS NOT NULL FOR NO KEY UPDATE`;
