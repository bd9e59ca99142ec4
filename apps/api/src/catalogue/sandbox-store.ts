import type { Database } from '@muster/database';
import type { Actor } from '../platform/index.ts';
import { appendAudit } from '../platform/index.ts';
import { LOCK_SANDBOX } from './catalogue-store.ts';
import type { ListPosition } from './pagination.ts';
import type { ProtectedState } from './sandbox-rules.ts';

export type Sandbox = {
  sandboxId: string;
  name: string;
  protected: boolean;
  createdAt: Date;
  headSeq: bigint;
  headHash: Uint8Array | null;
  itemVersions: bigint;
  xpVersions: bigint;
};

export type SandboxStore = {
  /** False when the id is taken. */
  create(
    actor: Actor,
    sandbox: Pick<Sandbox, 'sandboxId' | 'name' | 'createdAt'>,
  ): Promise<boolean>;
  /** `decide` is asked under the lock of the row. Null when there is no such sandbox. */
  update(
    actor: Actor,
    sandboxId: string,
    decide: (current: ProtectedState) => ProtectedState,
    now: Date,
  ): Promise<Sandbox | null>;
  find(sandboxId: string): Promise<Sandbox | null>;
  /** By name, then by id; `ids` limits them to these. */
  list(query: {
    ids: string[] | undefined;
    after: ListPosition | undefined;
    limit: number;
  }): Promise<Sandbox[]>;
};

export const createSandboxStore = ({ prisma }: Pick<Database, 'prisma'>): SandboxStore => ({
  create: (actor, sandbox) =>
    prisma.$transaction(async (transaction) => {
      const { count } = await transaction.sandbox.createMany({
        data: sandbox,
        skipDuplicates: true,
      });
      if (count === 0) return false;
      const { sandboxId, name, createdAt } = sandbox;
      const target = { sandbox_id: sandboxId };
      const entry = { action: 'sandboxes.create', sandboxId, target, after: { name } };
      await appendAudit(transaction, actor, entry, createdAt);
      return true;
    }),

  update: (actor, sandboxId, decide, now) =>
    prisma.$transaction(async (transaction) => {
      await transaction.$queryRawUnsafe(LOCK_SANDBOX, sandboxId);
      const current = await transaction.sandbox.findUnique({ where: { sandboxId } });
      if (!current) return null;
      const [before, after] = [toState(current), decide(toState(current))];
      if (before.name === after.name && before.protected === after.protected) return current;
      const target = { sandbox_id: sandboxId };
      const entry = { action: 'sandboxes.update', sandboxId, target, before, after };
      await appendAudit(transaction, actor, entry, now);
      return transaction.sandbox.update({ where: { sandboxId }, data: after });
    }),

  find: (sandboxId) => prisma.sandbox.findUnique({ where: { sandboxId } }),

  list: ({ ids, after, limit }) =>
    prisma.sandbox.findMany({
      where: { ...(ids && { sandboxId: { in: ids } }), ...(after && isAfter(after)) },
      orderBy: [{ name: 'asc' }, { sandboxId: 'asc' }],
      take: limit,
    }),
});

const toState = ({ name, protected: isProtected }: ProtectedState): ProtectedState => ({
  name,
  protected: isProtected,
});

const isAfter = ({ name, id }: ListPosition) => ({
  OR: [{ name: { gt: name } }, { name, sandboxId: { gt: id } }],
});
