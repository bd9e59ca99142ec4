// Maintenance: while it is on, the service refuses joins and changes.
import { text } from '@muster/contract';
import { z } from 'zod';
import type { Maintenance } from '../platform/index.ts';
import {
  DEFAULT_RETRY_AFTER_SECONDS,
  MAX_MAINTENANCE_REASON,
  MAX_RETRY_AFTER_SECONDS,
} from '../platform/index.ts';
import { authenticatedProcedure, maintenanceProcedure, NoInput, router } from './trpc.ts';

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
    get: authenticatedProcedure.input(NoInput).query(() => maintenance.read()),
    set: maintenanceProcedure.input(SetMaintenanceInput).mutation(({ ctx, input }) => {
      const { enabled, reason, retry_after_seconds: retryAfterSeconds } = input;
      return maintenance.set(ctx.actor, { enabled, reason, retryAfterSeconds });
    }),
  });
