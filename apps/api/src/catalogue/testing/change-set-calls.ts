// Calls of change sets on a test catalogue, and what tests compare.
import { expect } from 'vitest';
import type { TestCatalogue } from './open-test-catalogue.ts';
import { ACTOR, readChain } from './open-test-catalogue.ts';

type SetReference = { sandbox_id: string; change_set_id: string };

export const NO_AUTHORITY = { administers: false, confirmedName: undefined };

export const refOf = ({ sandbox_id, change_set_id }: SetReference): SetReference => ({
  sandbox_id,
  change_set_id,
});

export const createSetCalls = (open: () => TestCatalogue) => {
  const listItems = async (sandbox_id: string) => {
    const page = { include_deleted: false, page_size: 200 };
    return (await open().catalogue.items.list({ sandbox_id, ...page })).records;
  };
  return {
    listItems,

    apply: (set: SetReference & { revision: number }) =>
      open().catalogue.changeSets.apply(
        ACTOR,
        { ...refOf(set), expected_revision: set.revision },
        NO_AUTHORITY,
      ),

    preview: (set: SetReference) =>
      open().catalogue.changeSets.preview(ACTOR, refOf(set), null, 200),

    revert: (sandbox_id: string, transaction_id: string | undefined) =>
      open().catalogue.changeSets.revertEdit(ACTOR, {
        sandbox_id,
        transaction_id: transaction_id ?? '',
      }),

    /** Returns the number of versions of the sandbox, whose chain is intact. */
    expectChain: async (sandboxId: string): Promise<number> => {
      const { database, catalogue } = open();
      const { broken, headMatches, positions } = await readChain(database, sandboxId);
      expect({ broken, headMatches }).toEqual({ broken: [], headMatches: true });
      const check = await catalogue.verification.check(sandboxId, 0, 5_000);
      expect(check).toMatchObject({ done: true, checked_to_seq: positions.length });
      expect(check).not.toHaveProperty('broken');
      return positions.length;
    },

    /** The content of the Items without their versions. */
    readContents: async (sandbox_id: string) =>
      (await listItems(sandbox_id)).map(
        ({ version, version_id, transaction_id, created, updated, ...fields }) => fields,
      ),
  };
};
