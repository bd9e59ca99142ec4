// The permissions that an account has now, for work that the service does in its name later.
import type { Database } from '@muster/database';
import { toKeyCaller } from './api-key-store.ts';
import { permissionsOf } from './permissions.ts';
import { toPerson, workingKeys } from './person-store.ts';

/**
 * Of a person, or of all working keys of a service account. Null when the person is disabled, no key works, or there is no such account:
 * the permissions of a signed token are only in the token.
 */
export const createReadPermissions =
  ({ prisma }: Pick<Database, 'prisma'>, now: () => Date) =>
  async (accountId: string): Promise<readonly string[] | null> => {
    const user = await prisma.accountUser.findUnique({ where: { id: accountId } });
    if (user) {
      const person = toPerson(user);
      return person.disabled ? null : permissionsOf(person);
    }
    const at = now();
    const keys = await prisma.serviceKey.findMany({ where: { accountId, ...workingKeys(at) } });
    if (keys.length === 0) return null;
    return keys.flatMap((key) => toKeyCaller(key, at).permissions);
  };
