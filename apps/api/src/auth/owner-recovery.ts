// Recovers the access of owners who cannot sign in. The right to do so is access to the database.
import type { Database, Prisma } from '@muster/database';
import { v7 as uuidv7 } from 'uuid';
import { appendAudit, SERVICE_ACCOUNT } from '../platform/index.ts';
import { hashPassword } from './better-auth.ts';
import { removeIdentities } from './identities.ts';
import { describeGrant, makeOneTimePassword, removeSecondFactor } from './people.ts';
import type { Person } from './person-store.ts';
import { insertPerson, lockAccounts, replacePassword, toPerson } from './person-store.ts';
import { failedSignInsOf } from './throttle.ts';

/** Owners, the oldest first. */
export const listOwners = async ({ prisma }: Pick<Database, 'prisma'>): Promise<Person[]> => {
  const where = { role: 'owner' };
  return (await prisma.accountUser.findMany({ where, orderBy: { createdAt: 'asc' } })).map(
    toPerson,
  );
};

type OwnerReset = {
  /** In lower case. */
  email: string;
  /** True: the address becomes an owner, new or of a person with another role. */
  create: boolean;
  /** Called before the commit: when it throws, nothing changes. */
  beforeCommit: () => Promise<void>;
};

/**
 * Gives an owner a one-time password and returns it; only its hash is stored. Ends every sign-in, enables a disabled account, and removes the
 * second factor, the single sign-on identities and the counts of failed sign-ins. Null: the address belongs to no owner, and `create` is
 * false.
 */
export const resetOwner = async (
  { prisma }: Pick<Database, 'prisma'>,
  { email, create, beforeCommit }: OwnerReset,
): Promise<string | null> => {
  const now = new Date();
  const oneTimePassword = makeOneTimePassword();
  const passwordHash = await hashPassword(oneTimePassword);
  return prisma.$transaction(async (transaction) => {
    await lockAccounts(transaction);
    const row = await transaction.accountUser.findUnique({ where: { email } });
    const person = row && toPerson(row);
    if (person?.role !== 'owner' && !create) return null;
    const accountId = person?.accountId ?? uuidv7();
    let before: Prisma.InputJsonObject | undefined;
    if (person) before = await resetPerson(transaction, person, passwordHash, now);
    else {
      const owner = { name: 'Owner', email, role: 'owner', mustChangePassword: true } as const;
      await insertPerson(transaction, { accountId, ...owner, passwordHash, now });
    }
    const entry = { action: 'people.resetOwner', target: { account_id: accountId } };
    const actor = { accountId: SERVICE_ACCOUNT };
    await appendAudit(transaction, actor, { ...entry, ...(before && { before }) }, now);
    await beforeCommit();
    return oneTimePassword;
  });
};

/** Returns what the reset has replaced, for the audit record. */
const resetPerson = async (
  transaction: Prisma.TransactionClient,
  person: Person,
  passwordHash: string,
  now: Date,
): Promise<Prisma.InputJsonObject> => {
  const { accountId: id, email, disabled, twoFactorEnabled } = person;
  // A sign-in locks the identity before the person. The same order here prevents a deadlock.
  const identities = await removeIdentities(transaction, id);
  await removeSecondFactor(transaction, id, now);
  await transaction.accountUser.update({
    where: { id },
    data: { role: 'owner', sandboxIds: [], disabledAt: null },
  });
  await replacePassword(transaction, id, passwordHash, now);
  await transaction.accountThrottle.deleteMany({ where: failedSignInsOf(email, id) });
  return {
    ...describeGrant(person),
    disabled,
    two_factor_enabled: twoFactorEnabled,
    ...(identities.length > 0 && { identities }),
  };
};
