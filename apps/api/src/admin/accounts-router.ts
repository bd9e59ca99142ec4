// The caller, people, invitations, and service accounts with their API keys.
import type { Role } from '@muster/contract';
import { text } from '@muster/contract';
import type { AccountServices, Caller } from '../auth/index.ts';
import {
  AccountNamesInput,
  InvitationInputs,
  KeyInputs,
  limitInvitations,
  mayViewPeople,
  OwnAccountInputs,
  PeopleInputs,
  sandboxScopeOf,
  toGrantor,
} from '../auth/index.ts';
import type { Catalogue } from '../catalogue/index.ts';
import { ServiceError } from '../platform/index.ts';
import { decodeCursor, encodeCursor, toPageMeta } from './pagination.ts';
import {
  asActor,
  asGrantor,
  authenticatedProcedure,
  NoInput,
  pendingPersonProcedure,
  permittedProcedure,
  personProcedure,
  publicProcedure,
  router,
  urgentProcedure,
} from './trpc.ts';

type Me = {
  account_id: string;
  kind: 'person' | 'service' | 'token';
  name?: string;
  email?: string;
  role?: Role;
  permissions: readonly string[];
  /** Absent: every sandbox. */
  sandbox_ids?: readonly string[];
  must_change_password?: true;
  two_factor_enabled?: boolean;
};

/** No cookie, or one whose sign-in has ended. A wrong bearer credential stays an error. */
const SIGNED_OUT: ReadonlySet<string> = new Set(['auth_missing', 'auth_session_ended']);

export const createMeRouter = ({ ownAccount }: AccountServices) =>
  router({
    /** The caller of the credential. Also works before a one-time password is changed. */
    get: pendingPersonProcedure.input(NoInput).query(({ ctx }): Me => toMe(ctx.caller)),
    /** The same for pages that do not know whether a person is signed in: null instead of an error. */
    find: publicProcedure.input(NoInput).query(({ ctx: { caller } }): Me | null => {
      if (!(caller instanceof ServiceError)) return toMe(caller);
      if (SIGNED_OUT.has(caller.code)) return null;
      throw caller;
    }),
    rename: personProcedure.input(OwnAccountInputs.rename).mutation(asActor(ownAccount.rename)),
    signIns: personProcedure.input(NoInput).query(async ({ ctx }) => ({
      sign_ins: await ownAccount.listSignIns(ctx.caller.accountId, ctx.person.signInId),
    })),
    identities: personProcedure.input(NoInput).query(async ({ ctx }) => ({
      identities: await ownAccount.listIdentities(ctx.caller.accountId),
    })),
    endSignIns: personProcedure
      .meta({ access: 'person', duringMaintenance: true })
      .input(OwnAccountInputs.endSignIns)
      .mutation(({ ctx, input }) => ownAccount.endSignIns(ctx.actor, ctx.person.signInId, input)),
  });

const toMe = (caller: Caller): Me => {
  const { accountId, permissions, person, key } = caller;
  const sandboxIds = sandboxScopeOf(caller);
  return {
    account_id: accountId,
    kind: person ? 'person' : key ? 'service' : 'token',
    permissions,
    ...(sandboxIds && { sandbox_ids: sandboxIds }),
    ...(person && {
      name: person.name,
      email: person.email,
      role: person.role,
      ...(person.mustChangePassword && { must_change_password: true as const }),
      two_factor_enabled: person.twoFactorEnabled,
    }),
  };
};

export const createPeopleRouter = ({ people, invitations }: AccountServices) => {
  const manage = permittedProcedure('people:manage');
  const urgent = urgentProcedure('people:manage');
  return router({
    list: manage.input(NoInput).query(async () => ({
      people: await people.list(),
      invitations: await invitations.list(),
    })),
    invite: manage
      .input(PeopleInputs.invite)
      .mutation(({ ctx, input }) => invitations.invite(toGrantor(ctx), input, ctx.origin)),
    revokeInvitation: urgent
      .input(PeopleInputs.revokeInvitation)
      .mutation(({ ctx, input }) => invitations.revoke(toGrantor(ctx), input.invitation_id)),
    setRole: manage.input(PeopleInputs.setRole).mutation(asGrantor(people.setRole)),
    setDisabled: urgent.input(PeopleInputs.setDisabled).mutation(asGrantor(people.setDisabled)),
    remove: manage.input(PeopleInputs.person).mutation(asGrantor(people.remove)),
    identities: manage.input(PeopleInputs.person).query(async ({ input }) => ({
      identities: await people.identities(input),
    })),
    removeIdentity: manage
      .input(PeopleInputs.removeIdentity)
      .mutation(asGrantor(people.removeIdentity)),
    resetPassword: urgent.input(PeopleInputs.person).mutation(asGrantor(people.resetPassword)),
    resetTwoFactor: urgent.input(PeopleInputs.person).mutation(asGrantor(people.resetTwoFactor)),
  });
};

/** For invited people without an account: the token in the input is the only proof. */
export const createInvitationsRouter = ({ invitations, throttle }: AccountServices) => {
  /** Only failures count, so that strangers behind the same address cannot lock out a person with a link. */
  const throttled = publicProcedure.use(async ({ ctx, next }) => {
    const result = await next();
    if (!result.ok) await throttle.take(limitInvitations(ctx.address));
    return result;
  });
  return router({
    /** A mutation without changes: a query would put the token in the URL, and so in logs. */
    get: throttled
      .meta({ access: 'public', duringMaintenance: true })
      .input(InvitationInputs.get)
      .mutation(({ input }) => invitations.get(input.token)),
    accept: throttled.input(InvitationInputs.accept).mutation(({ ctx, input }) => {
      const { requestId, address } = ctx;
      return invitations.accept({ requestId, ...(address && { address }) }, input);
    }),
  });
};

/** The last entry of a page of service accounts. A stored name may be older than the rules for new ones. */
const AccountName = text(1, 128);

export const createKeysRouter = ({ keys }: AccountServices) => {
  const manage = permittedProcedure('key:manage');
  return router({
    list: manage.input(KeyInputs.list).query(async ({ ctx, input }) => {
      const after = decodeCursor(input.cursor, AccountName) ?? undefined;
      const { accounts, next } = await keys.list(toGrantor(ctx), after, input.page_size);
      const cursor = next && encodeCursor(next);
      return { service_accounts: accounts, page_meta: toPageMeta(input.page_size, cursor) };
    }),
    use: manage.input(KeyInputs.key).query(({ ctx, input }) => keys.readUse(toGrantor(ctx), input)),
    createAccount: manage.input(KeyInputs.createAccount).mutation(asGrantor(keys.createAccount)),
    removeAccount: manage.input(KeyInputs.account).mutation(asGrantor(keys.removeAccount)),
    create: manage.input(KeyInputs.create).mutation(asGrantor(keys.create)),
    rotate: manage.input(KeyInputs.rotate).mutation(asGrantor(keys.rotate)),
    revoke: urgentProcedure('key:manage').input(KeyInputs.key).mutation(asGrantor(keys.revoke)),
  });
};

export const createAccountsRouter = (
  { findNames, signInMethods }: AccountServices,
  authors: Catalogue['authors'],
) =>
  router({
    /**
     * The people and service accounts with these ids, including removed ones. Unknown ids are left out, and so are
     * other people when the caller may not view people. A person with a narrowed role also sees the authors of versions in
     * these sandboxes.
     */
    names: authenticatedProcedure.input(AccountNamesInput).query(async ({ ctx, input }) => {
      const { caller } = ctx;
      const seesPeople = mayViewPeople(caller);
      const isHidden = ({ accountId, kind }: { accountId: string; kind: string }) =>
        !seesPeople && kind === 'person' && accountId !== caller.accountId;
      const all = await findNames(input.account_ids);
      const hidden = all.filter(isHidden).map(({ accountId }) => accountId);
      const known = caller.person
        ? await authors.findVisibleAuthors(caller.permissions, hidden)
        : new Set<string>();
      const found = all.filter((name) => !isHidden(name) || known.has(name.accountId));
      return {
        accounts: found.map(({ accountId, name, kind }) => ({ account_id: accountId, name, kind })),
      };
    }),
    /** The sign-in methods besides e-mail and password. */
    signInMethods: publicProcedure
      .input(NoInput)
      .query((): { oidc?: { name: string } } => signInMethods),
  });
