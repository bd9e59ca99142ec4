import assert from 'node:assert/strict';
import { z } from 'zod';
import type { Context } from '../target/context.ts';

const AdminError = z.object({
  error: z.object({
    data: z.looseObject({
      httpStatus: z.int(),
      error_code: z.string(),
      detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])) })).optional(),
    }),
  }),
});

/** The admin API refuses the input with a 4xx; gives the error's data. */
export const expectAdminRefusal = async (
  context: Context,
  procedure: string,
  input: unknown,
): Promise<z.infer<typeof AdminError>['error']['data']> => {
  const answer = await context.tryMutation(procedure, input);
  assert.ok(answer.status >= 400 && answer.status < 500, `${procedure}: ${answer.status}, not 4xx`);
  return AdminError.parse(answer.body).error.data;
};
