// Versions: lists, comparisons field by field, and verification of the hash chain.
import { Uuid } from '@muster/contract';
import { z } from 'zod';
import type { Pagination, Reader, VerificationService } from '../catalogue/index.ts';
import { VersionFilterInput } from '../catalogue/index.ts';
import { decodeCursor, encodeCursor, pageInput, toPageMeta } from './pagination.ts';
import { router, viewProcedure as view } from './trpc.ts';

const ListVersionsInput = VersionFilterInput.extend({
  sort_order: z.enum(['asc', 'desc']).default('desc'),
  ...pageInput,
});

const Seq = z.int().min(0);

const Position = z
  .tuple([Seq, Seq, Seq, Seq.nullable()])
  .transform(([position, low, high, total]): Pagination => {
    return { position, low, high, total: total ?? undefined };
  });

export const createVersionsRouter = (reader: Reader) =>
  router({
    list: view.input(ListVersionsInput).query(async ({ input }) => {
      const { sandbox_id: sandboxId, sort_order: order, cursor, page_size, ...filter } = input;
      const pagination = decodeCursor(cursor, Position);
      const request = { sandboxId, filter, order, pagination, pageSize: page_size };
      const { versions, next, total } = await reader.listVersions(request);
      const position = next && encodeCursor([next.position, next.low, next.high, total ?? null]);
      const page_meta = toPageMeta(page_size, position);
      return { versions, page_meta: { ...page_meta, ...(total !== undefined && { total }) } };
    }),

    get: view
      .input(z.object({ version_id: Uuid }))
      .query(({ input }) => reader.getVersion(input.sandbox_id, input.version_id)),

    diff: view
      .input(z.object({ from_version_id: Uuid.optional(), to_version_id: Uuid }))
      .query(({ input }) =>
        reader.diffVersions(input.sandbox_id, input.from_version_id, input.to_version_id),
      ),
  });

const CheckInput = z.object({
  sandbox_id: Uuid,
  after_seq: z.int().min(0).default(0),
  limit: z.int().min(1).max(5000).default(5000),
});

export const createVerificationRouter = (verification: VerificationService) =>
  router({
    check: view
      .input(CheckInput)
      .query(({ input, signal }) =>
        verification.check(input.sandbox_id, input.after_seq, input.limit, signal),
      ),
  });
