import type { OverviewService } from '../overview/index.ts';
import { router, sandboxProcedure } from './trpc.ts';

export const createOverviewRouter = (overview: OverviewService) =>
  router({
    get: sandboxProcedure('sandbox:config:view', 'sandbox:config:edit').query(({ ctx, input }) =>
      overview.get(ctx.caller.permissions, input.sandbox_id),
    ),
  });
