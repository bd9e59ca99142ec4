// Maintenance: while it is on, the service refuses joins and changes.
import { text } from '@muster/contract';
import { z } from 'zod';
import type { Maintenance, MaintenanceState } from '../operations/index.ts';
import {
  DEFAULT_RETRY_AFTER_SECONDS,
  MAX_MAINTENANCE_REASON,
  MAX_RETRY_AFTER_SECONDS,
} from '../operations/index.ts';
import { authenticatedProcedure, isPlayer, NoInput, router, urgentProcedure } from './trpc.ts';

const SetMaintenanceInput = z.object({
  enabled: z.boolean(),
  reason: text(1, MAX_MAINTENANCE_REASON)
    .meta({ description: 'Shown in the web app and in the audit trail, not to players.' })
    .optional(),
  retry_after_seconds: z
    .int()
    .min(1)
    .max(MAX_RETRY_AFTER_SECONDS)
    .default(DEFAULT_RETRY_AFTER_SECONDS)
    .meta({ description: 'The lowest `Retry-After`; the highest is half as much again.' }),
});

export const createMaintenanceRouter = (maintenance: Pick<Maintenance, 'read' | 'set'>) =>
  router({
    get: authenticatedProcedure.input(NoInput).query(async ({ ctx }): Promise<MaintenanceState> => {
      const state = await maintenance.read();
      if (!isPlayer(ctx.caller)) return state;
      const { reason: _reason, account_id: _account, ...shown } = state;
      return shown;
    }),
    set: urgentProcedure('*')
      .input(SetMaintenanceInput)
      .mutation(({ ctx, input }) => {
        const { enabled, reason, retry_after_seconds: retryAfterSeconds } = input;
        return maintenance.set(ctx.actor, { enabled, reason, retryAfterSeconds });
      }),
  });
