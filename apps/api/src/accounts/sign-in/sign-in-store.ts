// What sign-ins leave behind: audit records, the time of the last one, and the end of a one-time password.
import type { Database, Prisma } from '@muster/database';
import type { Actor } from '../../audit/index.ts';
import { appendAudit } from '../../audit/index.ts';

export type SignInStore = ReturnType<typeof createSignInStore>;

/** Nobody is signed in yet when a sign-in is refused. */
const NOBODY = 'anonymous';

export const createSignInStore = ({ prisma }: Pick<Database, 'prisma'>) => ({
  inTransaction: <Result>(work: (transaction: Prisma.TransactionClient) => Promise<Result>) =>
    prisma.$transaction(work),

  recordSignIn: (actor: Actor, now: Date) =>
    prisma.$transaction(async (transaction) => {
      const { accountId } = actor;
      await transaction.accountUser.update({
        where: { id: accountId },
        data: { lastSignedInAt: now },
      });
      const entry = { action: 'auth.signIn', target: { account_id: accountId } };
      await appendAudit(transaction, actor, entry, now);
    }),

  /** The e-mail address is kept only as the person whom it names: people type passwords into that field. */
  recordRefusal: async (from: Omit<Actor, 'accountId'>, email: string | undefined, now: Date) => {
    const named =
      email === undefined ? null : await prisma.accountUser.findUnique({ where: { email } });
    const target = named ? { account_id: named.id } : {};
    const actor = { ...from, accountId: NOBODY };
    await appendAudit(prisma, actor, { action: 'auth.signInRefused', target }, now);
  },

  recordChange: (actor: Actor, action: string, transaction: Prisma.TransactionClient, now: Date) =>
    appendAudit(transaction, actor, { action, target: { account_id: actor.accountId } }, now),

  /** Devices that were trusted to skip the second step have to take it again. */
  acceptOwnPassword: async (accountId: string, transaction: Prisma.TransactionClient) => {
    await transaction.accountUser.update({
      where: { id: accountId },
      data: { mustChangePassword: false },
    });
    await transaction.accountVerification.deleteMany({ where: { value: accountId } });
  },
});
