// For somebody who has the link and no account yet: the token in the input is the only proof there is.
import type { AccountServices } from '../accounts/index.ts';
import { InvitationInputs, limitInvitations } from '../accounts/index.ts';
import { publicProcedure, router } from './trpc.ts';

export const createInvitationsRouter = ({ invitations, throttle }: AccountServices) => {
  /** Guessing a token is hopeless; asking costs a hash, which is worth a limit. */
  const throttled = publicProcedure.use(async ({ ctx, next }) => {
    const rules = limitInvitations(ctx.address);
    await throttle.take(rules);
    const result = await next();
    if (result.ok) await throttle.giveBack(rules);
    return result;
  });
  return router({
    /** A mutation, though it changes nothing: the token of a query would be in the URL, and so in logs. */
    get: throttled
      .input(InvitationInputs.get)
      .mutation(({ input }) => invitations.get(input.token)),
    accept: throttled.input(InvitationInputs.accept).mutation(({ ctx, input }) => {
      const { requestId, address } = ctx;
      return invitations.accept({ requestId, ...(address && { address }) }, input);
    }),
  });
};
