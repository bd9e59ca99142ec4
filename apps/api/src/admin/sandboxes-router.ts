import type { Catalogue } from '../catalogue/index.ts';
import { SandboxInputs } from '../catalogue/index.ts';
import { authenticatedProcedure, permittedProcedure, router } from './trpc.ts';

export const createSandboxesRouter = ({ sandboxes }: Catalogue) =>
  router({
    create: permittedProcedure('sandbox:*')
      .input(SandboxInputs.create)
      .mutation(({ ctx, input }) => sandboxes.create(ctx.actor, input)),
    /** Lists what the caller may view, so that no permission is needed to ask. */
    list: authenticatedProcedure
      .input(SandboxInputs.list)
      .query(({ ctx, input }) => sandboxes.list(ctx.caller.permissions, input)),
  });
