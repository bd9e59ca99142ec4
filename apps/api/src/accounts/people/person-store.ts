// People as they are stored: reads, and writes inside a transaction of the caller's.

import type { Role } from '@muster/contract';
import type { Database, Prisma } from '@muster/database';
import { runPrepared } from '@muster/database';

export type Person = {
  accountId: string;
  name: string;
  email: string;
  role: Role;
  /** Absent: every sandbox. */
  sandboxIds?: string[];
  mustChangePassword: boolean;
  twoFactorEnabled: boolean;
  disabled: boolean;
  createdAt: Date;
  lastSignedInAt?: Date;
};

type PersonRow = Prisma.AccountUserGetPayload<object>;

export const toPerson = (row: PersonRow): Person => ({
  accountId: row.id,
  name: row.name,
  email: row.email,
  // A CHECK of the table allows nothing else.
  role: row.role as Role,
  ...(row.sandboxIds.length > 0 && { sandboxIds: row.sandboxIds }),
  mustChangePassword: row.mustChangePassword,
  twoFactorEnabled: row.twoFactorEnabled,
  disabled: row.disabledAt !== null,
  createdAt: row.createdAt,
  ...(row.lastSignedInAt && { lastSignedInAt: row.lastSignedInAt }),
});

/** Nobody is there, or only somebody who has never signed in and whose one-time password is from before `shownBefore`. */
const FIRST_OWNER_WAITING = {
  name: 'accounts_first_owner_waiting',
  text: `
    SELECT count(*) = 0 OR count(*) = 1
      AND bool_and(must_change_password AND last_signed_in_at IS NULL AND updated_at <= $1::timestamptz) AS waiting
    FROM (SELECT must_change_password, last_signed_in_at, updated_at FROM account_user LIMIT 2) people`,
};

/** Without Prisma: nearly every start finds nobody waiting, and need not load its engine of 20 MB for that. */
export const isFirstOwnerWaiting = async (
  pool: Database['pool'],
  shownBefore: Date,
): Promise<boolean> => {
  const statement = FIRST_OWNER_WAITING;
  const [found] = await runPrepared<{ waiting: boolean }>(pool, statement, [shownBefore]);
  return found?.waiting === true;
};

/** Changes of people happen one after the other, so that of two owners who demote each other one remains. */
const PEOPLE_LOCK = 0x6d_75_70_65;

export const lockPeople = async (transaction: Prisma.TransactionClient): Promise<void> => {
  await transaction.$queryRaw`SELECT pg_advisory_xact_lock(${PEOPLE_LOCK}::bigint)::text`;
};

export type NewPerson = {
  accountId: string;
  name: string;
  email: string;
  role: Role;
  sandboxIds?: readonly string[];
  mustChangePassword: boolean;
  /** Absent: the person signs in through the issuer. */
  passwordHash?: string;
  now: Date;
};

export const insertPerson = async (
  transaction: Prisma.TransactionClient,
  { accountId, passwordHash, now, sandboxIds, ...person }: NewPerson,
): Promise<void> => {
  const times = { createdAt: now, updatedAt: now };
  await transaction.accountUser.create({
    data: {
      id: accountId,
      ...person,
      ...times,
      sandboxIds: [...(sandboxIds ?? [])],
    },
  });
  await transaction.accountName.create({ data: { accountId, kind: 'person', name: person.name } });
  if (passwordHash === undefined) return;
  await transaction.accountLogin.create({
    data: {
      ...{ id: accountId, accountId, userId: accountId, providerId: 'credential' },
      password: passwordHash,
      ...times,
    },
  });
};

/** Gives a person another password and ends every sign-in. */
export const replacePassword = async (
  transaction: Prisma.TransactionClient,
  accountId: string,
  passwordHash: string,
  now: Date,
): Promise<void> => {
  const login = { providerId: 'credential', accountId };
  await transaction.accountLogin.upsert({
    where: { providerId_accountId: login },
    update: { password: passwordHash, updatedAt: now },
    create: { id: accountId, userId: accountId, ...login, password: passwordHash },
  });
  await transaction.accountUser.update({
    where: { id: accountId },
    data: { mustChangePassword: true, updatedAt: now },
  });
  await endSignIns(transaction, accountId);
};

/** Ends the sign-ins of a person, and those that wait for their second step. */
export const endSignIns = async (
  transaction: Prisma.TransactionClient,
  accountId: string,
): Promise<void> => {
  await transaction.accountSession.deleteMany({ where: { userId: accountId } });
  await transaction.accountVerification.deleteMany({ where: { value: accountId } });
};

/** An invitation speaks for whoever made it: with their standing it goes. Answers how many went. */
export const revokeInvitationsOf = async (
  transaction: Prisma.TransactionClient,
  accountId: string,
): Promise<number> => {
  const { count } = await transaction.accountInvitation.deleteMany({
    where: { invitedBy: accountId },
  });
  return count;
};

export type PersonStore = ReturnType<typeof createPersonStore>;

export const createPersonStore = ({ prisma }: Pick<Database, 'prisma'>) => ({
  inTransaction: <Result>(work: (transaction: Prisma.TransactionClient) => Promise<Result>) =>
    prisma.$transaction(work),
  /** For what is asked inside a transaction, and outside. */
  reader: prisma as Prisma.TransactionClient,
  findPerson: async (accountId: string): Promise<Person | null> => {
    const row = await prisma.accountUser.findUnique({ where: { id: accountId } });
    return row && toPerson(row);
  },
  listPeople: async (): Promise<Person[]> => {
    const rows = await prisma.accountUser.findMany({ orderBy: [{ name: 'asc' }, { id: 'asc' }] });
    return rows.map(toPerson);
  },
  listSignIns: (accountId: string, now: Date) =>
    prisma.accountSession.findMany({
      where: { userId: accountId, expiresAt: { gt: now } },
      orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    }),
  findInvitation: (where: { tokenDigest: Uint8Array<ArrayBuffer> } | { email: string }) =>
    prisma.accountInvitation.findUnique({ where }),
  listInvitations: (now: Date) =>
    prisma.accountInvitation.findMany({
      where: { expiresAt: { gt: now } },
      orderBy: [{ createdAt: 'desc' }, { invitationId: 'asc' }],
    }),
});
