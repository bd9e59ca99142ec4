import { Uuid } from '@muster/contract';
import { z } from 'zod';
import type { VersionService, VersionWalk } from '../versions/index.ts';
import { VersionFilterInput } from '../versions/index.ts';
import { decodeCursor, encodeCursor, pageInput } from './paging.ts';
import { router, sandboxProcedure } from './trpc.ts';

const ListVersionsInput = VersionFilterInput.extend({
  sort_order: z.enum(['asc', 'desc']).default('desc'),
  ...pageInput,
});

const Walk = z
  .tuple([z.int(), z.int(), z.int(), z.int().nullable()])
  .transform(([position, low, high, total]): VersionWalk => {
    return { position, low, high, total: total ?? undefined };
  });

const view = sandboxProcedure('sandbox:config:view', 'sandbox:config:edit');

export const createVersionsRouter = (versions: VersionService) =>
  router({
    list: view.input(ListVersionsInput).query(async ({ input }) => {
      const { sandbox_id: sandboxId, sort_order: order, cursor, page_size, ...filter } = input;
      const walk = decodeCursor(cursor, Walk);
      const request = { sandboxId, filter, order, walk, pageSize: page_size };
      const { versions: page, next, total } = await versions.list(request);
      const { position, low, high } = next ?? {};
      return {
        versions: page,
        page_meta: {
          page_size,
          ...(next && { cursor: encodeCursor([position, low, high, total ?? null]) }),
          ...(total !== undefined && { total }),
        },
      };
    }),

    get: view
      .input(z.object({ version_id: Uuid }))
      .query(({ input }) => versions.get(input.sandbox_id, input.version_id)),

    diff: view
      .input(z.object({ from_version_id: Uuid.optional(), to_version_id: Uuid }))
      .query(({ input }) =>
        versions.diff(input.sandbox_id, input.from_version_id, input.to_version_id),
      ),
  });
