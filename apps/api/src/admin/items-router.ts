import type { Catalogue } from '../catalogue/index.ts';
import { ItemInputs } from '../catalogue/index.ts';
import { toSandboxAuthority } from './sandbox-authority.ts';
import { router, sandboxProcedure } from './trpc.ts';

const view = sandboxProcedure('sandbox:config:view', 'sandbox:config:edit');
const edit = sandboxProcedure('sandbox:config:edit');

export const createItemsRouter = ({ items }: Catalogue) =>
  router({
    create: edit
      .input(ItemInputs.create)
      .mutation(({ ctx, input }) => items.create(ctx.actor, input)),
    update: edit
      .input(ItemInputs.update)
      .mutation(({ ctx, input }) => items.update(ctx.actor, input)),
    delete: edit
      .input(ItemInputs.delete)
      .mutation(({ ctx, input }) =>
        items.delete(ctx.actor, input, toSandboxAuthority(ctx.caller, input)),
      ),
    restore: edit
      .input(ItemInputs.restore)
      .mutation(({ ctx, input }) => items.restore(ctx.actor, input)),
    bulk: edit
      .input(ItemInputs.bulk)
      .mutation(({ ctx, input }) =>
        items.bulk(ctx.actor, input, toSandboxAuthority(ctx.caller, input)),
      ),
    get: view.input(ItemInputs.get).query(({ input }) => items.get(input)),
    list: view.input(ItemInputs.list).query(({ input }) => items.list(input)),
  });
