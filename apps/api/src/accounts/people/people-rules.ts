// Who may do what to whom: rules without I/O.
import type { Role } from '@muster/contract';
import { coversAll } from '@muster/contract';
import { ServiceError } from '../../errors/service-error.ts';
import { permissionsOf } from './person-caller.ts';
import type { Person } from './person-store.ts';

export type RoleGrant = { role: Role; sandboxIds?: string[] };

/** Throws `grant_beyond_permissions`: nobody grants, or takes over, what they lack. */
export const refuseUncovered = (held: readonly string[], granted: readonly string[]): void => {
  if (!coversAll(held, granted)) throw new ServiceError('grant_beyond_permissions');
};

/** The same for all that a role permits. */
export const refuseBeyond = (held: readonly string[], grant: RoleGrant): void =>
  refuseUncovered(held, permissionsOf(grant));

/** Throws `owner_not_narrowed`. */
export const refuseNarrowedOwner = ({ role, sandboxIds }: RoleGrant): void => {
  if (role === 'owner' && sandboxIds !== undefined) throw new ServiceError('owner_not_narrowed');
};

/** Throws `own_account`. */
export const refuseOneself = (actorId: string, accountId: string): void => {
  if (actorId === accountId) throw new ServiceError('own_account');
};

/** Throws `last_owner` when `person` is the only owner who can sign in. */
export const refuseLastOwner = (person: Person, people: readonly Person[]): void => {
  const isOwner = (each: Person) => each.role === 'owner' && !each.disabled;
  const others = people.filter((each) => each.accountId !== person.accountId);
  if (isOwner(person) && !others.some(isOwner)) throw new ServiceError('last_owner');
};
