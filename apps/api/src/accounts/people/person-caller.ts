import { narrowToSandboxes, ROLES } from '@muster/contract';
import type { Caller } from '../../auth/index.ts';
import type { Person } from './person-store.ts';

/** What the role of a person permits, narrowed to the chosen sandboxes. */
export const permissionsOf = ({
  role,
  sandboxIds,
}: Pick<Person, 'role' | 'sandboxIds'>): string[] => narrowToSandboxes(ROLES[role], sandboxIds);

export const toCaller = (person: Person, signInId: string): Caller => ({
  accountId: person.accountId,
  permissions: permissionsOf(person),
  person: {
    signInId,
    name: person.name,
    email: person.email,
    role: person.role,
    ...(person.sandboxIds && { sandboxIds: person.sandboxIds }),
    mustChangePassword: person.mustChangePassword,
    twoFactorEnabled: person.twoFactorEnabled,
  },
});
