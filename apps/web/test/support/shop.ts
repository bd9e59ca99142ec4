// A sandbox with Items that have prices.
import { makeSandbox } from './sandboxes.ts';
import type { Web } from './web.ts';

type Stored = { name: string; custom_data: { price?: string }; tags: string[] };

/** Swords with these prices, and an axe that costs 900. */
export const makeShop = async (web: Web, prices: readonly string[]) => {
  const sandbox = await makeSandbox(web);
  const { sandbox_id } = sandbox;
  const swords = prices.map((price, index) => ({
    name: `Sword ${String(index + 1).padStart(3, '0')}`,
    tags: ['sword'],
    custom_data: { price },
  }));
  const all = [...swords, { name: 'Axe', tags: [], custom_data: { price: '900' } }];
  const operations = all.map((item) => ({ operation: 'create', item_type: 'unit', ...item }));
  await web.call('items.bulk', { sandbox_id, operations });
  const readItems = async () => {
    const page = await web.call<{ records: Stored[] }>('items.list', {
      sandbox_id,
      page_size: 200,
    });
    return page.records;
  };
  return {
    ...sandbox,
    readItems,
    listSets: async () =>
      (await web.call<{ change_sets: object[] }>('changeSets.list', { sandbox_id })).change_sets,
    readPrices: async () => (await readItems()).map(({ custom_data }) => custom_data.price),
  };
};
