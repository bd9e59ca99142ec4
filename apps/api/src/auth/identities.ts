// Identities of the single sign-on issuer: finds the person of an identity, links a first identity, lists and removes them.
import type { Prisma } from '@muster/database';
import { v7 as uuidv7 } from 'uuid';
import type { Actor } from '../platform/index.ts';
import { appendAudit, ServiceError } from '../platform/index.ts';
import type { Identity } from './oidc-issuer.ts';
import { lockAccounts } from './person-store.ts';

/** The provider of every login that is an identity. */
export const ISSUER_PROVIDER = 'oidc';

type LoginRow = Prisma.AccountLoginGetPayload<object>;
type Visitor = Omit<Actor, 'accountId'>;

/** Creates the person whose address was invited, in the transaction. Returns the account id, or null without an invitation. */
type AcceptInvitation = (
  transaction: Prisma.TransactionClient,
  visitor: Visitor,
  identity: Pick<Identity, 'email' | 'name'>,
) => Promise<string | null>;

/**
 * Returns the account id of a verified identity. An unknown identity is linked to the person with its e-mail address; an
 * invited person is created first. When several identities of one person arrive at once, only one is linked. Errors:
 * `person_not_invited`, `second_identity`.
 */
export const createIdentityLinker = (acceptInvitation: AcceptInvitation, now: () => Date) =>
  async function findOrLinkIdentity(
    transaction: Prisma.TransactionClient,
    visitor: Visitor,
    identity: Identity,
  ): Promise<string> {
    const known = await useIdentity(transaction, identity, now());
    if (known !== null) return known;
    await lockAccounts(transaction);
    // Another sign-in may have linked it while this one waited.
    const linked = await useIdentity(transaction, identity, now());
    if (linked !== null) return linked;
    const { email } = identity;
    const person = await transaction.accountUser.findUnique({ where: { email } });
    const accountId = person?.id ?? (await acceptInvitation(transaction, visitor, identity));
    if (accountId === null) throw new ServiceError('person_not_invited');
    await linkIdentity(transaction, { ...visitor, accountId }, identity, now());
    return accountId;
  };

/**
 * Returns the account id of a linked identity, or null, and records the time of use. The row stays locked until the transaction
 * ends, so the identity is not removed before. Rows without an issuer are from earlier versions. One counts as a row of the
 * configured issuer only where its person has the verified e-mail address, because another issuer may use the same subject for
 * another person.
 */
const useIdentity = async (
  transaction: Prisma.TransactionClient,
  { issuer, subject, email }: Identity,
  now: Date,
): Promise<string | null> => {
  const [row] = await transaction.$queryRaw<{ user_id: string }[]>`
    UPDATE account_login SET issuer = ${issuer}, updated_at = ${now}
    WHERE provider_id = ${ISSUER_PROVIDER} AND account_id = ${subject}
      AND (issuer = ${issuer} OR (
        issuer IS NULL AND user_id IN (SELECT id FROM account_user WHERE email = ${email})
      ))
    RETURNING user_id`;
  return row?.user_id ?? null;
};

/** The caller holds the lock of accounts. */
const linkIdentity = async (
  transaction: Prisma.TransactionClient,
  actor: Actor,
  { issuer, subject }: Identity,
  now: Date,
): Promise<void> => {
  const { accountId: userId } = actor;
  const where = { providerId: ISSUER_PROVIDER, OR: [{ userId }, { accountId: subject }] };
  const rows = await transaction.accountLogin.findMany({ where });
  if (rows.some((row) => row.issuer === null || row.issuer === issuer)) {
    throw new ServiceError('second_identity', { accountId: userId });
  }
  // The issuer of these rows is no longer configured. Its subjects are other people at the current issuer.
  const replaced = await deleteRows(transaction, rows);
  await transaction.accountLogin.create({
    data: {
      id: uuidv7(),
      providerId: ISSUER_PROVIDER,
      accountId: subject,
      issuer,
      userId,
      createdAt: now,
      updatedAt: now,
    },
  });
  const entry = {
    action: 'auth.linkIdentity',
    target: { account_id: userId },
    ...(replaced.length > 0 && { before: { identities: replaced } }),
    after: { issuer, subject },
  };
  await appendAudit(transaction, actor, entry, now);
};

type RemovedIdentity = { issuer: string | null; subject: string };

const deleteRows = async (
  transaction: Prisma.TransactionClient,
  rows: readonly LoginRow[],
): Promise<RemovedIdentity[]> => {
  const where = { id: { in: rows.map(({ id }) => id) } };
  if (rows.length > 0) await transaction.accountLogin.deleteMany({ where });
  return rows.map(({ issuer, accountId: subject }) => ({ issuer, subject }));
};

/** Removes one identity of a person, or all, and returns them. The caller ends the person's sign-ins. */
export const removeIdentities = async (
  transaction: Prisma.TransactionClient,
  userId: string,
  id?: string,
): Promise<RemovedIdentity[]> => {
  const where = { providerId: ISSUER_PROVIDER, userId, ...(id !== undefined && { id }) };
  return deleteRows(transaction, await transaction.accountLogin.findMany({ where }));
};

export type IdentityView = {
  identity_id: string;
  /** Absent: an earlier version linked the identity, and it has not been used since. */
  issuer?: string;
  subject: string;
  linked: string;
  last_used: string;
};

/** Earlier versions linked any number of identities to one person. */
const MAX_LISTED = 1_000;

/** The identities of a person, the oldest first. */
export const listIdentities = async (
  reader: Pick<Prisma.TransactionClient, 'accountLogin'>,
  userId: string,
): Promise<IdentityView[]> => {
  const rows = await reader.accountLogin.findMany({
    where: { providerId: ISSUER_PROVIDER, userId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: MAX_LISTED,
  });
  return rows.map(({ id, issuer, accountId: subject, createdAt, updatedAt }) => ({
    identity_id: id,
    ...(issuer !== null && { issuer }),
    subject,
    linked: createdAt.toISOString(),
    last_used: updatedAt.toISOString(),
  }));
};
