import { Uuid } from '@muster/contract';
import { z } from 'zod';
import type { VerificationService } from '../verification/index.ts';
import { router, sandboxProcedure } from './trpc.ts';

const CheckInput = z.object({
  sandbox_id: Uuid,
  after_seq: z.int().min(0).default(0),
  limit: z.int().min(1).max(5000).default(5000),
});

export const createVerificationRouter = (verification: VerificationService) =>
  router({
    check: sandboxProcedure('sandbox:config:view', 'sandbox:config:edit')
      .input(CheckInput)
      .query(({ input }) => verification.check(input.sandbox_id, input.after_seq, input.limit)),
  });
