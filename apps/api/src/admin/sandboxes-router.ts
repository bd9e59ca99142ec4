// Sandboxes: their names and protection, and the differences between two of them.
import { DateTimeInput, Uuid } from '@muster/contract';
import { z } from 'zod';
import type { Catalogue, ComparePosition, CompareService } from '../catalogue/index.ts';
import { confirmation, SandboxInputs } from '../catalogue/index.ts';
import { decodeCursor, encodeCursor, pageInput, toPageMeta } from './pagination.ts';
import {
  asActor,
  asSandboxAuthority,
  authenticatedProcedure,
  permittedProcedure,
  router,
  sandboxProcedure,
  viewProcedure,
  withSource,
} from './trpc.ts';

const administer = sandboxProcedure('sandbox:*');
const administerConfirmed = administer.input(SandboxInputs.confirmed);

export const createSandboxesRouter = ({ sandboxes }: Catalogue) =>
  router({
    create: permittedProcedure('sandbox:*')
      .input(SandboxInputs.create)
      .mutation(asActor(sandboxes.create)),
    update: administer.input(SandboxInputs.update).mutation(asSandboxAuthority(sandboxes.update)),
    archive: administerConfirmed.mutation(asSandboxAuthority(sandboxes.archive)),
    unarchive: administer.mutation(asActor(sandboxes.unarchive)),
    delete: administerConfirmed.mutation(asSandboxAuthority(sandboxes.delete)),
    restore: administer.mutation(asActor(sandboxes.restore)),
    /** Only for owners, since nothing can undo it. */
    purge: permittedProcedure('*')
      .input(z.object({ sandbox_id: Uuid, ...confirmation }))
      .mutation(asSandboxAuthority(sandboxes.purge)),
    get: viewProcedure.query(({ input }) => sandboxes.get(input.sandbox_id)),
    /** Lists only what the caller may view, so it needs no permission. */
    list: authenticatedProcedure
      .input(SandboxInputs.list)
      .query(({ ctx, input }) => sandboxes.list(ctx.caller.permissions, input)),
  });

const Kind = z.enum(['item', 'xp']);

const ListInput = z.object({
  kind: Kind,
  status: z.enum(['only_source', 'only_target', 'different']).optional(),
  source_at: DateTimeInput.optional().meta({
    description: 'Compares a sandbox with itself at this time: both ids are then the same.',
  }),
  ...pageInput,
});

const Count = z.int().min(0);
const Position = z.tuple([Uuid, Count, Count, Count, Count]).transform(
  ([recordId, only_source, only_target, different, same]): ComparePosition => ({
    recordId,
    counts: { only_source, only_target, different, same },
  }),
);

const toCursor = ({ recordId, counts }: ComparePosition): string =>
  encodeCursor([recordId, counts.only_source, counts.only_target, counts.different, counts.same]);

export const createCompareRouter = (compare: CompareService) =>
  router({
    list: withSource(viewProcedure)
      .input(ListInput)
      .query(async ({ input, signal }) => {
        const { sandbox_id: target, source_sandbox_id: source, kind, status, page_size } = input;
        const sourceAt = input.source_at === undefined ? undefined : new Date(input.source_at);
        const { entries, counts, next } = await compare.list({
          target,
          source,
          sourceAt,
          kind,
          status,
          signal,
          after: decodeCursor(input.cursor, Position),
          pageSize: page_size,
        });
        return { entries, counts, page_meta: toPageMeta(page_size, next && toCursor(next)) };
      }),
  });
