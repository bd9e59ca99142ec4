import { DateTimeInput, text, Uuid } from '@muster/contract';
import { z } from 'zod';
import type { AuditPosition, AuditService } from '../audit/index.ts';
import { narrowingOf } from '../auth/index.ts';
import { decodeCursor, encodeCursor, Milliseconds, pageInput } from './paging.ts';
import { permittedProcedure, router } from './trpc.ts';

const ListAuditInput = z.object({
  account_id: text(1, 256).optional(),
  action: text(1, 128).optional(),
  sandbox_id: Uuid.optional(),
  target: text(1, 256).optional(),
  from: DateTimeInput.optional(),
  to: DateTimeInput.optional(),
  ...pageInput,
});

const Position = z
  .tuple([Milliseconds, Uuid])
  .transform(([at, auditId]): AuditPosition => ({ occurredAt: new Date(at), auditId }));

export const createAuditRouter = (audit: AuditService) => {
  const view = permittedProcedure('audit:view');
  return router({
    choices: view.query(() => audit.listChoices()),
    get: view
      .input(z.object({ audit_id: Uuid }))
      .query(({ ctx, input }) => audit.get(input.audit_id, narrowingOf(ctx.caller))),
    list: view.input(ListAuditInput).query(async ({ ctx, input }) => {
      const { account_id, action, sandbox_id, target, from, to, cursor, page_size } = input;
      const { records, next } = await audit.list(
        {
          ...{ accountId: account_id, action, sandboxId: sandbox_id, target },
          sandboxIds: narrowingOf(ctx.caller),
          from: from === undefined ? undefined : new Date(from),
          to: to === undefined ? undefined : new Date(to),
        },
        decodeCursor(cursor, Position),
        page_size,
      );
      const position = next && encodeCursor([next.occurredAt.getTime(), next.auditId]);
      return { records, page_meta: { page_size, ...(position && { cursor: position }) } };
    }),
  });
};
