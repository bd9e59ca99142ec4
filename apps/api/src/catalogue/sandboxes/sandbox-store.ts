import { isDeepStrictEqual } from 'node:util';
import type { Database } from '@muster/database';
import type { Actor } from '../../platform/index.ts';
import { appendAudit } from '../../platform/index.ts';
import type { ListPosition } from '../pagination.ts';
import { lockSandbox } from './sandbox-lock-store.ts';
import type { SandboxSettings, SandboxState } from './sandbox-rules.ts';

export type Sandbox = SandboxState & {
  requiredApprovals: number;
  sandboxId: string;
  createdAt: Date;
  headSeq: bigint;
  headHash: Uint8Array | null;
  itemVersions: bigint;
  xpVersions: bigint;
};

export type SandboxStatus = 'active' | 'archived' | 'deleted';

export type SandboxStore = {
  /** False when the id is taken. */
  create(
    actor: Actor,
    sandbox: Pick<Sandbox, 'sandboxId' | 'name' | 'createdAt'>,
  ): Promise<boolean>;
  /** `decide` runs under the row lock. Null when there is no such sandbox, or it is deleted. */
  update(
    actor: Actor,
    sandboxId: string,
    decide: (current: SandboxSettings) => SandboxSettings,
    now: Date,
  ): Promise<Sandbox | null>;
  /**
   * Archives, deletes, or reverts either, as named by `action`. `decide` runs under the row lock, also for deleted
   * sandboxes. Null when there is none, or it is being purged.
   */
  change(
    actor: Actor,
    sandboxId: string,
    action: string,
    decide: (current: SandboxState) => SandboxState,
    now: Date,
  ): Promise<Sandbox | null>;
  /** Not for deleted ones. */
  find(sandboxId: string): Promise<Sandbox | null>;
  /** By name, then by id; `ids` restricts the list. */
  list(query: {
    status: SandboxStatus;
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
      await lockSandbox(transaction, sandboxId);
      const current = await transaction.sandbox.findUnique({
        where: { sandboxId, deletedAt: null },
      });
      if (!current) return null;
      const next = decide(toSettings(current));
      const [before, after] = [describeSettings(current), describeSettings(next)];
      if (isDeepStrictEqual(before, after)) return current;
      const target = { sandbox_id: sandboxId };
      const entry = { action: 'sandboxes.update', sandboxId, target, before, after };
      await appendAudit(transaction, actor, entry, now);
      return transaction.sandbox.update({ where: { sandboxId }, data: next });
    }),

  change: (actor, sandboxId, action, decide, now) =>
    prisma.$transaction(async (transaction) => {
      await lockSandbox(transaction, sandboxId);
      const current = await transaction.sandbox.findUnique({
        where: { sandboxId, purgeStartedAt: null },
      });
      if (!current) return null;
      const { archivedAt, deletedAt } = decide(current);
      const data = { archivedAt, deletedAt };
      const [before, after] = [describeState(current), describeState({ ...current, ...data })];
      if (before.archived === after.archived && before.deleted === after.deleted) return current;
      const target = { sandbox_id: sandboxId };
      await appendAudit(transaction, actor, { action, sandboxId, target, before, after }, now);
      return transaction.sandbox.update({ where: { sandboxId }, data });
    }),

  find: (sandboxId) => prisma.sandbox.findUnique({ where: { sandboxId, deletedAt: null } }),

  list: ({ status, ids, after, limit }) =>
    prisma.sandbox.findMany({
      where: {
        ...WITH_STATUS[status],
        ...(ids && { sandboxId: { in: ids } }),
        ...(after && isAfter(after)),
      },
      orderBy: [{ name: 'asc' }, { sandboxId: 'asc' }],
      take: limit,
    }),
});

const WITH_STATUS = {
  active: { archivedAt: null, deletedAt: null },
  archived: { archivedAt: { not: null }, deletedAt: null },
  /** A sandbox that is being purged cannot be restored, so it is not listed. */
  deleted: { deletedAt: { not: null }, purgeStartedAt: null },
};

const toSettings = (sandbox: SandboxSettings): SandboxSettings => ({
  name: sandbox.name,
  protected: sandbox.protected,
  requiredApprovals: sandbox.requiredApprovals,
});

const describeSettings = (sandbox: SandboxSettings) => ({
  name: sandbox.name,
  protected: sandbox.protected,
  required_approvals: sandbox.requiredApprovals,
});

const describeState = ({ name, archivedAt, deletedAt }: SandboxState) => ({
  name,
  archived: archivedAt !== null,
  deleted: deletedAt !== null,
});

const isAfter = ({ name, id }: ListPosition) => ({
  OR: [{ name: { gt: name } }, { name, sandboxId: { gt: id } }],
});
