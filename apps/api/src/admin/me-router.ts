import type { Role } from '@muster/contract';
import type { AccountServices } from '../accounts/index.ts';
import { OwnAccountInputs } from '../accounts/index.ts';
import type { Caller } from '../auth/index.ts';
import { narrowingOf } from '../auth/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import { pendingPersonProcedure, personProcedure, publicProcedure, router } from './trpc.ts';

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

/** No cookie, or one whose sign-in is over. A bearer credential that is wrong stays an error. */
const NOBODY: ReadonlySet<string> = new Set(['auth_missing', 'auth_session_ended']);

export const createMeRouter = ({ ownAccount }: AccountServices) =>
  router({
    /** Who the credential says that the caller is. Answers also before a one-time password is changed. */
    get: pendingPersonProcedure.query(({ ctx }): Me => describeCaller(ctx.caller)),
    /** The same for a page that does not know whether somebody is signed in: nobody is null, not a refusal. */
    find: publicProcedure.query(({ ctx: { caller } }): Me | null => {
      if (!(caller instanceof ServiceError)) return describeCaller(caller);
      if (NOBODY.has(caller.code)) return null;
      throw caller;
    }),
    rename: personProcedure
      .input(OwnAccountInputs.rename)
      .mutation(({ ctx, input }) => ownAccount.rename(ctx.actor, input)),
    signIns: personProcedure.query(async ({ ctx }) => ({
      sign_ins: await ownAccount.listSignIns(ctx.caller.accountId, ctx.person.signInId),
    })),
    endSignIns: personProcedure
      .input(OwnAccountInputs.endSignIns)
      .mutation(({ ctx, input }) => ownAccount.endSignIns(ctx.actor, ctx.person.signInId, input)),
  });

const describeCaller = (caller: Caller): Me => {
  const { accountId, permissions, person, key } = caller;
  const sandboxIds = narrowingOf(caller);
  return {
    account_id: accountId,
    kind: person ? 'person' : key ? 'service' : 'token',
    permissions,
    ...(sandboxIds && { sandbox_ids: sandboxIds }),
    ...(person && {
      ...{ name: person.name, email: person.email, role: person.role },
      ...(person.mustChangePassword && { must_change_password: true as const }),
      two_factor_enabled: person.twoFactorEnabled,
    }),
  };
};
