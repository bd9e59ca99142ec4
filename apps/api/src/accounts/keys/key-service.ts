// Service accounts and their keys: made, rotated, revoked, each change with its audit record.
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import type { Actor } from '../../audit/index.ts';
import { appendAudit } from '../../audit/index.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Granter } from '../people/people-service.ts';
import { revokeInvitationsOf } from '../people/person-store.ts';
import { makeKey } from './api-key.ts';
import type { KeyAnswer, ServiceAccountAnswer } from './key-answers.ts';
import { toKeyAnswer, toServiceAccountAnswer } from './key-answers.ts';
import type { KeyInputs } from './key-inputs.ts';
import { reachesNoFurther, refuseFurther } from './key-reach.ts';
import type { KeyStore, ServiceKeyRow } from './key-store.ts';

type Input<Name extends keyof typeof KeyInputs> = z.output<(typeof KeyInputs)[Name]>;

const DAY_MS = 86_400_000;

/** `onChanged` makes this process forget what it knows of keys; the others do within seconds. */
export const createKeyService = (store: KeyStore, now: () => Date, onChanged: () => void) => {
  const change = async <Result>(
    work: Parameters<typeof store.inTransaction<Result>>[0],
  ): Promise<Result> => {
    const result = await store.inTransaction(work);
    onChanged();
    return result;
  };

  return {
    /** Keys that reach further than the caller are counted, not shown. */
    list: async (granter: Granter): Promise<ServiceAccountAnswer[]> =>
      (await store.list()).map((row) =>
        toServiceAccountAnswer(
          row,
          row.keys.filter((key) => reachesNoFurther(key, granter)),
        ),
      ),

    /** Errors: service_account_exists. */
    createAccount: (actor: Actor, { name }: Input<'createAccount'>) =>
      store.inTransaction(async (transaction) => {
        const at = now();
        const accountId = uuidv7();
        const { count } = await transaction.serviceAccount.createMany({
          data: [{ accountId, name, createdAt: at }],
          skipDuplicates: true,
        });
        if (count === 0) throw new ServiceError('service_account_exists');
        await transaction.accountName.create({ data: { accountId, kind: 'service', name } });
        const entry = { action: 'keys.createAccount', target: { account_id: accountId } };
        await appendAudit(transaction, actor, { ...entry, after: { name } }, at);
        return { account_id: accountId, name, created: at.toISOString() };
      }),

    /**
     * Removes its keys and revokes its invitations, too; the name stays, for histories.
     * Errors: service_account_not_found, grant_beyond_permissions (for a key that works).
     */
    removeAccount: (granter: Granter, { account_id: accountId }: Input<'account'>) =>
      change(async (transaction) => {
        const at = now();
        const row = await store.lockAccount(transaction, accountId);
        if (!row) throw new ServiceError('service_account_not_found');
        const working = row.keys.filter((key) => !isOver(key, at));
        for (const key of working) refuseFurther(key, granter);
        await revokeInvitationsOf(transaction, accountId);
        await transaction.serviceAccount.delete({ where: { accountId } });
        const entry = { action: 'keys.removeAccount', target: { account_id: accountId } };
        await appendAudit(transaction, granter.actor, entry, at);
      }),

    /** The key is in this answer only. Errors: service_account_not_found, grant_beyond_permissions. */
    create: async (granter: Granter, input: Input<'create'>) => {
      refuseFurther({ permissions: input.permissions, sandboxIds: input.sandbox_ids }, granter);
      const at = now();
      const { key, ...made } = makeKey();
      const row = {
        ...{ keyId: uuidv7(), accountId: input.account_id, name: input.name, ...made },
        ...{ permissions: input.permissions, sandboxIds: input.sandbox_ids ?? [], createdAt: at },
        expiresAt: input.expires_in_days
          ? new Date(at.getTime() + input.expires_in_days * DAY_MS)
          : null,
        ...{ revokedAt: null, lastUsedAt: null },
      };
      await store.inTransaction(async (transaction) => {
        const account = await store.lockAccount(transaction, input.account_id);
        if (!account) throw new ServiceError('service_account_not_found');
        await transaction.serviceKey.create({ data: row });
        const entry = { action: 'keys.create', target: targetOf(row) };
        await appendAudit(transaction, granter.actor, { ...entry, after: describe(row) }, at);
      });
      return withKey(row, key);
    },

    /**
     * Gives a key of the same account, name, permissions and length of life; the old one ends after the grace.
     * Errors: key_not_found, key_revoked, grant_beyond_permissions.
     */
    rotate: (granter: Granter, input: Input<'rotate'>) =>
      change(async (transaction) => {
        const at = now();
        const old = await store.lockKey(transaction, input.key_id);
        if (!old) throw new ServiceError('key_not_found');
        if (isOver(old, at)) throw new ServiceError('key_revoked');
        refuseFurther(old, granter);
        const { key, ...made } = makeKey();
        const life = old.expiresAt && old.expiresAt.getTime() - old.createdAt.getTime();
        const row = {
          ...{ ...old, ...made, keyId: uuidv7(), createdAt: at, lastUsedAt: null },
          expiresAt: life === null ? null : new Date(at.getTime() + life),
        };
        await transaction.serviceKey.create({ data: row });
        const end = new Date(at.getTime() + input.grace_seconds * 1000);
        await transaction.serviceKey.update({
          where: { keyId: old.keyId },
          data:
            input.grace_seconds === 0
              ? { revokedAt: at }
              : { expiresAt: old.expiresAt && old.expiresAt < end ? old.expiresAt : end },
        });
        const entry = { action: 'keys.rotate', target: targetOf(row) };
        const before = { key_id: old.keyId, prefix: old.prefix };
        await appendAudit(
          transaction,
          granter.actor,
          { ...entry, before, after: describe(row) },
          at,
        );
        return withKey(row, key);
      }),

    /** Revoking twice changes nothing. Errors: key_not_found, grant_beyond_permissions. */
    revoke: (granter: Granter, { key_id: keyId }: Input<'key'>) =>
      change(async (transaction) => {
        const row = await store.lockKey(transaction, keyId);
        if (!row) throw new ServiceError('key_not_found');
        refuseFurther(row, granter);
        if (row.revokedAt) return;
        const at = now();
        await transaction.serviceKey.update({ where: { keyId }, data: { revokedAt: at } });
        const entry = { action: 'keys.revoke', target: targetOf(row) };
        await appendAudit(transaction, granter.actor, entry, at);
      }),
  };
};

const targetOf = ({ accountId, keyId }: ServiceKeyRow) => ({
  account_id: accountId,
  key_id: keyId,
});

const isOver = ({ revokedAt, expiresAt }: ServiceKeyRow, now: Date): boolean =>
  revokedAt !== null || (expiresAt !== null && expiresAt <= now);

/** What is on record of a key: never the key. */
const describe = (row: ServiceKeyRow) => {
  const { name, prefix, permissions, sandbox_ids, expires } = toKeyAnswer(row);
  return {
    ...{ name, prefix, permissions },
    ...(sandbox_ids && { sandbox_ids }),
    ...(expires && { expires }),
  };
};

const withKey = (row: ServiceKeyRow, key: string): KeyAnswer & { key: string } => ({
  ...toKeyAnswer(row),
  key,
});
