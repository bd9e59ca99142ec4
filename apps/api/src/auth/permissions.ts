// The caller of a request, its permissions, and what it may grant to others.
import type { Permission, Platform, Role } from '@muster/contract';
import {
  coversAll,
  createCoverage,
  JOIN_FOR_ANY,
  JOIN_FOR_SELF,
  narrowToSandboxes,
  permits,
  ROLES,
  VIEW_PEOPLE,
} from '@muster/contract';
import { forEachPaced } from '../flow/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { Person } from './person-store.ts';

/** The sender of a request, from the verified credential. Without `person` and `key` it is a token. */
export type Caller = {
  /** The player UUID of a player, or the account id of a service or an admin. */
  accountId: string;
  permissions: readonly string[];
  /** The platform that the token's issuer confirms. */
  platform?: Platform;
  /** For the log: the claims for permissions, when the token has none of them. */
  missingClaims?: readonly string[];
  /** A person who is signed in with a cookie. */
  person?: SignedInPerson;
  /** The API key of a service account. */
  key?: { keyId: string; sandboxIds?: readonly string[] };
};

type SignedInPerson = Pick<
  Person,
  'name' | 'email' | 'role' | 'sandboxIds' | 'mustChangePassword' | 'twoFactorEnabled'
> & {
  /** Distinguishes this sign-in from others of the same person. */
  signInId: string;
};

/** The sandboxes that the role or the key is restricted to; absent: every sandbox. */
export const sandboxScopeOf = ({ person, key }: Caller): readonly string[] | undefined =>
  person?.sandboxIds ?? key?.sandboxIds;

/** Whether the caller sees names of other people. A caller narrowed to sandboxes sees none. */
export const mayViewPeople = (caller: Caller): boolean =>
  sandboxScopeOf(caller) === undefined && permits(caller.permissions, VIEW_PEOPLE);

/**
 * Whether the caller is one human being: a signed-in person, or a player, whose token joins only for that player. API
 * keys and tokens of services act for many people.
 */
export const isIndividual = ({ permissions, person, key }: Caller): boolean =>
  person !== undefined ||
  (!key && permits(permissions, JOIN_FOR_SELF) && !permits(permissions, JOIN_FOR_ANY));

/** The permissions of a role in these sandboxes; absent: in every sandbox. */
export const permissionsOf = ({ role, sandboxIds }: RoleGrant): string[] =>
  narrowToSandboxes(ROLES[role], sandboxIds);

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

/** A one-time password only permits choosing a new password. */
export const refusePendingPassword = (caller: Caller): Caller => {
  if (caller.person?.mustChangePassword) {
    throw new ServiceError('password_change_required', { accountId: caller.accountId });
  }
  return caller;
};

/** Permissions, and their sandboxes; absent or empty: every sandbox. */
export type Grant = {
  permissions: readonly string[];
  sandboxIds?: readonly string[] | undefined;
};

export type RoleGrant = { role: Role; sandboxIds?: string[] };

/** Throws `grant_beyond_permissions` unless the held permissions include all of the role. */
export const refuseUncoveredRole = (held: readonly string[], grant: RoleGrant): void => {
  if (!coversAll(held, permissionsOf(grant))) throw new ServiceError('grant_beyond_permissions');
};

/** Throws `owner_not_narrowed`. */
export const refuseNarrowedOwner = ({ role, sandboxIds }: RoleGrant): void => {
  if (role === 'owner' && sandboxIds !== undefined) throw new ServiceError('owner_not_narrowed');
};

/** Throws `own_account`. */
export const refuseOwnAccount = (actorId: string, accountId: string): void => {
  if (actorId === accountId) throw new ServiceError('own_account');
};

/** Throws `last_owner` when `person` is the only owner who can sign in. */
export const refuseLastOwner = (person: Person, people: readonly Person[]): void => {
  const isOwner = (each: Person) => each.role === 'owner' && !each.disabled;
  const others = people.filter((each) => each.accountId !== person.accountId);
  if (isOwner(person) && !others.some(isOwner)) throw new ServiceError('last_owner');
};

/** Throws `grant_beyond_permissions` unless the holder has all permissions of each key. */
export const refuseUncoveredKeys = (holder: Grant, keys: readonly Grant[]): Promise<void> => {
  const coversKey = createKeyCoverage(holder);
  return forEachPaced(keys, (key) => {
    if (!coversKey(key)) throw new ServiceError('grant_beyond_permissions');
  });
};

/** Returns a check whether the holder, whose permissions are narrowed already, has all permissions of a key. */
export const createKeyCoverage = (holder: Grant): ((key: Grant) => boolean) => {
  const holdsAll = createCoverage(holder.permissions);
  const scope = readScope(holder);
  const held = scope && new Set(scope);
  return (key) => {
    const sandboxIds = readScope(key);
    if (!holdsAll(narrowToSandboxes(key.permissions, sandboxIds))) return false;
    if (!held || !key.permissions.some((name) => FILTERED_BY_SANDBOX.includes(name))) return true;
    return sandboxIds?.every((id) => held.has(id)) ?? false;
  };
};

/** These permissions name no sandbox, but show a narrowed account only its own sandboxes. */
const FILTERED_BY_SANDBOX: readonly string[] = [
  'audit:view',
  'metrics:view',
] satisfies readonly Permission[];

/** The sandboxes of a grant; undefined: every sandbox. */
export const readScope = ({ sandboxIds = [] }: Grant): readonly string[] | undefined =>
  sandboxIds.length > 0 ? sandboxIds : undefined;
