import type { AccountServices } from '../accounts/index.ts';
import { KeyInputs } from '../accounts/index.ts';
import { permittedProcedure, router, toGranter } from './trpc.ts';

export const createKeysRouter = ({ keys }: AccountServices) => {
  const procedure = permittedProcedure('key:manage');
  return router({
    list: procedure.query(async ({ ctx }) => ({
      service_accounts: await keys.list(toGranter(ctx)),
    })),
    createAccount: procedure
      .input(KeyInputs.createAccount)
      .mutation(({ ctx, input }) => keys.createAccount(ctx.actor, input)),
    removeAccount: procedure
      .input(KeyInputs.account)
      .mutation(({ ctx, input }) => keys.removeAccount(toGranter(ctx), input)),
    create: procedure
      .input(KeyInputs.create)
      .mutation(({ ctx, input }) => keys.create(toGranter(ctx), input)),
    rotate: procedure
      .input(KeyInputs.rotate)
      .mutation(({ ctx, input }) => keys.rotate(toGranter(ctx), input)),
    revoke: procedure
      .input(KeyInputs.key)
      .mutation(({ ctx, input }) => keys.revoke(toGranter(ctx), input)),
  });
};
