// Whether whoever made an invitation could make it still: it must not give more than they hold when it is taken.
import type { Role } from '@muster/contract';
import { coversAll, narrowToSandboxes, permits } from '@muster/contract';
import type { Prisma } from '@muster/database';
import { permissionsOf } from './person-caller.ts';
import type { PersonStore } from './person-store.ts';
import { toPerson } from './person-store.ts';

type Invitation = Prisma.AccountInvitationGetPayload<object>;

/**
 * A person by the role, a service account by any one of its keys that still works. An id that no account has or had is
 * the `sub` of a signed token, whose issuer alone knows what it is worth: its invitations stand.
 */
export const hasInviterStanding = async (
  database: PersonStore['reader'],
  { invitedBy, role, sandboxIds }: Invitation,
  now: Date,
): Promise<boolean> => {
  const granted = permissionsOf({
    role: role as Role,
    ...(sandboxIds.length > 0 && { sandboxIds }),
  });
  const isEnough = (held: string[]) => permits(held, ['people:manage']) && coversAll(held, granted);

  const row = await database.accountUser.findUnique({ where: { id: invitedBy } });
  if (row) {
    const person = toPerson(row);
    return !person.disabled && isEnough(permissionsOf(person));
  }
  const known = await database.accountName.findUnique({ where: { accountId: invitedBy } });
  if (!known) return true;
  if (known.kind !== 'service') return false;
  const keys = await database.serviceKey.findMany({
    where: {
      ...{ accountId: invitedBy, revokedAt: null },
      OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
    },
  });
  return keys.some((key) =>
    isEnough(
      narrowToSandboxes(key.permissions, key.sandboxIds.length > 0 ? key.sandboxIds : undefined),
    ),
  );
};
