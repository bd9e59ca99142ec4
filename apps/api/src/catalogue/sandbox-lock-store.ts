// The lock of a sandbox: what writes to it, or changes it, holds its row until the transaction ends.
import type { Prisma } from '@muster/database';
import { isStatementCancelled } from '@muster/database';
import { ServiceError } from '../platform/index.ts';

/** How long a write waits behind one other write. */
export const LONGEST_WAIT_MS = 3_000;

/** For the locks that any statement of the transaction may need for a moment. */
const LEAST_WAIT_MS = 200;

export type LockedSandbox = {
  name: string;
  protected: boolean;
  archived: boolean;
  deleted: boolean;
  headSeq: bigint;
  headHash: Uint8Array | null;
};

/**
 * Undefined when there is none. Also locks a deleted one, which only the procedures about sandboxes themselves may touch.
 * Errors: sandbox_busy, where another process holds the lock for longer than `waitMs`.
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
    // Of several that wait for the row, the second one waits for the first one first, and is ended with its statement.
    throw isStatementCancelled(error) ? new ServiceError('sandbox_busy', { cause: error }) : error;
  }
};

/**
 * The limit is set as the row is found, before it is locked: no round trip of its own, and on Citus on the node that has the
 * row. It holds for the rest of the transaction, which waits for nothing else.
 * NO KEY: rows that refer to the sandbox may be added meanwhile, by the same transaction among others.
 */
const LOCK = `SELECT name, protected, archived_at IS NOT NULL AS archived,
  deleted_at IS NOT NULL AS deleted, head_seq AS "headSeq", head_hash AS "headHash"
FROM sandbox WHERE sandbox_id = $1::uuid AND set_config('lock_timeout', $2, true) IS NOT NULL FOR NO KEY UPDATE`;
