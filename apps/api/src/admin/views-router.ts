// Saved views of the lists of records.
import type { RequiredPermission } from '@muster/contract';
import { permits } from '@muster/contract';
import type { Catalogue } from '../catalogue/index.ts';
import { ViewInputs } from '../catalogue/index.ts';
import { router, viewProcedure as view } from './trpc.ts';

const SHARING: readonly RequiredPermission[] = ['sandbox:config:edit'];

type Called = {
  ctx: { caller: { permissions: readonly string[] } };
  input: { sandbox_id: string };
};

const mayShare = ({ ctx, input }: Called): boolean =>
  permits(ctx.caller.permissions, SHARING, input.sandbox_id);

export const createViewsRouter = ({ views }: Catalogue) =>
  router({
    list: view.input(ViewInputs.list).query(({ ctx, input }) => views.list(ctx.actor, input)),
    create: view
      .input(ViewInputs.create)
      .mutation(({ ctx, input }) => views.create(ctx.actor, input, mayShare({ ctx, input }))),
    update: view
      .input(ViewInputs.update)
      .mutation(({ ctx, input }) => views.update(ctx.actor, input, mayShare({ ctx, input }))),
    remove: view
      .input(ViewInputs.remove)
      .mutation(({ ctx, input }) => views.remove(ctx.actor, input, mayShare({ ctx, input }))),
  });
