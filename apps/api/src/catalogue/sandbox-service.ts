import { permits, READ_HISTORY, Uuid } from '@muster/contract';
import type { z } from 'zod';
import type { Actor } from '../audit/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import { decodeListCursor, encodeListCursor } from './list-cursor.ts';
import type { SandboxInputs } from './record-inputs.ts';
import type { Sandbox, SandboxStore } from './sandbox-store.ts';

export type SandboxAnswer = {
  sandbox_id: string;
  name: string;
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

export type SandboxService = {
  /** Errors: sandbox_exists. */
  create(actor: Actor, input: z.output<typeof SandboxInputs.create>): Promise<SandboxAnswer>;
  /** Those whose catalogue these permissions may view, by name. Errors: input_invalid (the cursor). */
  list(
    permissions: readonly string[],
    input: z.output<typeof SandboxInputs.list>,
  ): Promise<SandboxPage>;
};

export const createSandboxService = ({
  store,
  now,
  newId,
}: {
  store: SandboxStore;
  now: () => Date;
  newId: () => string;
}): SandboxService => ({
  async create(actor, { name, sandbox_id: sandboxId = newId() }) {
    const created = { sandboxId, name, createdAt: now() };
    if (!(await store.create(actor, created))) throw new ServiceError('sandbox_exists');
    return toAnswer({ ...created, headSeq: 0n, headHash: null, itemVersions: 0n, xpVersions: 0n });
  },

  async list(permissions, { cursor, page_size: pageSize }) {
    const found = await store.list({
      ids: permits(permissions, READ_HISTORY) ? undefined : visibleSandboxes(permissions),
      after: cursor === undefined ? undefined : decodeListCursor(cursor),
      limit: pageSize + 1,
    });
    const page = found.slice(0, pageSize);
    const last = found.length > pageSize ? page.at(-1) : undefined;
    const position = last && { name: last.name, id: last.sandboxId };
    return {
      sandboxes: page.map(toAnswer),
      page_meta: { page_size: pageSize, ...(position && { cursor: encodeListCursor(position) }) },
    };
  },
});

/** The sandboxes that narrowed grants name; `permits` decides what such a grant covers. */
const visibleSandboxes = (permissions: readonly string[]): string[] => {
  const named = permissions.map((permission) => Uuid.safeParse(permission.split(':')[1]).data);
  const ids = [...new Set(named.filter((id) => id !== undefined))];
  return ids.filter((id) => permits(permissions, READ_HISTORY, id));
};

const toAnswer = (sandbox: Sandbox): SandboxAnswer => ({
  sandbox_id: sandbox.sandboxId,
  name: sandbox.name,
  created: sandbox.createdAt.toISOString(),
  head_seq: Number(sandbox.headSeq),
  ...(sandbox.headHash && { head_hash: Buffer.from(sandbox.headHash).toString('hex') }),
  item_versions: Number(sandbox.itemVersions),
  xp_versions: Number(sandbox.xpVersions),
});
