// Changes of people: each under the people lock, with its audit record in the same transaction.
import type { Prisma } from '@muster/database';
import type { z } from 'zod';
import type { Actor, AuditEntry } from '../../audit/index.ts';
import { appendAudit } from '../../audit/index.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { hashPassword, makeOneTimePassword } from './passwords.ts';
import type { PeopleInputs } from './people-inputs.ts';
import type { RoleGrant } from './people-rules.ts';
import {
  refuseBeyond,
  refuseLastOwner,
  refuseNarrowedOwner,
  refuseOneself,
} from './people-rules.ts';
import type { Person, PersonStore } from './person-store.ts';
import {
  endSignIns,
  lockPeople,
  replacePassword,
  revokeInvitationsOf,
  toPerson,
} from './person-store.ts';

/** Who asks, and what they hold: nobody grants or takes over what they lack. */
export type Granter = {
  actor: Actor;
  permissions: readonly string[];
  /** The sandboxes that the account is narrowed to; absent: every one. */
  sandboxIds?: readonly string[] | undefined;
};

type Input<Name extends keyof typeof PeopleInputs> = z.output<(typeof PeopleInputs)[Name]>;

export type PersonAnswer = {
  account_id: string;
  name: string;
  email: string;
  role: Person['role'];
  sandbox_ids?: string[];
  created: string;
  last_signed_in?: string;
  two_factor_enabled: boolean;
  disabled?: true;
};

/** Errors of every change: person_not_found, grant_beyond_permissions, and where it says so below. */
export const createPeopleService = (store: PersonStore, now: () => Date) => {
  /** Runs a change of one person, whom the granter covers, while no other person changes. */
  const change = (
    { actor, permissions }: Granter,
    accountId: string,
    work: (step: ChangeStep) => Promise<Omit<AuditEntry, 'target'> | null>,
  ): Promise<void> =>
    store.inTransaction(async (transaction) => {
      await lockPeople(transaction);
      const people = (await transaction.accountUser.findMany()).map(toPerson);
      const person = people.find((each) => each.accountId === accountId);
      if (!person) throw new ServiceError('person_not_found');
      refuseBeyond(permissions, person);
      const entry = await work({ transaction, person, people, at: now() });
      if (!entry) return;
      await appendAudit(transaction, actor, { ...entry, target: { account_id: accountId } }, now());
    });

  return {
    list: async (): Promise<PersonAnswer[]> => (await store.listPeople()).map(toAnswer),

    /** Errors: last_owner, owner_not_narrowed. Felt by the person with the next request. */
    setRole: (granter: Granter, input: Input<'setRole'>) =>
      change(granter, input.account_id, async ({ transaction, person, people, at }) => {
        const grant = toGrant(input);
        refuseNarrowedOwner(grant);
        refuseBeyond(granter.permissions, grant);
        if (grant.role !== 'owner') refuseLastOwner(person, people);
        if (isSameGrant(person, grant)) return null;
        await transaction.accountUser.update({
          where: { id: person.accountId },
          data: { role: grant.role, sandboxIds: grant.sandboxIds ?? [], updatedAt: at },
        });
        await revokeInvitationsOf(transaction, person.accountId);
        return { action: 'people.setRole', before: describe(person), after: describe(grant) };
      }),

    /** Errors: last_owner, own_account. Ends every sign-in of the person. */
    setDisabled: (granter: Granter, { account_id: accountId, disabled }: Input<'setDisabled'>) =>
      change(granter, accountId, async ({ transaction, person, people, at }) => {
        refuseOneself(granter.actor.accountId, accountId);
        if (disabled) refuseLastOwner(person, people);
        if (person.disabled === disabled) return null;
        await transaction.accountUser.update({
          where: { id: accountId },
          data: { disabledAt: disabled ? at : null, updatedAt: at },
        });
        if (disabled) await endSignIns(transaction, accountId);
        if (disabled) await revokeInvitationsOf(transaction, accountId);
        return { action: 'people.setDisabled', after: { disabled } };
      }),

    /** Errors: last_owner, own_account. The name stays, for histories and audit records. */
    remove: (granter: Granter, { account_id: accountId }: Input<'person'>) =>
      change(granter, accountId, async ({ transaction, person, people }) => {
        refuseOneself(granter.actor.accountId, accountId);
        refuseLastOwner(person, people);
        await endSignIns(transaction, accountId);
        await revokeInvitationsOf(transaction, accountId);
        await transaction.accountUser.delete({ where: { id: accountId } });
        return { action: 'people.remove', before: describe(person) };
      }),

    /** Errors: own_account. The one-time password is shown once; it ends every sign-in of the person. */
    resetPassword: async (granter: Granter, { account_id: accountId }: Input<'person'>) => {
      refuseOneself(granter.actor.accountId, accountId);
      const password = makeOneTimePassword();
      const hash = await hashPassword(password);
      await change(granter, accountId, async ({ transaction, at }) => {
        await replacePassword(transaction, accountId, hash, at);
        return { action: 'people.resetPassword' };
      });
      return { one_time_password: password };
    },

    /** For whoever lost the second factor and its backup codes. Ends every sign-in of the person. */
    resetTwoFactor: (granter: Granter, { account_id: accountId }: Input<'person'>) =>
      change(granter, accountId, async ({ transaction, person, at }) => {
        const { count } = await transaction.accountTwoFactor.deleteMany({
          where: { userId: accountId },
        });
        if (count === 0 && !person.twoFactorEnabled) return null;
        await transaction.accountUser.update({
          where: { id: accountId },
          data: { twoFactorEnabled: false, updatedAt: at },
        });
        await endSignIns(transaction, accountId);
        return { action: 'people.resetTwoFactor' };
      }),
  };
};

type ChangeStep = {
  transaction: Prisma.TransactionClient;
  person: Person;
  people: Person[];
  at: Date;
};

const toGrant = ({ role, sandbox_ids: sandboxIds }: Input<'setRole'>): RoleGrant => ({
  role,
  ...(sandboxIds && { sandboxIds }),
});

const isSameGrant = (before: RoleGrant, after: RoleGrant): boolean =>
  before.role === after.role &&
  [...(before.sandboxIds ?? [])].sort().join() === [...(after.sandboxIds ?? [])].sort().join();

const describe = ({ role, sandboxIds }: RoleGrant) => ({
  role,
  ...(sandboxIds && { sandbox_ids: sandboxIds }),
});

const toAnswer = (person: Person): PersonAnswer => ({
  account_id: person.accountId,
  name: person.name,
  email: person.email,
  ...describe(person),
  created: person.createdAt.toISOString(),
  ...(person.lastSignedInAt && { last_signed_in: person.lastSignedInAt.toISOString() }),
  two_factor_enabled: person.twoFactorEnabled,
  ...(person.disabled && { disabled: true }),
});
