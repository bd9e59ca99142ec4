// Lets the accounts library write inside a transaction of ours, so that a change and its audit record are one.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Prisma, PrismaClient } from '@muster/database';

export type BoundClient = {
  /** What the library queries through: the transaction of the current call, otherwise the database. */
  client: PrismaClient;
  /** Everything that `work` makes the library query runs inside the transaction. */
  within<Result>(
    transaction: Prisma.TransactionClient,
    work: () => Promise<Result>,
  ): Promise<Result>;
};

export const createBoundClient = (prisma: PrismaClient): BoundClient => {
  const current = new AsyncLocalStorage<Prisma.TransactionClient>();
  const client = new Proxy(prisma, {
    get: (_target, property) => {
      const transaction = current.getStore();
      if (!transaction) return Reflect.get(prisma, property);
      // A transaction within a transaction is the same one.
      if (property === '$transaction') return (work: Work) => work(transaction);
      return Reflect.get(transaction, property);
    },
  });
  return { client, within: (transaction, work) => current.run(transaction, work) };
};

type Work = (transaction: Prisma.TransactionClient) => Promise<unknown>;
