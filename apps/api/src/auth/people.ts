// People who sign in: their roles, and changes to them, each with its audit record in the same transaction.
import { randomInt } from 'node:crypto';
import { boundedList, ROLE_NAMES, text, Uuid } from '@muster/contract';
import type { Prisma } from '@muster/database';
import { z } from 'zod';
import type { AuditEntry } from '../platform/index.ts';
import { appendAudit, ServiceError } from '../platform/index.ts';
import { hashPassword } from './better-auth.ts';
import type { ChangeContext, Grantor } from './grantor.ts';
import { confirmGrantor } from './grantor.ts';
import type { IdentityView } from './identities.ts';
import { listIdentities, removeIdentities } from './identities.ts';
import type { RoleGrant } from './permissions.ts';
import {
  refuseLastOwner,
  refuseNarrowedOwner,
  refuseOwnAccount,
  refuseUncoveredRole,
} from './permissions.ts';
import type { Person, PersonStore } from './person-store.ts';
import { endSignIns, replacePassword, revokeInvitationsOf, toPerson } from './person-store.ts';

const AccountId = text(1, 256);
/** Absent: every sandbox. */
export const SandboxIds = boundedList(Uuid, { min: 1, max: 100 })
  .transform((ids) => [...new Set(ids)])
  .optional();
/** Validated before it becomes lower case: U+212A KELVIN SIGN becomes the letter k. */
export const Email = z.string().trim().max(254).pipe(z.email().toLowerCase());

export const PeopleInputs = {
  invite: z.object({ email: Email, role: z.enum(ROLE_NAMES), sandbox_ids: SandboxIds }),
  revokeInvitation: z.object({ invitation_id: Uuid }),
  setRole: z.object({ account_id: AccountId, role: z.enum(ROLE_NAMES), sandbox_ids: SandboxIds }),
  setDisabled: z.object({ account_id: AccountId, disabled: z.boolean() }),
  person: z.object({ account_id: AccountId }),
  removeIdentity: z.object({ account_id: AccountId, identity_id: text(1, 256) }),
};

type Input<Name extends keyof typeof PeopleInputs> = z.output<(typeof PeopleInputs)[Name]>;

type PersonView = {
  account_id: string;
  name: string;
  email: string;
  role: Person['role'];
  sandbox_ids?: string[];
  created: string;
  last_signed_in?: string;
  two_factor_enabled: boolean;
  disabled?: true;
  /**
   * The number of service accounts that the person made and whose keys work. They still work when the person is demoted, disabled or
   * removed. Absent without any.
   */
  service_accounts?: number;
};

/** Every change may fail with person_not_found or grant_beyond_permissions, besides the errors that it lists. */
export const createPeopleService = (store: PersonStore, now: () => Date) => {
  /** Changes one person whose permissions the grantor also has. Changes to people are serialised. */
  const change = (
    asked: Grantor,
    accountId: string,
    work: (context: PersonChange) => Promise<Omit<AuditEntry, 'target'> | null>,
  ): Promise<void> =>
    store.inTransaction(async (transaction) => {
      const grantor = await confirmGrantor(transaction, asked, 'people:manage', now);
      const people = (await transaction.accountUser.findMany()).map(toPerson);
      const person = people.find((each) => each.accountId === accountId);
      if (!person) throw new ServiceError('person_not_found');
      refuseUncoveredRole(grantor.permissions, person);
      const entry = await work({ transaction, grantor, person, people, at: now() });
      if (!entry) return;
      const target = { account_id: accountId };
      await appendAudit(transaction, grantor.actor, { ...entry, target }, now());
    });

  return {
    list: async (): Promise<PersonView[]> => {
      const people = await store.listPeople();
      const ids = people.map(({ accountId }) => accountId);
      const made = await store.countServiceAccounts(ids, now());
      return people.map((person) => toView(person, made.get(person.accountId)));
    },

    /** Errors: last_owner, owner_not_narrowed. Takes effect with the person's next request. */
    setRole: (asked: Grantor, input: Input<'setRole'>) =>
      change(asked, input.account_id, async ({ transaction, grantor, person, people, at }) => {
        const grant = readGrant(input);
        refuseNarrowedOwner(grant);
        refuseUncoveredRole(grantor.permissions, grant);
        if (grant.role !== 'owner') refuseLastOwner(person, people);
        if (isSameGrant(person, grant)) return null;
        await transaction.accountUser.update({
          where: { id: person.accountId },
          data: { role: grant.role, sandboxIds: grant.sandboxIds ?? [], updatedAt: at },
        });
        await revokeInvitationsOf(transaction, person.accountId);
        return {
          action: 'people.setRole',
          before: describeGrant(person),
          after: describeGrant(grant),
        };
      }),

    /** Errors: last_owner, own_account. Ends every sign-in of the person. */
    setDisabled: (grantor: Grantor, { account_id: accountId, disabled }: Input<'setDisabled'>) =>
      change(grantor, accountId, async ({ transaction, person, people, at }) => {
        refuseOwnAccount(grantor.actor.accountId, accountId);
        if (disabled) refuseLastOwner(person, people);
        if (person.disabled === disabled) return null;
        await transaction.accountUser.update({
          where: { id: accountId },
          data: { disabledAt: disabled ? at : null, updatedAt: at },
        });
        // Also when enabled again: a sign-in at the moment of the disabling may have been left.
        await endSignIns(transaction, accountId);
        if (disabled) await revokeInvitationsOf(transaction, accountId);
        return { action: 'people.setDisabled', after: { disabled } };
      }),

    /** Errors: last_owner, own_account. The name stays, for histories and audit records, and so do service accounts. */
    remove: (grantor: Grantor, { account_id: accountId }: Input<'person'>) =>
      change(grantor, accountId, async ({ transaction, person, people }) => {
        refuseOwnAccount(grantor.actor.accountId, accountId);
        refuseLastOwner(person, people);
        // A sign-in locks the identity before the person. The same order here prevents a deadlock.
        await removeIdentities(transaction, accountId);
        await endSignIns(transaction, accountId);
        await revokeInvitationsOf(transaction, accountId);
        await transaction.accountUser.delete({ where: { id: accountId } });
        return { action: 'people.remove', before: describeGrant(person) };
      }),

    /** The single sign-on identities of the person, the oldest first. Empty for an unknown account. */
    identities: ({ account_id: accountId }: Input<'person'>): Promise<IdentityView[]> =>
      listIdentities(store.reader, accountId),

    /**
     * Ends every sign-in of the person, since a session does not record how it was opened. The next identity with the person's
     * verified e-mail address is linked: an owner removes one identity to permit another. Errors: identity_not_found.
     */
    removeIdentity: (grantor: Grantor, input: Input<'removeIdentity'>) =>
      change(grantor, input.account_id, async ({ transaction, person: { accountId } }) => {
        const [removed] = await removeIdentities(transaction, accountId, input.identity_id);
        if (!removed) throw new ServiceError('identity_not_found');
        await endSignIns(transaction, accountId);
        return { action: 'people.removeIdentity', before: removed };
      }),

    /**
     * Errors: own_account. The one-time password is shown once. Ends every sign-in of the person and removes the single sign-on
     * identities.
     */
    resetPassword: async (grantor: Grantor, { account_id: accountId }: Input<'person'>) => {
      refuseOwnAccount(grantor.actor.accountId, accountId);
      const password = makeOneTimePassword();
      const hash = await hashPassword(password);
      await change(grantor, accountId, async ({ transaction, at }) => {
        const identities = await removeIdentities(transaction, accountId);
        await replacePassword(transaction, accountId, hash, at);
        return { action: 'people.resetPassword', ...describeRemoved(identities) };
      });
      return { one_time_password: password };
    },

    /**
     * For a person who lost the second factor and its backup codes. Ends every sign-in of the person and removes the single
     * sign-on identities. Errors: own_account, since turning off one's own second factor needs the password.
     */
    resetTwoFactor: (grantor: Grantor, { account_id: accountId }: Input<'person'>) =>
      change(grantor, accountId, async ({ transaction, person, at }) => {
        refuseOwnAccount(grantor.actor.accountId, accountId);
        const isRemoved = await removeSecondFactor(transaction, accountId, at);
        const identities = await removeIdentities(transaction, accountId);
        if (!isRemoved && !person.twoFactorEnabled && identities.length === 0) return null;
        await endSignIns(transaction, accountId);
        return { action: 'people.resetTwoFactor', ...describeRemoved(identities) };
      }),
  };
};

/** Returns false when there was none. The caller ends the person's sign-ins. */
export const removeSecondFactor = async (
  transaction: Prisma.TransactionClient,
  accountId: string,
  at: Date,
): Promise<boolean> => {
  const { count } = await transaction.accountTwoFactor.deleteMany({ where: { userId: accountId } });
  await transaction.accountUser.updateMany({
    where: { id: accountId, twoFactorEnabled: true },
    data: { twoFactorEnabled: false, updatedAt: at },
  });
  return count > 0;
};

const describeRemoved = (identities: Awaited<ReturnType<typeof removeIdentities>>) =>
  identities.length > 0 ? { before: { identities } } : {};

type PersonChange = ChangeContext & { person: Person; people: Person[] };

type GrantInput = Pick<Input<'setRole'>, 'role' | 'sandbox_ids'>;

export const readGrant = ({ role, sandbox_ids: sandboxIds }: GrantInput): RoleGrant => ({
  role,
  ...(sandboxIds && { sandboxIds }),
});

const isSameGrant = (before: RoleGrant, after: RoleGrant): boolean =>
  before.role === after.role &&
  [...(before.sandboxIds ?? [])].sort().join() === [...(after.sandboxIds ?? [])].sort().join();

export const describeGrant = ({ role, sandboxIds }: RoleGrant) => ({
  role,
  ...(sandboxIds && { sandbox_ids: sandboxIds }),
});

const toView = (person: Person, serviceAccounts: number | undefined): PersonView => ({
  account_id: person.accountId,
  name: person.name,
  email: person.email,
  ...describeGrant(person),
  created: person.createdAt.toISOString(),
  ...(person.lastSignedInAt && { last_signed_in: person.lastSignedInAt.toISOString() }),
  two_factor_enabled: person.twoFactorEnabled,
  ...(person.disabled && { disabled: true }),
  ...(serviceAccounts !== undefined && { service_accounts: serviceAccounts }),
});

/** Without characters that look alike, since people type these passwords from a terminal. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** 20 of 54 letters: 115 bits. */
export const makeOneTimePassword = (): string => {
  const group = () => Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return [group(), group(), group(), group()].join('-');
};
