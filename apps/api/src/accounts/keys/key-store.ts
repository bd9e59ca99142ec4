// Service accounts and their keys as they are stored.
import type { Database, Prisma } from '@muster/database';

export type ServiceAccountRow = Prisma.ServiceAccountGetPayload<{ include: { keys: true } }>;
export type ServiceKeyRow = Prisma.ServiceKeyGetPayload<object>;
export type KeyStore = ReturnType<typeof createKeyStore>;

export const createKeyStore = ({ prisma }: Pick<Database, 'prisma'>) => ({
  inTransaction: <Result>(work: (transaction: Prisma.TransactionClient) => Promise<Result>) =>
    prisma.$transaction(work),
  list: (): Promise<ServiceAccountRow[]> =>
    prisma.serviceAccount.findMany({
      include: { keys: { orderBy: [{ createdAt: 'desc' }, { keyId: 'asc' }] } },
      orderBy: [{ name: 'asc' }],
    }),
  /** Locks the key, so that of two rotations at once one sees the other's. */
  lockKey: async (transaction: Prisma.TransactionClient, keyId: string) => {
    await transaction.$queryRaw`SELECT 1 FROM service_key WHERE key_id = ${keyId}::uuid FOR UPDATE`;
    return transaction.serviceKey.findUnique({ where: { keyId } });
  },
  /** Locks the account, so that it is not removed while a key is added, and gives its keys, too. */
  lockAccount: async (
    transaction: Prisma.TransactionClient,
    accountId: string,
  ): Promise<ServiceAccountRow | null> => {
    await transaction.$queryRaw`SELECT 1 FROM service_account WHERE account_id = ${accountId}::uuid FOR UPDATE`;
    return transaction.serviceAccount.findUnique({
      where: { accountId },
      include: { keys: true },
    });
  },
  findNames: (accountIds: readonly string[]) =>
    prisma.accountName.findMany({ where: { accountId: { in: [...accountIds] } } }),
});
