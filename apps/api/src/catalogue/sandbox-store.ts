import type { Actor } from '../audit/index.ts';
import { appendAudit } from '../audit/index.ts';
import type { CatalogueDatabase } from './catalogue-store.ts';
import type { ListPosition } from './list-cursor.ts';

export type Sandbox = {
  sandboxId: string;
  name: string;
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
  /** By name, then by id; `ids` limits them to these. */
  list(query: {
    ids: string[] | undefined;
    after: ListPosition | undefined;
    limit: number;
  }): Promise<Sandbox[]>;
};

export const createSandboxStore = ({ prisma }: CatalogueDatabase): SandboxStore => ({
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

  list: ({ ids, after, limit }) =>
    prisma.sandbox.findMany({
      where: { ...(ids && { sandboxId: { in: ids } }), ...(after && isAfter(after)) },
      orderBy: [{ name: 'asc' }, { sandboxId: 'asc' }],
      take: limit,
    }),
});

const isAfter = ({ name, id }: ListPosition) => ({
  OR: [{ name: { gt: name } }, { name, sandboxId: { gt: id } }],
});
