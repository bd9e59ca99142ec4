import { z } from 'zod';
import { narrowingOf } from '../auth/index.ts';
import { MAX_SERIES_MINUTES } from '../observability/index.ts';
import type { SystemService } from '../system/index.ts';
import { permittedProcedure, router } from './trpc.ts';

const SeriesInput = z
  .object({ minutes: z.int().min(1).max(MAX_SERIES_MINUTES).default(MAX_SERIES_MINUTES) })
  .prefault({});

export const createSystemRouter = (system: SystemService) => {
  const view = permittedProcedure('metrics:view');
  return router({
    get: view.query(({ ctx }) => system.get(narrowingOf(ctx.caller))),
    series: view.input(SeriesInput).query(({ input }) => system.readSeries(input.minutes)),
  });
};
