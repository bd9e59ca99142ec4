import type { z } from 'zod';
import type { Actor } from '../../platform/index.ts';
import { ServiceError } from '../../platform/index.ts';
import type { WriteSources } from '../edits/catalogue-writer.ts';
import { cutPage, decodeListCursor, encodeListCursor } from '../pagination.ts';
import type { SandboxInputs } from '../records/record-inputs.ts';
import type { SandboxPurgeStore } from './sandbox-purge-store.ts';
import type { SandboxAuthority, SandboxSettings, SandboxState } from './sandbox-rules.ts';
import {
  administeredSandboxes,
  archiveSandbox,
  confirmPurge,
  deleteSandbox,
  updateSandbox,
  visibleSandboxes,
} from './sandbox-rules.ts';
import type { Sandbox, SandboxStore } from './sandbox-store.ts';

type SandboxAnswer = {
  sandbox_id: string;
  name: string;
  /** True when destructive actions need `sandbox:*` and the typed name. */
  protected: boolean;
  /** How many people have to approve a change before it is written. */
  required_approvals: number;
  /** RFC 3339. */
  created: string;
  /** The time since when it is read-only and hidden from lists. */
  archived?: string;
  /** The time of its deletion; its history is purged `deleted_kept_days` later. */
  deleted?: string;
  /** Position of the newest version, and its hash in hexadecimal. Stored elsewhere, it proves the history up to it. */
  head_seq: number;
  head_hash?: string;
  item_versions: number;
  xp_versions: number;
};

export type SandboxPage = {
  sandboxes: SandboxAnswer[];
  /** For how many days the content of a deleted sandbox is kept; absent: for ever. */
  deleted_kept_days?: number;
  page_meta: { cursor?: string; page_size: number };
};

type UpdateInput = z.output<typeof SandboxInputs.update> & { sandbox_id: string };
type NamedInput = { sandbox_id: string };

type SandboxService = {
  /** Errors: sandbox_exists. */
  create(actor: Actor, input: z.output<typeof SandboxInputs.create>): Promise<SandboxAnswer>;
  /**
   * Renames it, protects it or removes the protection, or changes how many approvals it requires. Errors: sandbox_not_found, sandbox_protected,
   * sandbox_confirmation_required.
   */
  update(actor: Actor, input: UpdateInput, authority: SandboxAuthority): Promise<SandboxAnswer>;
  /**
   * An archived sandbox is read-only and only in lists of archived ones; its histories are unchanged. Errors:
   * sandbox_not_found, sandbox_protected, sandbox_confirmation_required.
   */
  archive(actor: Actor, input: NamedInput, authority: SandboxAuthority): Promise<SandboxAnswer>;
  /** Errors: sandbox_not_found. */
  unarchive(actor: Actor, input: NamedInput): Promise<SandboxAnswer>;
  /**
   * A deleted sandbox is no longer found. Until its retention has passed, its histories work and it can be restored.
   * Errors: sandbox_not_found, sandbox_protected, sandbox_confirmation_required.
   */
  delete(actor: Actor, input: NamedInput, authority: SandboxAuthority): Promise<SandboxAnswer>;
  /** Restores a deleted sandbox. Errors: sandbox_not_found. */
  restore(actor: Actor, input: NamedInput): Promise<SandboxAnswer>;
  /**
   * Ends the retention of a deleted sandbox: its histories are empty at once, it cannot be restored, and its content is deleted
   * in the background. Errors: sandbox_not_found (also for one that is not deleted), sandbox_confirmation_required.
   */
  purge(actor: Actor, input: NamedInput, authority: SandboxAuthority): Promise<{ purged: true }>;
  /** Errors: sandbox_not_found. */
  get(sandboxId: string): Promise<SandboxAnswer>;
  /**
   * Sandboxes whose catalogue these permissions may view, by name; for deleted ones, those that they administer.
   * Errors: input_invalid (the cursor).
   */
  list(
    permissions: readonly string[],
    input: z.output<typeof SandboxInputs.list>,
  ): Promise<SandboxPage>;
};

export const createSandboxService = (
  store: SandboxStore,
  purges: Pick<SandboxPurgeStore, 'beginNow'>,
  { now, newId }: WriteSources,
  deletedKeptDays: number | undefined,
): SandboxService => {
  const change = async (
    actor: Actor,
    { sandbox_id: sandboxId }: NamedInput,
    action: string,
    decide: (current: SandboxState) => SandboxState,
  ) => toAnswer(requireFound(await store.change(actor, sandboxId, action, decide, now())));

  /** Only a restore finds a deleted sandbox. */
  const changeLiving: typeof change = (actor, input, action, decide) =>
    change(actor, input, action, (current) => {
      if (current.deletedAt) throw new ServiceError('sandbox_not_found');
      return decide(current);
    });

  return {
    async create(actor, { name, sandbox_id: sandboxId = newId() }) {
      const created = { sandboxId, name, createdAt: now() };
      if (!(await store.create(actor, created))) throw new ServiceError('sandbox_exists');
      return toAnswer({ ...EMPTY, ...created });
    },

    async update(actor, { sandbox_id: sandboxId, ...input }, authority) {
      const change = {
        name: input.name,
        protected: input.protected,
        requiredApprovals: input.required_approvals,
      };
      const decide = (current: SandboxSettings) => updateSandbox(current, change, authority);
      return toAnswer(requireFound(await store.update(actor, sandboxId, decide, now())));
    },

    archive: (actor, input, authority) =>
      changeLiving(actor, input, 'sandboxes.archive', (current) =>
        archiveSandbox(current, authority, now()),
      ),

    unarchive: (actor, input) =>
      changeLiving(actor, input, 'sandboxes.unarchive', (current) => ({
        ...current,
        archivedAt: null,
      })),

    delete: (actor, input, authority) =>
      changeLiving(actor, input, 'sandboxes.delete', (current) =>
        deleteSandbox(current, authority, now()),
      ),

    restore: (actor, input) =>
      change(actor, input, 'sandboxes.restore', (current) => ({ ...current, deletedAt: null })),

    async purge(actor, { sandbox_id: sandboxId }, authority) {
      const check = (found: { name: string }) => confirmPurge(found, authority);
      const isBegun = await purges.beginNow(actor, sandboxId, check, now());
      if (!isBegun) throw new ServiceError('sandbox_not_found');
      return { purged: true };
    },

    get: async (sandboxId) => toAnswer(requireFound(await store.find(sandboxId))),

    async list(permissions, { status, cursor, page_size: pageSize }) {
      const found = await store.list({
        status,
        ids: (status === 'deleted' ? administeredSandboxes : visibleSandboxes)(permissions),
        after: cursor === undefined ? undefined : decodeListCursor(cursor),
        limit: pageSize + 1,
      });
      const { page, last } = cutPage(found, pageSize);
      const position = last && { name: last.name, id: last.sandboxId };
      return {
        sandboxes: page.map(toAnswer),
        ...(deletedKeptDays !== undefined && { deleted_kept_days: deletedKeptDays }),
        page_meta: { page_size: pageSize, ...(position && { cursor: encodeListCursor(position) }) },
      };
    },
  };
};

const EMPTY = {
  protected: false,
  requiredApprovals: 0,
  archivedAt: null,
  deletedAt: null,
  headSeq: 0n,
  headHash: null,
  itemVersions: 0n,
  xpVersions: 0n,
};

const requireFound = (sandbox: Sandbox | null): Sandbox => {
  if (!sandbox) throw new ServiceError('sandbox_not_found');
  return sandbox;
};

const toAnswer = (sandbox: Sandbox): SandboxAnswer => ({
  sandbox_id: sandbox.sandboxId,
  name: sandbox.name,
  protected: sandbox.protected,
  required_approvals: sandbox.requiredApprovals,
  created: sandbox.createdAt.toISOString(),
  ...(sandbox.archivedAt && { archived: sandbox.archivedAt.toISOString() }),
  ...(sandbox.deletedAt && { deleted: sandbox.deletedAt.toISOString() }),
  head_seq: Number(sandbox.headSeq),
  ...(sandbox.headHash && { head_hash: Buffer.from(sandbox.headHash).toString('hex') }),
  item_versions: Number(sandbox.itemVersions),
  xp_versions: Number(sandbox.xpVersions),
});
