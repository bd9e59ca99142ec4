import type { AccountServices } from '../accounts/index.ts';
import { PeopleInputs } from '../accounts/index.ts';
import { permittedProcedure, router, toGranter } from './trpc.ts';

export const createPeopleRouter = ({ people, invitations }: AccountServices) => {
  const procedure = permittedProcedure('people:manage');
  return router({
    list: procedure.query(async () => ({
      people: await people.list(),
      invitations: await invitations.list(),
    })),
    invite: procedure
      .input(PeopleInputs.invite)
      .mutation(({ ctx, input }) => invitations.invite(toGranter(ctx), input, ctx.origin)),
    revokeInvitation: procedure
      .input(PeopleInputs.revokeInvitation)
      .mutation(({ ctx, input }) => invitations.revoke(toGranter(ctx), input.invitation_id)),
    setRole: procedure
      .input(PeopleInputs.setRole)
      .mutation(({ ctx, input }) => people.setRole(toGranter(ctx), input)),
    setDisabled: procedure
      .input(PeopleInputs.setDisabled)
      .mutation(({ ctx, input }) => people.setDisabled(toGranter(ctx), input)),
    remove: procedure
      .input(PeopleInputs.person)
      .mutation(({ ctx, input }) => people.remove(toGranter(ctx), input)),
    resetPassword: procedure
      .input(PeopleInputs.person)
      .mutation(({ ctx, input }) => people.resetPassword(toGranter(ctx), input)),
    resetTwoFactor: procedure
      .input(PeopleInputs.person)
      .mutation(({ ctx, input }) => people.resetTwoFactor(toGranter(ctx), input)),
  });
};
