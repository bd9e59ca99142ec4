import type { Prisma } from '@muster/database';
import { v7 as uuidv7 } from 'uuid';

/** The author of a change, for events and audit records. */
export type Actor = {
  accountId: string;
  requestId?: string;
  /** Network address of the peer. */
  address?: string;
};

/** The account of changes that the service makes itself. */
export const SERVICE_ACCOUNT = 'muster';

export type AuditEntry = {
  /** The procedure, such as items.update. */
  action: string;
  sandboxId?: string;
  /** What was changed, as ids. */
  target: Prisma.InputJsonObject;
  before?: Prisma.InputJsonObject;
  after?: Prisma.InputJsonObject;
  reason?: string;
};

/** Appends one audit record in the transaction of the change. */
export const appendAudit = async (
  transaction: Prisma.TransactionClient,
  actor: Actor,
  entry: AuditEntry,
  now: Date,
): Promise<void> => {
  await transaction.auditRecord.create({
    data: { auditId: uuidv7(), occurredAt: now, ...actor, ...entry },
  });
};
