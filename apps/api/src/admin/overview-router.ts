// The overview of a sandbox, and the search across sandboxes.
import { permits, text, Uuid } from '@muster/contract';
import { z } from 'zod';
import type { SearchService } from '../catalogue/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { OverviewStore, SandboxCounts } from './overview-store.ts';
import { authenticatedProcedure, router, viewProcedure } from './trpc.ts';

export const createOverviewRouter = (overview: OverviewService) =>
  router({
    get: viewProcedure.query(({ ctx, input }) =>
      overview.get(ctx.caller.permissions, input.sandbox_id),
    ),
  });

type Overview = {
  counts: SandboxCounts;
  head_seq: number;
  /** Hexadecimal; absent before the first version. */
  head_hash?: string;
  /** In the whole service; absent for callers that may not view sessions. */
  live_sessions?: number;
  health: { database_ms: number };
};

export type OverviewService = ReturnType<typeof createOverviewService>;

export const createOverviewService = (store: OverviewStore) => ({
  /** Errors: sandbox_not_found. */
  async get(permissions: readonly string[], sandboxId: string): Promise<Overview> {
    const startedAt = performance.now();
    const sandbox = await store.findSandbox(sandboxId);
    const databaseMs = performance.now() - startedAt;
    if (!sandbox) throw new ServiceError('sandbox_not_found');
    const maySeeSessions = permits(permissions, ['session:view']);
    const [counts, liveSessions] = await Promise.all([
      store.countRecords(sandboxId),
      maySeeSessions ? store.countLiveSessions() : undefined,
    ]);
    return {
      counts,
      head_seq: sandbox.headSeq,
      ...(sandbox.headHash && { head_hash: sandbox.headHash.toString('hex') }),
      ...(liveSessions !== undefined && { live_sessions: liveSessions }),
      health: { database_ms: Math.round(databaseMs * 100) / 100 },
    };
  },
});

const FindInput = z.object({
  query: text(1, 128).refine((query) => query.trim() !== '', 'Must not be blank'),
  sandbox_id: Uuid.optional(),
});

export const createSearchRouter = (search: SearchService) =>
  router({
    /** Needs no permission, since it finds only records that the caller may view. */
    find: authenticatedProcedure
      .input(FindInput)
      .query(({ ctx, input }) =>
        search.find(ctx.caller.permissions, input.query, input.sandbox_id),
      ),
  });
