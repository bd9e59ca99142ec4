// Records of the audit trail that are older, or whose transaction stays open while other transactions commit.
import type { Database, Prisma } from '@muster/database';
import { v7 as uuidv7 } from 'uuid';

export const writeAuditRecord = async (
  client: Pick<Prisma.TransactionClient, 'auditRecord'>,
  action: string,
  at = new Date(),
): Promise<void> => {
  await client.auditRecord.create({
    data: {
      auditId: uuidv7({ msecs: at.getTime() }),
      occurredAt: at,
      accountId: 'ada',
      action,
      target: {},
    },
  });
};

/** Resolves when the record is written. `commit` resolves when its transaction has ended. */
export const openAuditRecord = async (
  { prisma }: Pick<Database, 'prisma'>,
  action: string,
  at?: Date,
) => {
  const written = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const open = prisma.$transaction(
    async (transaction) => {
      await writeAuditRecord(transaction, action, at);
      written.resolve();
      await released.promise;
    },
    { timeout: 60_000 },
  );
  await Promise.race([written.promise, open]);
  return {
    commit: async () => {
      released.resolve();
      await open;
    },
  };
};
