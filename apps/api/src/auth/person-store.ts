// People in the database: reads, and writes inside a transaction of the caller.
import type { Role } from '@muster/contract';
import type { Database, Prisma } from '@muster/database';
import { runPrepared } from '@muster/database';
import { deleteInBatches } from '../platform/index.ts';

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
  // A CHECK of the table allows no other values.
  role: row.role as Role,
  ...(row.sandboxIds.length > 0 && { sandboxIds: row.sandboxIds }),
  mustChangePassword: row.mustChangePassword,
  twoFactorEnabled: row.twoFactorEnabled,
  disabled: row.disabledAt !== null,
  createdAt: row.createdAt,
  ...(row.lastSignedInAt && { lastSignedInAt: row.lastSignedInAt }),
});

/** True when there are no people, or one who has never signed in and whose one-time password is older than $1. */
const NEEDS_FIRST_OWNER = {
  name: 'accounts_needs_first_owner',
  text: `
    SELECT count(*) = 0 OR count(*) = 1
      AND bool_and(must_change_password AND last_signed_in_at IS NULL AND updated_at <= $1::timestamptz) AS needed
    FROM (SELECT must_change_password, last_signed_in_at, updated_at FROM account_user LIMIT 2) people`,
};

/** Without Prisma, so that an ordinary start does not load its engine of 20 MB. */
export const needsFirstOwner = async (
  pool: Database['pool'],
  printedBefore: Date,
): Promise<boolean> => {
  const [found] = await runPrepared<{ needed: boolean }>(pool, NEEDS_FIRST_OWNER, [printedBefore]);
  return found?.needed === true;
};

const FIND_OWNER_WITH_ONE_TIME_PASSWORD = {
  name: 'accounts_find_owner_with_one_time_password',
  text: `SELECT email FROM account_user WHERE role = 'owner' AND must_change_password ORDER BY created_at LIMIT 1`,
};

/** The e-mail address of an owner who has not chosen a password yet; null when there is none. */
export const findOwnerWithOneTimePassword = async (
  pool: Database['pool'],
): Promise<string | null> => {
  const [owner] = await runPrepared<{ email: string }>(pool, FIND_OWNER_WITH_ONE_TIME_PASSWORD, []);
  return owner?.email ?? null;
};

/**
 * Serialises changes to people and keys. Of two owners who demote each other one remains, and a permission is not used
 * while it is withdrawn.
 */
const ACCOUNTS_LOCK = 0x6d_75_70_65;

export const lockAccounts = async (transaction: Prisma.TransactionClient): Promise<void> => {
  await transaction.$queryRaw`SELECT pg_advisory_xact_lock(${ACCOUNTS_LOCK}::bigint)::text`;
};

type NewPerson = Pick<Person, 'accountId' | 'name' | 'email' | 'role' | 'mustChangePassword'> & {
  sandboxIds?: readonly string[];
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
    data: { id: accountId, ...person, ...times, sandboxIds: [...(sandboxIds ?? [])] },
  });
  await transaction.accountName.create({ data: { accountId, kind: 'person', name: person.name } });
  if (passwordHash === undefined) return;
  await transaction.accountLogin.create({
    data: {
      id: accountId,
      accountId,
      userId: accountId,
      providerId: 'credential',
      password: passwordHash,
      ...times,
    },
  });
};

/** Gives a person a one-time password and ends every sign-in. */
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

/**
 * Ends the sign-ins of a person. Sign-ins that wait for the second factor come first, so that one being completed is
 * waited for.
 */
export const endSignIns = async (
  transaction: Prisma.TransactionClient,
  accountId: string,
): Promise<void> => {
  await forgetDevices(transaction, accountId);
  await deleteSignIns(transaction, { userId: accountId });
};

/** Trusted devices lose the right to skip the second factor, and sign-ins that wait for it end. */
export const forgetDevices = async (
  transaction: Prisma.TransactionClient,
  accountId: string,
): Promise<void> => {
  const where = { value: accountId };
  await deleteInBatches(ROWS_PER_BATCH, async (limit) => {
    const { count } = await transaction.accountVerification.deleteMany({ where, limit });
    return count;
  });
};

/** Returns the number of ended sign-ins. */
export const deleteSignIns = (
  transaction: Prisma.TransactionClient,
  where: Prisma.AccountSessionWhereInput,
): Promise<number> =>
  deleteInBatches(ROWS_PER_BATCH, async (limit) => {
    const { count } = await transaction.accountSession.deleteMany({ where, limit });
    return count;
  });

/** No statement of this size reaches the statement timeout. */
const ROWS_PER_BATCH = 1_000;

/** Call this when an inviter loses permissions. Returns the number of revoked invitations. */
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

/** Limit for people, sign-ins and invitations: far more than an installation has. */
const MAX_LISTED = 1_000;
/** Limit for people, and for invitations, which may name a hundred sandboxes each. The entry that exceeds it is the last one. */
const LISTED_BYTES = 2 * 1_048_576;

/** In JSON a control character takes six bytes. */
const jsonBytes = (column: string): string => `octet_length(to_json(${column})::text)`;

/** How many people, sorted by name, fit into a list. Prisma cannot compute running sums. */
const COUNT_LISTED_PEOPLE = `
  SELECT count(*)::int AS fitting
  FROM (
    SELECT sum(${jsonBytes('name')} + ${jsonBytes('email')} + 39 * cardinality(sandbox_ids) + 400)
      OVER (ORDER BY name, id ROWS UNBOUNDED PRECEDING) AS bytes
    FROM (SELECT * FROM account_user ORDER BY name, id LIMIT ${MAX_LISTED}) listed
  ) added
  WHERE bytes < ${LISTED_BYTES}`;

const COUNT_LISTED_INVITATIONS = `
  SELECT count(*)::int AS fitting
  FROM (
    SELECT sum(${jsonBytes('email')} + ${jsonBytes('invited_by')} + 39 * cardinality(sandbox_ids) + 400)
      OVER (ORDER BY created_at DESC, invitation_id ROWS UNBOUNDED PRECEDING) AS bytes
    FROM (
      SELECT * FROM account_invitation WHERE expires_at > $1::timestamptz
      ORDER BY created_at DESC, invitation_id LIMIT ${MAX_LISTED}
    ) listed
  ) added
  WHERE bytes < ${LISTED_BYTES}`;

type Fitting = { fitting: number };

const toLimit = ([found]: Fitting[]): number => Math.min(MAX_LISTED, (found?.fitting ?? 0) + 1);

/** The keys of service accounts that neither have expired nor were revoked. */
export const workingKeys = (now: Date) => ({
  revokedAt: null,
  OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
});

export const createPersonStore = ({ prisma }: Pick<Database, 'prisma'>) => ({
  inTransaction: <Result>(work: (transaction: Prisma.TransactionClient) => Promise<Result>) =>
    prisma.$transaction(work),
  /** For queries that also run inside a transaction. */
  reader: prisma as Prisma.TransactionClient,
  findPerson: async (accountId: string): Promise<Person | null> => {
    const row = await prisma.accountUser.findUnique({ where: { id: accountId } });
    return row && toPerson(row);
  },
  listPeople: async (): Promise<Person[]> => {
    const fitting = await prisma.$queryRawUnsafe<Fitting[]>(COUNT_LISTED_PEOPLE);
    const rows = await prisma.accountUser.findMany({
      orderBy: [{ name: 'asc' }, { id: 'asc' }],
      take: toLimit(fitting),
    });
    return rows.map(toPerson);
  },
  /** The number of service accounts with a working key that each of these accounts has made. */
  countServiceAccounts: async (
    accountIds: readonly string[],
    now: Date,
  ): Promise<ReadonlyMap<string, number>> => {
    const counts = await prisma.serviceAccount.groupBy({
      by: ['createdBy'],
      where: { createdBy: { in: [...accountIds] }, keys: { some: workingKeys(now) } },
      _count: true,
    });
    return new Map(counts.map(({ createdBy, _count }) => [createdBy ?? '', _count]));
  },
  listSignIns: (accountId: string, now: Date) =>
    prisma.accountSession.findMany({
      where: { userId: accountId, expiresAt: { gt: now } },
      orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
      take: MAX_LISTED,
    }),
  findInvitation: (where: { tokenDigest: Buffer<ArrayBuffer> }) =>
    prisma.accountInvitation.findUnique({ where }),
  listInvitations: async (now: Date) => {
    const fitting = await prisma.$queryRawUnsafe<Fitting[]>(COUNT_LISTED_INVITATIONS, now);
    return prisma.accountInvitation.findMany({
      where: { expiresAt: { gt: now } },
      orderBy: [{ createdAt: 'desc' }, { invitationId: 'asc' }],
      take: toLimit(fitting),
    });
  },
});
