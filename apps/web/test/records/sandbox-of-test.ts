import type { Web } from '../start/start-web.ts';

export type Item = { item_id: string; version: number; version_id: string };

let count = 0;

/** A sandbox of its own, and short ways to fill it. */
export const makeSandbox = async ({ call }: Web, options: { protected?: true } = {}) => {
  count += 1;
  const name = `Test ${count}`;
  const { sandbox_id } = await call<{ sandbox_id: string }>('sandboxes.create', { name });
  if (options.protected) await call('sandboxes.update', { sandbox_id, protected: true });
  return {
    name,
    sandbox_id,
    items: `/s/${sandbox_id}/items`,
    xp: `/s/${sandbox_id}/xp`,
    addItem: (item: string, fields: object = {}) =>
      call<Item>('items.create', { sandbox_id, name: item, item_type: 'unit', ...fields }),
    editItem: (item_id: string, expected_version: number, fields: object) =>
      call<Item>('items.update', { sandbox_id, item_id, expected_version, ...fields }),
    addXp: (table: string, xp_thresholds: object[] = [{ level: 1, xp: 0 }]) =>
      call<{ xp_id: string }>('xp.create', { sandbox_id, name: table, xp_thresholds }),
  };
};

export const MARKUP = `<img src=x onerror="document.title='owned'"><b>bold</b>`;
