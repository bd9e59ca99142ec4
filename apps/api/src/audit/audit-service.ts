// The audit list as auditors ask for it.
import { ServiceError } from '../errors/service-error.ts';
import type { AuditFilter, AuditListStore, AuditPosition, AuditRow } from './audit-list-store.ts';
import type { AuditTargetStore } from './audit-target-store.ts';

export type AuditView = {
  audit_id: string;
  /** RFC 3339. */
  occurred_at: string;
  account_id: string;
  /** The procedure, such as items.update. */
  action: string;
  sandbox_id?: string;
  target: Record<string, unknown>;
  /** What people call the target now, or called it when it was changed; null where only its ids are known. */
  target_name: string | null;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  reason?: string;
  request_id?: string;
  address?: string;
};

export type AuditPage = {
  records: AuditView[];
  /** Null on the last page. */
  next: AuditPosition | null;
};

export type AuditService = {
  /** Newest first. */
  list(filter: AuditFilter, after: AuditPosition | null, pageSize: number): Promise<AuditPage>;
  /** As `list` leaves out other sandboxes than these. Errors: audit_record_not_found. */
  get(auditId: string, sandboxIds?: readonly string[]): Promise<AuditView>;
  /** What there is to filter by: the first 200 accounts and actions that have records. */
  listChoices(): Promise<{ account_ids: string[]; actions: string[] }>;
};

const MAX_CHOICES = 200;

export const createAuditService = (
  store: AuditListStore,
  targets: AuditTargetStore,
): AuditService => ({
  async list(filter, after, pageSize) {
    // One more than the page holds tells whether another one follows.
    const found = await store.list(filter, after, pageSize + 1);
    const page = found.slice(0, pageSize);
    const next = found.length > pageSize ? page.at(-1) : undefined;
    const names = await targets.findNames(page);
    const records = page.map((row, index) => toView(row, names[index] ?? null));
    return { records, next: next ?? null };
  },
  async get(auditId, sandboxIds) {
    const row = await store.find(auditId);
    const isHidden = row?.sandboxId && sandboxIds && !sandboxIds.includes(row.sandboxId);
    if (!row || isHidden) throw new ServiceError('audit_record_not_found');
    const [name] = await targets.findNames([row]);
    return toView(row, name ?? null);
  },
  async listChoices() {
    const [account_ids, actions] = await Promise.all([
      store.listValues('account_id', MAX_CHOICES),
      store.listValues('action', MAX_CHOICES),
    ]);
    return { account_ids, actions };
  },
});

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

/** The name that a record itself keeps of what it changed: of what is gone, and of invitations. */
const readName = (values: Record<string, unknown> | null): string | null => {
  const { name, email } = values ?? {};
  if (typeof name === 'string') return name;
  return typeof email === 'string' ? email : null;
};
