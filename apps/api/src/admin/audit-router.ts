// The audit trail: records of changes, newest first, with filters.
import { DateTimeInput, text, Uuid } from '@muster/contract';
import { z } from 'zod';
import type { Caller } from '../auth/index.ts';
import { mayViewPeople, sandboxScopeOf } from '../auth/index.ts';
import { cutPage } from '../catalogue/index.ts';
import { ServiceError } from '../platform/index.ts';
import type {
  AuditFilter,
  AuditPosition,
  AuditRow,
  AuditScope,
  AuditStore,
  ListedAuditRow,
} from './audit-list-store.ts';
import { decodeCursor, encodeCursor, Milliseconds, pageInput, toPageMeta } from './pagination.ts';
import { NoInput, permittedProcedure, router } from './trpc.ts';

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
    choices: view.input(NoInput).query(({ ctx }) => audit.listChoices(toAuditViewer(ctx.caller))),
    get: view
      .input(z.object({ audit_id: Uuid }))
      .query(({ ctx, input }) => audit.get(input.audit_id, toAuditViewer(ctx.caller))),
    list: view.input(ListAuditInput).query(async ({ ctx, input }) => {
      const { account_id, action, sandbox_id, target, from, to, cursor, page_size } = input;
      const { records, next } = await audit.list(
        {
          accountId: account_id,
          action,
          sandboxId: sandbox_id,
          target,
          from: from === undefined ? undefined : new Date(from),
          to: to === undefined ? undefined : new Date(to),
        },
        decodeCursor(cursor, Position),
        page_size,
        toAuditViewer(ctx.caller),
      );
      const position = next && encodeCursor([next.occurredAt.getTime(), next.auditId]);
      return { records, page_meta: toPageMeta(page_size, position) };
    }),
  });
};

/** The account that reads the audit trail. */
export type AuditViewer = {
  accountId: string;
  /** Absent: every sandbox. */
  sandboxIds?: readonly string[] | undefined;
  /** Whether names and e-mail addresses of other people are included. */
  seesPeople: boolean;
};

export const toAuditViewer = (caller: Caller): AuditViewer => ({
  accountId: caller.accountId,
  sandboxIds: sandboxScopeOf(caller),
  seesPeople: mayViewPeople(caller),
});

export type AuditView = {
  audit_id: string;
  /** RFC 3339. */
  occurred_at: string;
  account_id: string;
  /** The procedure, such as items.update. */
  action: string;
  sandbox_id?: string;
  target: Record<string, unknown>;
  /** The target's current name, or its name at the time of the change; null when only its ids are known. */
  target_name: string | null;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  reason?: string;
  request_id?: string;
  address?: string;
};

export type AuditService = ReturnType<typeof createAuditService>;

const MAX_CHOICES = 200;

/**
 * A viewer who is narrowed to sandboxes sees records of these sandboxes, by the viewer's account and about it, without
 * addresses of others and without ids of other sandboxes.
 */
export const createAuditService = (store: AuditStore) => ({
  /** Newest first. `next` is null on the last page. */
  async list(
    filter: Omit<AuditFilter, 'scope'>,
    after: AuditPosition | null,
    pageSize: number,
    viewer: AuditViewer,
  ) {
    const scope = scopeOf(viewer);
    // One extra row shows whether another page follows.
    const found = await store.list({ ...filter, scope }, after, pageSize + 1);
    const { page, last } = cutPage(found, pageSize, hasContents);
    const names = await store.findTargetNames(
      page.map((row) => redact(row, viewer)),
      viewer,
    );
    const records = page.map((row, index) => toView(row, names[index] ?? null, viewer));
    return { records, next: last ?? null };
  },
  /** Those of the records that the viewer may see, in their order. */
  async show(rows: readonly AuditRow[], viewer: AuditViewer): Promise<AuditView[]> {
    const visible = rows.filter((row) => concerns(row, viewer));
    const names = await store.findTargetNames(
      visible.map((row) => redact(row, viewer)),
      viewer,
    );
    return visible.map((row, index) => toView(row, names[index] ?? null, viewer));
  },
  /** Errors: audit_record_not_found, also for one that the viewer may not see. */
  async get(auditId: string, viewer: AuditViewer): Promise<AuditView> {
    const row = await store.find(auditId);
    if (!row || !concerns(row, viewer)) throw new ServiceError('audit_record_not_found');
    const [name] = await store.findTargetNames([redact(row, viewer)], viewer);
    return toView(row, name ?? null, viewer);
  },
  /** The first 200 accounts and actions with records, for filters; for a narrowed viewer, those of the newest records. */
  async listChoices(viewer: AuditViewer): Promise<{ account_ids: string[]; actions: string[] }> {
    const scope = scopeOf(viewer);
    if (scope) {
      const rows = await store.list({ scope }, null, MAX_CHOICES);
      const distinct = (values: string[]) => [...new Set(values)].sort();
      return {
        account_ids: distinct(rows.map(({ accountId }) => accountId)),
        actions: distinct(rows.map(({ action }) => action)),
      };
    }
    const [account_ids, actions] = await Promise.all([
      store.listValues('account_id', MAX_CHOICES),
      store.listValues('action', MAX_CHOICES),
    ]);
    return { account_ids, actions };
  },
});

const hasContents = (row: ListedAuditRow): row is ListedAuditRow & { fits: true } => row.fits;

const scopeOf = ({ accountId, sandboxIds }: AuditViewer): AuditScope | undefined =>
  sandboxIds && { accountId, sandboxIds };

/** The same as the predicates of the list. */
const concerns = (row: AuditRow, { accountId, sandboxIds }: AuditViewer): boolean =>
  sandboxIds === undefined ||
  (row.sandboxId !== null && sandboxIds.includes(row.sandboxId)) ||
  row.accountId === accountId ||
  row.target.account_id === accountId;

const toView = (full: AuditRow, targetName: string | null, viewer: AuditViewer): AuditView => {
  const row = redact(full, viewer);
  return {
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
  };
};

type Values = Record<string, unknown>;

/** Actions whose values before and after identify people. */
const OF_PEOPLE = /^(?:people|invitations|me|auth)\./;

const redact = (row: AuditRow, viewer: AuditViewer): AuditRow => {
  const { accountId, sandboxIds, seesPeople } = viewer;
  const isOwn = row.accountId === accountId;
  const hidesPeople =
    !seesPeople && OF_PEOPLE.test(row.action) && row.target.account_id !== accountId;
  const clean = (values: Values): Values => {
    const kept = hidesPeople ? omit(values, ['name', 'email', 'subject', 'identities']) : values;
    return sandboxIds ? withoutOtherSandboxes(kept, sandboxIds) : kept;
  };
  const isForeign = row.sandboxId !== null && sandboxIds?.includes(row.sandboxId) === false;
  return {
    ...row,
    target: clean(row.target),
    before: row.before && clean(row.before),
    after: row.after && clean(row.after),
    sandboxId: isForeign ? null : row.sandboxId,
    address: sandboxIds && !isOwn ? null : row.address,
  };
};

const omit = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));

/** Members with sandbox ids have these names: `sandbox_id`, `source_sandbox_id`, `sandbox_ids`. */
const withoutOtherSandboxes = (values: Values, sandboxIds: readonly string[]): Values => {
  const isOwn = (id: unknown) => sandboxIds.includes(String(id));
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (!/sandbox_ids?$/.test(name)) return [[name, value]];
      if (Array.isArray(value)) return [[name, value.filter(isOwn)]];
      return isOwn(value) ? [[name, value]] : [];
    }),
  );
};

/** The name in the record itself, for removed targets and for invitations. */
const readName = (values: Values | null): string | null => {
  const { name, email } = values ?? {};
  if (typeof name === 'string') return name;
  return typeof email === 'string' ? email : null;
};
