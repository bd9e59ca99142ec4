// A catalogue on a database of its own, and short ways to fill it.
import { openDatabase } from '@muster/database';
import { createTestDatabase } from '@muster/database/testing';
import type { CatalogueOptions } from '../index.ts';
import { createCatalogue } from '../index.ts';

export const ACTOR = { accountId: 'editor-1', requestId: 'request-1', address: '192.0.2.1' };

export const openTestCatalogue = async (options: Omit<CatalogueOptions, 'database'> = {}) => {
  const { url, drop } = await createTestDatabase();
  const database = openDatabase({ url });
  const catalogue = createCatalogue({ database, ...options });
  return {
    url,
    database,
    catalogue,
    /** Answers the id of a new, empty sandbox. */
    addSandbox: async (name = 'Live') =>
      (await catalogue.sandboxes.create(ACTOR, { name })).sandbox_id,
    close: async () => {
      await database.close();
      await drop();
    },
  };
};

export type TestCatalogue = Awaited<ReturnType<typeof openTestCatalogue>>;

/** The smallest valid Item. */
export const anItem = (name: string) => ({
  name,
  item_type: 'unit' as const,
  tags: [],
  custom_data: {},
});

/** The smallest valid Xp table. */
export const anXp = (name: string) => ({ name, xp_thresholds: [], custom_data: {} });
