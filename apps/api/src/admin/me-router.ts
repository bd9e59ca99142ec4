import type { Role } from '@muster/contract';
import type { AccountServices } from '../accounts/index.ts';
import { OwnAccountInputs } from '../accounts/index.ts';
import type { Caller } from '../auth/index.ts';
import { narrowingOf } from '../auth/index.ts';
import { pendingPersonProcedure, personProcedure, router } from './trpc.ts';

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

export const createMeRouter = ({ ownAccount }: AccountServices) =>
  router({
    /** Who the credential says that the caller is. Answers also before a one-time password is changed. */
    get: pendingPersonProcedure.query(({ ctx }): Me => describeCaller(ctx.caller)),
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
