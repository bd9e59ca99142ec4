import { SessionTypeInput, ShortId } from '@muster/contract';
import { z } from 'zod';
import type { SessionTypeService } from '../session-types/index.ts';
import { permittedProcedure, router } from './trpc.ts';

export const createSessionTypesRouter = (types: SessionTypeService) =>
  router({
    upsert: permittedProcedure('session:*')
      .input(SessionTypeInput)
      .mutation(({ ctx, input }) => types.upsertType(ctx.actor, input)),

    get: permittedProcedure('session:view')
      .input(z.object({ type: ShortId }))
      .query(({ input }) => types.getType(input.type)),

    list: permittedProcedure('session:view').query(async () => ({
      session_types: await types.listTypes(),
    })),
  });
