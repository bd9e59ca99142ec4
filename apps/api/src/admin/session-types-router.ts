import { SessionTypeInput } from '@muster/contract';
import type { SessionTypeService } from '../session-types/index.ts';
import { permittedProcedure, router } from './trpc.ts';

export const createSessionTypesRouter = (types: SessionTypeService) =>
  router({
    upsert: permittedProcedure('session:*')
      .input(SessionTypeInput)
      .mutation(({ ctx, input }) => types.upsertType(ctx.actor, input)),

    list: permittedProcedure('session:view').query(async () => ({
      session_types: await types.listTypes(),
    })),
  });
