import { DateTimeInput, text, Uuid } from '@muster/contract';
import { z } from 'zod';
import type { AsOfService } from '../versions/index.ts';
import { decodeCursor, encodeCursor, pageInput } from './paging.ts';
import { router, sandboxProcedure } from './trpc.ts';

const AsOfInput = z
  .object({
    kind: z.enum(['item', 'xp']),
    at: DateTimeInput.optional(),
    seq: z.int().min(0).optional(),
    name: text(0, 256).optional().meta({ description: 'Contained in the name that it had then.' }),
    ...pageInput,
  })
  .refine(({ at, seq }) => at === undefined || seq === undefined, {
    message: 'Either at or seq, not both',
    path: ['seq'],
  });

const Position = z
  .tuple([z.int().min(0), Uuid])
  .transform(([seq, recordId]) => ({ seq, recordId }));

export const createRecordsRouter = (asOf: AsOfService) =>
  router({
    asOf: sandboxProcedure('sandbox:config:view', 'sandbox:config:edit')
      .input(AsOfInput)
      .query(async ({ input }) => {
        const { sandbox_id: sandboxId, kind, at, seq, name, cursor, page_size } = input;
        const { records, as_of, next } = await asOf.list({
          ...{ sandboxId, kind, seq, name, pageSize: page_size },
          at: at === undefined ? undefined : new Date(at),
          after: decodeCursor(cursor, Position),
        });
        const position = next && encodeCursor([next.seq, next.recordId]);
        return { records, as_of, page_meta: { page_size, ...(position && { cursor: position }) } };
      }),
  });
