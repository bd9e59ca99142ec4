// The audit trail: records of changes, newest first, with filters.
import { DateTimeInput, text, Uuid } from '@muster/contract';
import { z } from 'zod';
import { sandboxScopeOf } from '../auth/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { AuditFilter, AuditPosition, AuditRow, AuditStore } from './audit-list-store.ts';
import { decodeCursor, encodeCursor, Milliseconds, pageInput, toPageMeta } from './pagination.ts';
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
      .query(({ ctx, input }) => audit.get(input.audit_id, sandboxScopeOf(ctx.caller))),
    list: view.input(ListAuditInput).query(async ({ ctx, input }) => {
      const { account_id, action, sandbox_id, target, from, to, cursor, page_size } = input;
      const { records, next } = await audit.list(
        {
          ...{ accountId: account_id, action, sandboxId: sandbox_id, target },
          sandboxIds: sandboxScopeOf(ctx.caller),
          from: from === undefined ? undefined : new Date(from),
          to: to === undefined ? undefined : new Date(to),
        },
        decodeCursor(cursor, Position),
        page_size,
      );
      const position = next && encodeCursor([next.occurredAt.getTime(), next.auditId]);
      return { records, page_meta: toPageMeta(page_size, position) };
    }),
  });
};

export type AuditView = {
  audit_id: string;
  /** RFC 3339. */
  occurred_at: string;
  account_id: string;
  /** The procedure, such as items.update. */
  action: string;
  sandbox_id?: string;
  target: Record<string, unknown>;
  /** The target's name now, or when it was changed; null where only its ids are known. */
  target_name: string | null;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  reason?: string;
  request_id?: string;
  address?: string;
};

export type AuditService = ReturnType<typeof createAuditService>;

const MAX_CHOICES = 200;

export const createAuditService = (store: AuditStore) => ({
  /** Newest first. `next` is null on the last page. */
  async list(filter: AuditFilter, after: AuditPosition | null, pageSize: number) {
    // One row more than the page holds shows whether another page follows.
    const found = await store.list(filter, after, pageSize + 1);
    const page = cutByBytes(found.slice(0, pageSize));
    const next = found.length > page.length ? page.at(-1) : undefined;
    const names = await store.findTargetNames(page);
    const records = page.map((row, index) => toView(row, names[index] ?? null));
    const position: AuditPosition | null = next ?? null;
    return { records, next: position };
  },
  /** Hides records of sandboxes other than these. Errors: audit_record_not_found. */
  async get(auditId: string, sandboxIds?: readonly string[]): Promise<AuditView> {
    const row = await store.find(auditId);
    const isHidden = row?.sandboxId && sandboxIds && !sandboxIds.includes(row.sandboxId);
    if (!row || isHidden) throw new ServiceError('audit_record_not_found');
    const [name] = await store.findTargetNames([row]);
    return toView(row, name ?? null);
  },
  /** The first 200 accounts and actions that have records, for filters. */
  async listChoices(): Promise<{ account_ids: string[]; actions: string[] }> {
    const [account_ids, actions] = await Promise.all([
      store.listValues('account_id', MAX_CHOICES),
      store.listValues('action', MAX_CHOICES),
    ]);
    return { account_ids, actions };
  },
});

/** A record of a bulk names a thousand targets. The one that goes beyond is the last one of its page. */
const PAGE_LENGTH = 2 * 1_048_576;

const cutByBytes = (rows: readonly AuditRow[]): AuditRow[] => {
  let length = 0;
  const end = rows.findIndex(({ target, before, after }) => {
    length += JSON.stringify([target, before, after]).length;
    return length >= PAGE_LENGTH;
  });
  return end < 0 ? [...rows] : rows.slice(0, end + 1);
};

const toView = (row: AuditRow, targetName: string | null): AuditView => ({
  audit_id: row.auditId,
  occurred_at: row.occurredAt.toISOString(),
  account_id: row.accountId,
  action: row.action,
  ...(row.sandboxId !== null && { sandbox_id: row.sandboxId }),
  target: row.target,
  target_name: targetName ?? readName(row.after) ?? readName(row.before),
  ...(row.before && { before: row.before }),
  ...(row.after && { after: row.after }),
  ...(row.reason !== null && { reason: row.reason }),
  ...(row.requestId !== null && { request_id: row.requestId }),
  ...(row.address !== null && { address: row.address }),
});

/** The name in the record itself, for targets that are removed, and for invitations. */
const readName = (values: Record<string, unknown> | null): string | null => {
  const { name, email } = values ?? {};
  if (typeof name === 'string') return name;
  return typeof email === 'string' ? email : null;
};
