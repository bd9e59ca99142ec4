// A record of the audit trail whose transaction stays open, while other transactions commit.
import type { Database } from '@muster/database';
import { appendAudit } from '../src/platform/index.ts';

/** Resolves when the record is written. `commit` resolves when its transaction has ended. */
export const openAuditRecord = async ({ prisma }: Pick<Database, 'prisma'>, action: string) => {
  const written = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const open = prisma.$transaction(
    async (transaction) => {
      await appendAudit(transaction, { accountId: 'ada' }, { action, target: {} }, new Date());
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
