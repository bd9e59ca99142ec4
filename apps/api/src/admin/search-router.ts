import { text, Uuid } from '@muster/contract';
import { z } from 'zod';
import type { SearchService } from '../search/index.ts';
import { authenticatedProcedure, router } from './trpc.ts';

const FindInput = z.object({
  query: text(1, 128).refine((query) => query.trim() !== '', 'Must not be blank'),
  sandbox_id: Uuid.optional(),
});

export const createSearchRouter = (search: SearchService) =>
  router({
    /** Finds only what the caller may view, so that no permission is needed to ask. */
    find: authenticatedProcedure
      .input(FindInput)
      .query(({ ctx, input }) =>
        search.find(ctx.caller.permissions, input.query, input.sandbox_id),
      ),
  });
