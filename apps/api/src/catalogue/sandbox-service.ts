import type { z } from 'zod';
import type { Actor } from '../platform/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { WriteSources } from './catalogue-writer.ts';
import { cutPage, decodeListCursor, encodeListCursor } from './pagination.ts';
import type { SandboxInputs } from './record-inputs.ts';
import type { ProtectedState, SandboxAuthority } from './sandbox-rules.ts';
import { updateSandbox, visibleSandboxes } from './sandbox-rules.ts';
import type { Sandbox, SandboxStore } from './sandbox-store.ts';

export type SandboxAnswer = {
  sandbox_id: string;
  name: string;
  /** True where destructive actions need `sandbox:*` and the typed name. */
  protected: boolean;
  /** RFC 3339. */
  created: string;
  /** Position of the newest version, and its hash in hexadecimal: kept elsewhere, it proves the history up to it. */
  head_seq: number;
  head_hash?: string;
  item_versions: number;
  xp_versions: number;
};

export type SandboxPage = {
  sandboxes: SandboxAnswer[];
  page_meta: { cursor?: string; page_size: number };
};

type UpdateInput = z.output<typeof SandboxInputs.update> & { sandbox_id: string };

export type SandboxService = {
  /** Errors: sandbox_exists. */
  create(actor: Actor, input: z.output<typeof SandboxInputs.create>): Promise<SandboxAnswer>;
  /**
   * Renames it, protects it or lifts the protection. Errors: sandbox_not_found, sandbox_protected,
   * sandbox_confirmation_required.
   */
  update(actor: Actor, input: UpdateInput, authority: SandboxAuthority): Promise<SandboxAnswer>;
  /** Errors: sandbox_not_found. */
  get(sandboxId: string): Promise<SandboxAnswer>;
  /** Those whose catalogue these permissions may view, by name. Errors: input_invalid (the cursor). */
  list(
    permissions: readonly string[],
    input: z.output<typeof SandboxInputs.list>,
  ): Promise<SandboxPage>;
};

export const createSandboxService = (
  store: SandboxStore,
  { now, newId }: WriteSources,
): SandboxService => ({
  async create(actor, { name, sandbox_id: sandboxId = newId() }) {
    const created = { sandboxId, name, createdAt: now() };
    if (!(await store.create(actor, created))) throw new ServiceError('sandbox_exists');
    return toAnswer({ ...EMPTY, ...created });
  },

  async update(actor, { sandbox_id: sandboxId, ...input }, authority) {
    const change = { name: input.name, protected: input.protected };
    const decide = (current: ProtectedState) => updateSandbox(current, change, authority);
    return toAnswer(requireFound(await store.update(actor, sandboxId, decide, now())));
  },

  get: async (sandboxId) => toAnswer(requireFound(await store.find(sandboxId))),

  async list(permissions, { cursor, page_size: pageSize }) {
    const found = await store.list({
      ids: visibleSandboxes(permissions),
      after: cursor === undefined ? undefined : decodeListCursor(cursor),
      limit: pageSize + 1,
    });
    const { page, last } = cutPage(found, pageSize);
    const position = last && { name: last.name, id: last.sandboxId };
    return {
      sandboxes: page.map(toAnswer),
      page_meta: { page_size: pageSize, ...(position && { cursor: encodeListCursor(position) }) },
    };
  },
});

const EMPTY = { protected: false, headSeq: 0n, headHash: null, itemVersions: 0n, xpVersions: 0n };

const requireFound = (sandbox: Sandbox | null): Sandbox => {
  if (!sandbox) throw new ServiceError('sandbox_not_found');
  return sandbox;
};

const toAnswer = (sandbox: Sandbox): SandboxAnswer => ({
  sandbox_id: sandbox.sandboxId,
  name: sandbox.name,
  protected: sandbox.protected,
  created: sandbox.createdAt.toISOString(),
  head_seq: Number(sandbox.headSeq),
  ...(sandbox.headHash && { head_hash: Buffer.from(sandbox.headHash).toString('hex') }),
  item_versions: Number(sandbox.itemVersions),
  xp_versions: Number(sandbox.xpVersions),
});
