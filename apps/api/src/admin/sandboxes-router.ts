import type { Catalogue } from '../catalogue/index.ts';
import { SandboxInputs } from '../catalogue/index.ts';
import { toSandboxAuthority } from './sandbox-authority.ts';
import { authenticatedProcedure, permittedProcedure, router, sandboxProcedure } from './trpc.ts';

export const createSandboxesRouter = ({ sandboxes }: Catalogue) =>
  router({
    create: permittedProcedure('sandbox:*')
      .input(SandboxInputs.create)
      .mutation(({ ctx, input }) => sandboxes.create(ctx.actor, input)),
    update: sandboxProcedure('sandbox:*')
      .input(SandboxInputs.update)
      .mutation(({ ctx, input }) =>
        sandboxes.update(ctx.actor, input, toSandboxAuthority(ctx.caller, input)),
      ),
    get: sandboxProcedure('sandbox:config:view', 'sandbox:config:edit').query(({ input }) =>
      sandboxes.get(input.sandbox_id),
    ),
    /** Lists what the caller may view, so that no permission is needed to ask. */
    list: authenticatedProcedure
      .input(SandboxInputs.list)
      .query(({ ctx, input }) => sandboxes.list(ctx.caller.permissions, input)),
  });
