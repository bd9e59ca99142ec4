// Service accounts and API keys in the database.
import { narrowToSandboxes, ROLES, Uuid } from '@muster/contract';
import type { Database, Prisma } from '@muster/database';
import { runPrepared } from '@muster/database';
import { ServiceError } from '../platform/index.ts';
import type { Caller, Grant } from './permissions.ts';
import { readScope } from './permissions.ts';
import { toPerson, workingKeys } from './person-store.ts';

const FIND_KEY = {
  name: 'find_service_key',
  text: `
    SELECT key_id AS "keyId", account_id AS "accountId", permissions, sandbox_ids AS "sandboxIds",
           expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt"
    FROM service_key WHERE digest = $1`,
};

/** Several processes may try at once; one of them writes. */
const TOUCH_KEY = {
  name: 'touch_service_key',
  text: `
    UPDATE service_key SET last_used_at = $2
    WHERE key_id = $1 AND (last_used_at IS NULL OR last_used_at <= $2::timestamptz - interval '1 minute')`,
};

export type StoredKey = {
  keyId: string;
  accountId: string;
  permissions: string[];
  sandboxIds: string[];
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
};

/** The caller with a key, null for an unknown one. Throws `auth_token_unknown`, `auth_token_expired`. */
export const toKeyCaller = (stored: StoredKey | null, now: Date): Caller => {
  if (!stored || (stored.revokedAt && stored.revokedAt <= now)) {
    throw new ServiceError('auth_token_unknown');
  }
  if (stored.expiresAt && stored.expiresAt <= now) {
    throw new ServiceError('auth_token_expired', { desc: 'The key has expired.' });
  }
  const sandboxIds = readScope(stored);
  return {
    accountId: stored.accountId,
    permissions: narrowToSandboxes(stored.permissions, sandboxIds),
    key: { keyId: stored.keyId, ...(sandboxIds && { sandboxIds }) },
  };
};

export type KeyVerificationStore = ReturnType<typeof createKeyVerificationStore>;

/** The two statements behind every request with an API key. */
export const createKeyVerificationStore = ({ pool }: Pick<Database, 'pool'>) => ({
  findKey: async (digest: Buffer): Promise<StoredKey | null> => {
    const [row] = await runPrepared<StoredKey>(pool, FIND_KEY, [digest]);
    return row ?? null;
  },
  touchKey: async (keyId: string, now: Date): Promise<void> => {
    await runPrepared(pool, TOUCH_KEY, [keyId, now]);
  },
});

export type ServiceAccountRow = Prisma.ServiceAccountGetPayload<{ include: { keys: true } }>;
export type ServiceKeyRow = Prisma.ServiceKeyGetPayload<object>;
export type KeyStore = ReturnType<typeof createKeyStore>;

/** Per account. Every working key must be reviewed and rotated. */
const MAX_WORKING_KEYS = 100;
/** Only the newest ones are kept; the audit trail records the others. */
const MAX_ENDED_KEYS = 100;
/** Per account: first the working keys, newest first, then the revoked ones. */
const MAX_LISTED_KEYS = MAX_WORKING_KEYS + MAX_ENDED_KEYS;
/** Accounts created before the limit existed reach it in several steps. */
const MAX_DELETED_KEYS = 1_000;

export const isEnded = ({ revokedAt, expiresAt }: ServiceKeyRow, now: Date): boolean =>
  revokedAt !== null || (expiresAt !== null && expiresAt <= now);

/** Follows rotations from a key to its latest successor, whose lifetime no rotation has shortened. */
export const findLatest = (
  key: ServiceKeyRow,
  byId: ReadonlyMap<string, ServiceKeyRow>,
): ServiceKeyRow => {
  let latest = key;
  for (let next: ServiceKeyRow | undefined = key; next; next = byId.get(next.successorId ?? '')) {
    latest = next;
  }
  return latest;
};

export const indexKeys = (keys: readonly ServiceKeyRow[]): ReadonlyMap<string, ServiceKeyRow> =>
  new Map(keys.map((key) => [key.keyId, key]));

const endOf = ({ revokedAt, expiresAt }: ServiceKeyRow): number =>
  Math.min(
    revokedAt?.getTime() ?? Number.POSITIVE_INFINITY,
    expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
  );

export const createKeyStore = ({ prisma }: Pick<Database, 'prisma'>) => ({
  inTransaction: <Result>(work: (transaction: Prisma.TransactionClient) => Promise<Result>) =>
    prisma.$transaction(work),
  /** Sorted by name, after the given name. */
  list: (after: string | undefined, limit: number): Promise<ServiceAccountRow[]> =>
    prisma.serviceAccount.findMany({
      ...(after !== undefined && { where: { name: { gt: after } } }),
      include: {
        keys: {
          // Revoked keys come last, so that they never hide a working key.
          orderBy: [
            { revokedAt: { sort: 'desc', nulls: 'first' } },
            { createdAt: 'desc' },
            { keyId: 'asc' },
          ],
          take: MAX_LISTED_KEYS,
        },
      },
      orderBy: [{ name: 'asc' }],
      take: limit,
    }),
  findAccount: (
    transaction: Prisma.TransactionClient,
    accountId: string,
  ): Promise<ServiceAccountRow | null> =>
    transaction.serviceAccount.findUnique({ where: { accountId }, include: { keys: true } }),
  findKey: (transaction: Prisma.TransactionClient, keyId: string): Promise<ServiceKeyRow | null> =>
    transaction.serviceKey.findUnique({ where: { keyId } }),
  /** Deletes the oldest ended keys. Throws `too_many_keys` when one more key works and the limit is exceeded. */
  boundKeys: async (
    transaction: Prisma.TransactionClient,
    accountId: string,
    { now, isOneMore }: { now: Date; isOneMore: boolean },
  ): Promise<void> => {
    const keys = await transaction.serviceKey.findMany({ where: { accountId } });
    const working = keys.filter((key) => !isEnded(key, now));
    if (isOneMore && working.length > MAX_WORKING_KEYS) throw new ServiceError('too_many_keys');
    // The lifetime of the next key is computed from these.
    const byId = indexKeys(keys);
    const needed = new Set(working.map((key) => findLatest(key, byId)));
    const isNeeded = (key: ServiceKeyRow) => Number(needed.has(key));
    const surplus = keys
      .filter((key) => isEnded(key, now))
      .toSorted((a, b) => isNeeded(b) - isNeeded(a) || endOf(b) - endOf(a))
      .slice(MAX_ENDED_KEYS)
      .slice(-MAX_DELETED_KEYS);
    if (surplus.length === 0) return;
    await transaction.serviceKey.deleteMany({
      where: { keyId: { in: surplus.map(({ keyId }) => keyId) } },
    });
  },
  /** The permissions of an account: a person's role, or each working key of a service account. None for an issuer's token. */
  findGrants: async (
    transaction: Prisma.TransactionClient,
    accountId: string,
    now: Date,
  ): Promise<Grant[]> => {
    const row = await transaction.accountUser.findUnique({ where: { id: accountId } });
    if (row) {
      const { role, sandboxIds } = toPerson(row);
      return [{ permissions: ROLES[role], sandboxIds }];
    }
    if (!Uuid.safeParse(accountId).success) return [];
    return transaction.serviceKey.findMany({
      where: { accountId, ...workingKeys(now) },
      select: { permissions: true, sandboxIds: true },
    });
  },
  findNames: (accountIds: readonly string[]) =>
    prisma.accountName.findMany({ where: { accountId: { in: [...accountIds] } } }),
});
