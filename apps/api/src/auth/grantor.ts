// The caller of a change to people or keys, who can neither grant nor take over permissions that the caller lacks.
import type { Permission } from '@muster/contract';
import { permits } from '@muster/contract';
import type { Prisma } from '@muster/database';
import type { Actor } from '../platform/index.ts';
import { ServiceError } from '../platform/index.ts';
import { toKeyCaller } from './api-key-store.ts';
import type { Caller, Grant } from './permissions.ts';
import { sandboxScopeOf, toCaller } from './permissions.ts';
import { lockAccounts, toPerson } from './person-store.ts';

export type Grantor = Grant & { actor: Actor; caller: Caller };

export const toGrantor = ({ actor, caller }: { actor: Actor; caller: Caller }): Grantor => ({
  actor,
  caller,
  permissions: caller.permissions,
  sandboxIds: sandboxScopeOf(caller),
});

/** The context of a change to people or keys. */
export type ChangeContext = {
  transaction: Prisma.TransactionClient;
  /** The caller with its current permissions. */
  grantor: Grantor;
  at: Date;
};

/**
 * Begins a change to people or keys: waits for all other such changes, then reads the caller's permissions again. Since
 * the request arrived, another process may have lowered the role or revoked the key. Throws `auth_session_ended`,
 * `auth_token_unknown`, `auth_token_expired`, `insufficient_permissions`.
 */
export const confirmGrantor = async (
  transaction: Prisma.TransactionClient,
  { actor, caller }: Grantor,
  required: Permission,
  now: () => Date,
): Promise<Grantor> => {
  await lockAccounts(transaction);
  const current = await readCaller(transaction, caller, now);
  if (!permits(current.permissions, [required])) throw new ServiceError('insufficient_permissions');
  return toGrantor({ actor, caller: current });
};

/** The permissions of a signed token are in the token. */
const readCaller = async (
  transaction: Prisma.TransactionClient,
  caller: Caller,
  now: () => Date,
): Promise<Caller> => {
  const { accountId, key, person } = caller;
  if (key) {
    const row = await transaction.serviceKey.findUnique({ where: { keyId: key.keyId } });
    return toKeyCaller(row, now());
  }
  if (!person) return caller;
  const signIn = await transaction.accountSession.findUnique({
    where: { id: person.signInId, userId: accountId },
    include: { user: true },
  });
  if (!signIn || signIn.user.disabledAt) throw new ServiceError('auth_session_ended');
  return toCaller(toPerson(signIn.user), person.signInId);
};
