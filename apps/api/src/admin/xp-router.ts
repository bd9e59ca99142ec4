import type { Catalogue } from '../catalogue/index.ts';
import { XpInputs } from '../catalogue/index.ts';
import { toSandboxAuthority } from './sandbox-authority.ts';
import { router, sandboxProcedure } from './trpc.ts';

const view = sandboxProcedure('sandbox:config:view', 'sandbox:config:edit');
const edit = sandboxProcedure('sandbox:config:edit');

export const createXpRouter = ({ xp }: Catalogue) =>
  router({
    create: edit.input(XpInputs.create).mutation(({ ctx, input }) => xp.create(ctx.actor, input)),
    update: edit.input(XpInputs.update).mutation(({ ctx, input }) => xp.update(ctx.actor, input)),
    delete: edit
      .input(XpInputs.delete)
      .mutation(({ ctx, input }) =>
        xp.delete(ctx.actor, input, toSandboxAuthority(ctx.caller, input)),
      ),
    restore: edit
      .input(XpInputs.restore)
      .mutation(({ ctx, input }) => xp.restore(ctx.actor, input)),
    bulk: edit
      .input(XpInputs.bulk)
      .mutation(({ ctx, input }) =>
        xp.bulk(ctx.actor, input, toSandboxAuthority(ctx.caller, input)),
      ),
    get: view.input(XpInputs.get).query(({ input }) => xp.get(input)),
    list: view.input(XpInputs.list).query(({ input }) => xp.list(input)),
  });
