// The authors of versions, for callers that may view some sandboxes and no list of people.
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';
import { visibleSandboxes } from '../sandboxes/sandbox-rules.ts';

export const createAuthorStore = ({ pool }: Pick<Database, 'pool'>) => ({
  /**
   * Of these accounts, those that wrote a version in a sandbox to which the permissions are narrowed. Empty for permissions that
   * apply to every sandbox: with them, `people:view` decides.
   */
  findVisibleAuthors: async (
    permissions: readonly string[],
    accountIds: readonly string[],
  ): Promise<ReadonlySet<string>> => {
    const authors = new Set<string>();
    let unknown = [...accountIds];
    // One statement per sandbox, since a sandbox is one shard. A role is narrowed to few of them.
    for (const sandboxId of visibleSandboxes(permissions) ?? []) {
      if (unknown.length === 0) break;
      const found = await runPrepared<{ id: string }>(pool, FIND_AUTHORS, [sandboxId, unknown]);
      for (const { id } of found) authors.add(id);
      unknown = unknown.filter((id) => !authors.has(id));
    }
    return authors;
  },
});

/** One probe of the index of accounts for each kind. */
const FIND_AUTHORS = {
  name: 'find_authors',
  text: `SELECT a.id FROM unnest($2::text[]) AS a (id) WHERE EXISTS (
    SELECT FROM catalogue_version v
    WHERE v.sandbox_id = $1::uuid AND v.kind IN ('item', 'xp') AND v.account_id = a.id)`,
};
