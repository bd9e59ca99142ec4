// Reads and writes the saved views of a sandbox.
import type { Database, Prisma } from '@muster/database';
import type { Actor, AuditEntry } from '../../platform/index.ts';
import { appendAudit, ServiceError } from '../../platform/index.ts';

export type ViewRow = Omit<Prisma.SavedViewGetPayload<object>, 'kind'> & { kind: 'item' | 'xp' };

type ViewPlace = Pick<ViewRow, 'sandboxId' | 'viewId'>;

/** The views of one sandbox within one transaction. */
export type ViewAccess = {
  find(viewId: string): Promise<ViewRow | null>;
  /** The views of one account that are not shared, of both kinds. */
  countOwn(ownerId: string): Promise<number>;
  countShared(): Promise<number>;
  create(view: Omit<ViewRow, 'sandboxId'>): Promise<ViewRow>;
  /** Null when another call has removed it. */
  change(viewId: string, members: Partial<Omit<ViewRow, keyof ViewPlace>>): Promise<ViewRow | null>;
  /** False when another call has removed it. */
  remove(viewId: string): Promise<boolean>;
  audit(actor: Actor, entry: AuditEntry, now: Date): Promise<void>;
};

export type ViewStore = {
  /** Errors: sandbox_not_found, also for a deleted one. */
  inTransaction<T>(
    sandboxId: string,
    work: (access: ViewAccess, sandbox: { archived: boolean }) => Promise<T>,
  ): Promise<T>;
  /** Those of the account, and the shared ones. */
  list(
    query: { sandboxId: string; kind: ViewRow['kind']; ownerId: string },
    limit: number,
  ): Promise<ViewRow[]>;
};

export const createViewStore = ({ prisma }: Pick<Database, 'prisma'>): ViewStore => ({
  inTransaction: (sandboxId, work) =>
    prisma.$transaction(async (transaction) => {
      const where = { sandboxId, deletedAt: null };
      const select = { archivedAt: true };
      const sandbox = await transaction.sandbox.findUnique({ where, select });
      if (!sandbox) throw new ServiceError('sandbox_not_found');
      const access = createViewAccess(transaction, sandboxId);
      return work(access, { archived: sandbox.archivedAt !== null });
    }),

  list: async ({ sandboxId, kind, ownerId }, limit) =>
    (await prisma.savedView.findMany({
      where: { sandboxId, kind, OR: [{ ownerId }, { shared: true }] },
      orderBy: [{ name: 'asc' }, { viewId: 'asc' }],
      take: limit,
    })) as ViewRow[],
});

const createViewAccess = (transaction: Prisma.TransactionClient, sandboxId: string): ViewAccess => {
  const views = transaction.savedView;
  const find = async (viewId: string) => {
    const where = { sandboxId_viewId: { sandboxId, viewId } };
    return (await views.findUnique({ where })) as ViewRow | null;
  };
  return {
    find,
    countOwn: (ownerId) => views.count({ where: { sandboxId, ownerId, shared: false } }),
    countShared: () => views.count({ where: { sandboxId, shared: true } }),
    create: async (view) => (await views.create({ data: { ...view, sandboxId } })) as ViewRow,
    async change(viewId, data) {
      const { count } = await views.updateMany({ where: { sandboxId, viewId }, data });
      return count === 0 ? null : find(viewId);
    },
    remove: async (viewId) => (await views.deleteMany({ where: { sandboxId, viewId } })).count > 0,
    audit: (actor, entry, now) => appendAudit(transaction, actor, { ...entry, sandboxId }, now),
  };
};
