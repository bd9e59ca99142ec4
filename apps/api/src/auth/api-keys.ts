// Service accounts and their API keys. Creating, rotating and revoking a key each writes an audit record.
import { createHash, randomBytes } from 'node:crypto';
import {
  boundedList,
  isSameName,
  newName,
  PEOPLE_ONLY,
  PERMISSIONS,
  text,
  Uuid,
} from '@muster/contract';
import type { Prisma } from '@muster/database';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { createPacer, forEachPaced } from '../flow/index.ts';
import { appendAudit, ServiceError } from '../platform/index.ts';
import type { KeyStore, ServiceAccountRow, ServiceKeyRow } from './api-key-store.ts';
import { findLatest, indexKeys, isEnded } from './api-key-store.ts';
import type { ChangeContext, Grantor } from './grantor.ts';
import { confirmGrantor } from './grantor.ts';
import type { KeyUse } from './key-use.ts';
import { SandboxIds } from './people.ts';
import { createKeyCoverage, refuseUncoveredKeys } from './permissions.ts';
import { revokeInvitationsOf } from './person-store.ts';

const Grantable = z.enum([...PERMISSIONS, '*']).exclude([...PEOPLE_ONLY]);
const MAX_GRACE_SECONDS = 7 * 86_400;

export const KeyInputs = {
  createAccount: z.object({ name: newName(128) }),
  account: z.object({ account_id: Uuid }),
  create: z
    .object({
      account_id: Uuid,
      name: newName(128),
      permissions: boundedList(Grantable, { min: 1, max: 100 }).transform((names) => [
        ...new Set(names),
      ]),
      /** Absent: every sandbox. */
      sandbox_ids: SandboxIds,
      /** Absent: the key lasts until it is revoked. */
      expires_in_days: z.int().min(1).max(3_650).optional(),
    })
    .refine(({ permissions, sandbox_ids }) => !sandbox_ids || !permissions.includes('*'), {
      path: ['permissions'],
      error: 'The permission * covers everything: it cannot be narrowed to sandboxes',
    }),
  rotate: z.object({
    key_id: Uuid,
    grace_seconds: z.int().min(0).max(MAX_GRACE_SECONDS).default(0),
  }),
  key: z.object({ key_id: Uuid }),
  list: z
    .object({
      cursor: text(1, 2_048).optional(),
      page_size: z.int().min(1).max(1_000).default(1_000),
    })
    .prefault({}),
};

export const AccountNamesInput = z.object({ account_ids: boundedList(text(1, 256), { max: 200 }) });

type Input<Name extends keyof typeof KeyInputs> = z.output<(typeof KeyInputs)[Name]>;

const DAY_MS = 86_400_000;

/** Characters on a page of accounts. One account with 200 keys of the largest size has a fifth of them. */
const PAGE_LENGTH = 4 * 1_048_576;
/** Accounts per query. Their size is unknown before they are read. */
const READ_AT_ONCE = 10;

/** `onChanged` clears the key cache of this process; other processes notice the change within seconds. */
export const createKeyService = (
  store: KeyStore,
  use: Pick<KeyUse, 'read'>,
  now: () => Date,
  onChanged: () => void,
) => {
  /** Throws `grant_beyond_permissions` when the account or its maker has permissions that the grantor lacks. */
  const refuseStrangersAccount = async (
    transaction: Prisma.TransactionClient,
    grantor: Grantor,
    account: ServiceAccountRow,
    at: Date,
  ): Promise<void> => {
    const working = account.keys.filter((key) => !isEnded(key, at));
    const { createdBy } = account;
    const isOwn = createdBy === null || createdBy === grantor.actor.accountId;
    const held = isOwn ? [] : await store.findGrants(transaction, createdBy, at);
    await refuseUncoveredKeys(grantor, [...working, ...held]);
  };

  /** Changes to keys and people are serialised. */
  const change = async <Result>(
    asked: Grantor,
    work: (context: ChangeContext) => Promise<Result>,
  ): Promise<Result> => {
    const result = await store.inTransaction(async (transaction) => {
      const grantor = await confirmGrantor(transaction, asked, 'key:manage', now);
      return work({ transaction, grantor, at: now() });
    });
    onChanged();
    return result;
  };

  return {
    /**
     * Sorted by name, after the name `after`. Keys beyond the grantor's permissions are counted but not shown. `next`
     * is set when more accounts follow.
     */
    async list(
      grantor: Grantor,
      after: string | undefined,
      pageSize: number,
    ): Promise<{ accounts: ServiceAccountView[]; next?: string }> {
      const accounts: ServiceAccountView[] = [];
      const pacer = createPacer();
      const coversKey = createKeyCoverage(grantor);
      const known = toKnownIds(grantor);
      let length = 0;
      let last = after;
      for (;;) {
        // One extra account shows whether there is another page.
        const rows = await store.list(last, READ_AT_ONCE + 1);
        for (const row of rows.slice(0, READ_AT_ONCE)) {
          const shown: KeyView[] = [];
          const add = (key: ServiceKeyRow) => {
            if (coversKey(key)) shown.push(toKeyView(key, known));
            // Hidden keys count as well, since they were read too.
            length += JSON.stringify(toKeyView(key)).length;
          };
          await forEachPaced(row.keys, add, pacer);
          const account = toServiceAccountView(row, shown);
          accounts.push(account);
          length += JSON.stringify({ ...account, keys: [] }).length;
          last = row.name;
          const isFull = length >= PAGE_LENGTH || accounts.length === pageSize;
          if (isFull && row !== rows.at(-1)) return { accounts, next: last };
        }
        if (rows.length <= READ_AT_ONCE) return { accounts };
      }
    },

    /** What a key was used for. Errors: key_not_found, grant_beyond_permissions. */
    async readUse(grantor: Grantor, { key_id: keyId }: Input<'key'>) {
      const row = await store.inTransaction((transaction) => store.findKey(transaction, keyId));
      if (!row) throw new ServiceError('key_not_found');
      await refuseUncoveredKeys(grantor, [row]);
      return use.read(keyId);
    },

    /** Errors: service_account_exists. */
    createAccount: (asked: Grantor, { name }: Input<'createAccount'>) =>
      change(asked, async ({ transaction, grantor: { actor }, at }) => {
        const accountId = uuidv7();
        // Serialised with other changes. Names that a reader cannot tell apart are the same.
        const others = await transaction.serviceAccount.findMany({ select: { name: true } });
        if (others.some((other) => isSameName(other.name, name))) {
          throw new ServiceError('service_account_exists');
        }
        await transaction.serviceAccount.create({
          data: { accountId, name, createdAt: at, createdBy: actor.accountId },
        });
        await transaction.accountName.create({ data: { accountId, kind: 'service', name } });
        const entry = { action: 'keys.createAccount', target: { account_id: accountId } };
        await appendAudit(transaction, actor, { ...entry, after: { name } }, at);
        return { account_id: accountId, name, created: at.toISOString() };
      }),

    /**
     * Also removes its keys and revokes its invitations. The name is kept for histories. Errors:
     * service_account_not_found, grant_beyond_permissions (as for a new key).
     */
    removeAccount: (asked: Grantor, { account_id: accountId }: Input<'account'>) =>
      change(asked, async ({ transaction, grantor, at }) => {
        const row = await store.findAccount(transaction, accountId);
        if (!row) throw new ServiceError('service_account_not_found');
        await refuseStrangersAccount(transaction, grantor, row, at);
        await revokeInvitationsOf(transaction, accountId);
        await transaction.serviceAccount.delete({ where: { accountId } });
        const entry = { action: 'keys.removeAccount', target: { account_id: accountId } };
        await appendAudit(transaction, grantor.actor, entry, at);
      }),

    /**
     * Only this result contains the key. The key acts in the name of the account, so the grantor needs all permissions
     * of the account's working keys and of its maker. Errors: service_account_not_found, grant_beyond_permissions,
     * too_many_keys.
     */
    create: (asked: Grantor, input: Input<'create'>) =>
      change(asked, async ({ transaction, grantor, at }) => {
        const { permissions, sandbox_ids: sandboxIds = [] } = input;
        await refuseUncoveredKeys(grantor, [{ permissions, sandboxIds }]);
        const account = await store.findAccount(transaction, input.account_id);
        if (!account) throw new ServiceError('service_account_not_found');
        await refuseStrangersAccount(transaction, grantor, account, at);
        const { key, ...made } = makeKey();
        const row = {
          keyId: uuidv7(),
          accountId: input.account_id,
          name: input.name,
          ...made,
          permissions,
          sandboxIds,
          createdAt: at,
          expiresAt: input.expires_in_days
            ? new Date(at.getTime() + input.expires_in_days * DAY_MS)
            : null,
          revokedAt: null,
          successorId: null,
          lastUsedAt: null,
        };
        await transaction.serviceKey.create({ data: row });
        await store.boundKeys(transaction, input.account_id, { now: at, isOneMore: true });
        const entry = { action: 'keys.create', target: toTarget(row) };
        await appendAudit(transaction, grantor.actor, { ...entry, after: toRecord(row) }, at);
        return { ...toKeyView(row, toKnownIds(grantor)), key };
      }),

    /**
     * Makes a key with the same account, name, permissions and lifetime. The old key expires after the grace period, in
     * which it can be rotated again. Errors: key_not_found, key_revoked, grant_beyond_permissions (as for a new key),
     * too_many_keys (with a grace period).
     */
    rotate: (asked: Grantor, input: Input<'rotate'>) =>
      change(asked, async ({ transaction, grantor, at }) => {
        const old = await store.findKey(transaction, input.key_id);
        const account = old && (await store.findAccount(transaction, old.accountId));
        if (!old || !account) throw new ServiceError('key_not_found');
        if (isEnded(old, at)) throw new ServiceError('key_revoked');
        await refuseStrangersAccount(transaction, grantor, account, at);
        const { key, ...made } = makeKey();
        const { createdAt, expiresAt } = findLatest(old, indexKeys(account.keys));
        const lifetimeMs = expiresAt && expiresAt.getTime() - createdAt.getTime();
        const row = {
          ...old,
          ...made,
          keyId: uuidv7(),
          createdAt: at,
          successorId: null,
          lastUsedAt: null,
          expiresAt: lifetimeMs === null ? null : new Date(at.getTime() + lifetimeMs),
        };
        await transaction.serviceKey.create({ data: row });
        const end = new Date(at.getTime() + input.grace_seconds * 1000);
        await transaction.serviceKey.update({
          where: { keyId: old.keyId },
          data: {
            successorId: row.keyId,
            ...(input.grace_seconds === 0
              ? { revokedAt: at }
              : { expiresAt: old.expiresAt && old.expiresAt < end ? old.expiresAt : end }),
          },
        });
        // Keys that the old key had replaced now have the new key as their successor.
        await transaction.serviceKey.updateMany({
          where: { accountId: old.accountId, successorId: old.keyId },
          data: { successorId: row.keyId },
        });
        const isOneMore = input.grace_seconds > 0;
        await store.boundKeys(transaction, old.accountId, { now: at, isOneMore });
        const entry = { action: 'keys.rotate', target: toTarget(row) };
        const before = { key_id: old.keyId, prefix: old.prefix };
        const changed = { ...entry, before, after: toRecord(row) };
        await appendAudit(transaction, grantor.actor, changed, at);
        return { ...toKeyView(row, toKnownIds(grantor)), key };
      }),

    /** Revoking twice changes nothing. Errors: key_not_found, grant_beyond_permissions. */
    revoke: (asked: Grantor, { key_id: keyId }: Input<'key'>) =>
      change(asked, async ({ transaction, grantor, at }) => {
        const row = await store.findKey(transaction, keyId);
        if (!row) throw new ServiceError('key_not_found');
        await refuseUncoveredKeys(grantor, [row]);
        if (row.revokedAt) return;
        await transaction.serviceKey.update({ where: { keyId }, data: { revokedAt: at } });
        const entry = { action: 'keys.revoke', target: toTarget(row) };
        await appendAudit(transaction, grantor.actor, entry, at);
      }),
  };
};

const toTarget = ({ accountId, keyId }: ServiceKeyRow) => ({
  account_id: accountId,
  key_id: keyId,
});

/** The audit record of a key, without the key itself. */
const toRecord = (row: ServiceKeyRow) => {
  const { name, prefix, permissions, sandbox_ids, expires } = toKeyView(row);
  return {
    name,
    prefix,
    permissions,
    ...(sandbox_ids && { sandbox_ids }),
    ...(expires && { expires }),
  };
};

type KeyView = {
  key_id: string;
  name: string;
  /** The first characters of the key. */
  prefix: string;
  permissions: string[];
  /** Only those that the caller may see; empty when there are none. */
  sandbox_ids?: string[];
  created: string;
  expires?: string;
  /** To the minute. */
  last_used?: string;
  /** When it was revoked. */
  revoked?: string;
};

type ServiceAccountView = {
  account_id: string;
  name: string;
  created: string;
  keys: KeyView[];
  /** How many keys the caller's permissions do not cover; absent when there are none. */
  hidden_keys?: number;
};

/** A narrowed caller sees only its own sandboxes in the keys of others; undefined: all. */
const toKnownIds = ({ sandboxIds }: Grantor): ReadonlySet<string> | undefined =>
  sandboxIds && new Set(sandboxIds);

const toKeyView = (row: ServiceKeyRow, known?: ReadonlySet<string>): KeyView => ({
  key_id: row.keyId,
  name: row.name,
  prefix: row.prefix,
  permissions: row.permissions,
  ...(row.sandboxIds.length > 0 && {
    sandbox_ids: row.sandboxIds.filter((id) => known?.has(id) ?? true),
  }),
  created: row.createdAt.toISOString(),
  ...(row.expiresAt && { expires: row.expiresAt.toISOString() }),
  ...(row.lastUsedAt && { last_used: row.lastUsedAt.toISOString() }),
  ...(row.revokedAt && { revoked: row.revokedAt.toISOString() }),
});

const toServiceAccountView = (row: ServiceAccountRow, shown: KeyView[]): ServiceAccountView => ({
  account_id: row.accountId,
  name: row.name,
  created: row.createdAt.toISOString(),
  keys: shown,
  ...(shown.length < row.keys.length && { hidden_keys: row.keys.length - shown.length }),
});

const KEY = /^msk_[A-Za-z0-9_-]{43}$/;
const VISIBLE_CHARACTERS = 12;

/** A key is `msk_` and 32 random bytes. Only its digest is stored. */
export const makeKey = () => {
  const key = `msk_${randomBytes(32).toString('base64url')}`;
  return { key, prefix: key.slice(0, VISIBLE_CHARACTERS), digest: digestSecret(key) };
};

export const isWellFormedKey = (key: string): boolean => KEY.test(key);

/** Hashes a key or an invitation token. A slow hash adds nothing to 256 random bits but costs time on every request. */
export const digestSecret = (secret: string) => createHash('sha256').update(secret).digest();
