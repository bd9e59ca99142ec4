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

/** A row of `audit_record`, for statements that append it with the change. */
export type AuditRow = ReturnType<typeof toAuditRow>;

export const toAuditRow = (actor: Actor, entry: AuditEntry, now: Date) => ({
  audit_id: uuidv7(),
  occurred_at: now,
  account_id: actor.accountId,
  request_id: actor.requestId,
  address: actor.address,
  action: entry.action,
  sandbox_id: entry.sandboxId,
  target: entry.target,
  before: entry.before,
  after: entry.after,
  reason: entry.reason,
});

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
