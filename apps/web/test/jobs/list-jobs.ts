// Jobs with the lists of records: change many, import, promote, and save a view.
import { writeXlsx } from 'hucre/xlsx';
import { expect } from 'vitest';
import { makeSandbox } from '../support/sandboxes.ts';
import { makeShop } from '../support/shop.ts';
import type { Job } from './job.ts';

const editor = { as: 'editor' } as const;

export const CUT_PRICES: Job = {
  title: 'cuts the prices of swords over 500 by 20 percent, rounded',
  maxActions: 12,
  async run(web, users) {
    const { items, readPrices } = await makeShop(web, ['501', '1001', '500', '20']);
    const user = await users.open(items, editor);
    const { page } = user;
    const button = (name: string) => page.getByRole('button', { name });
    const field = page.getByRole('combobox', { name: 'Field or custom data key' });
    await page.getByRole('link', { name: 'Axe' }).waitFor();
    await user.type(page.getByLabel('Tag', { exact: true }), 'sword');
    await user.click(button('Filter by value'));
    await user.type(field, 'price');
    await user.click(page.getByRole('combobox', { name: 'Comparison' }));
    await user.click(page.getByRole('option', { name: 'is more than' }));
    await user.type(page.getByLabel('Value', { exact: true }), '500');
    await user.press('Enter');
    await user.click(button('Edit all 2 …'));
    await user.type(field, 'price');
    await user.type(page.getByLabel('Percent'), '-20');
    await user.click(button('Preview'));
    await page.getByText('price: 501 → 401').waitFor();
    await user.click(button('Apply 2 changes'));
    await page.getByText('Applied "Change price by -20 %".').waitFor();
    expect(await readPrices()).toEqual(['900', '401', '801', '500', '20']);
  },
};

export const PROMOTE: Job = {
  title: 'promotes everything that matches',
  maxActions: 6,
  async run(web, users) {
    const source = await makeShop(web, ['10', '20', '30']);
    const target = await makeSandbox(web);
    await target.addItem('Only here');
    // The overview lists the first sandboxes by name.
    const season = `A new season for ${target.name}`;
    await web.call('sandboxes.update', { sandbox_id: source.sandbox_id, name: season });
    const user = await users.open(target.root, editor);
    const { page } = user;
    await user.click(page.getByRole('link', { name: season }));
    await user.click(page.getByRole('button', { name: `Only in ${season}` }));
    await user.click(page.getByRole('button', { name: 'Promote all 4 …' }));
    await user.click(page.getByRole('button', { name: 'Preview' }));
    await user.click(page.getByRole('button', { name: 'Apply 4 changes' }));
    await page.getByText(/^Applied "Promotion from /).waitFor();
    const { sandbox_id } = target;
    const { records } = await web.call<{ records: { name: string }[] }>('items.list', {
      sandbox_id,
    });
    const names = records.map(({ name }) => name);
    expect(names).toEqual(['Axe', 'Only here', 'Sword 001', 'Sword 002', 'Sword 003']);
  },
};

export const IMPORT: Job = {
  title: 'imports a sheet with price and rarity columns and legacy ids',
  maxActions: 6,
  async run(web, users) {
    const sandbox = await makeSandbox(web);
    const { sandbox_id } = sandbox;
    const fields = { legacy_item_id: 7, custom_data: { damage: '14' } };
    const { item_id } = await sandbox.addItem('Iron Sword', fields);
    const rows = [
      ['legacy_id', 'name', 'type', 'price', 'rarity'],
      [7, 'Iron Sword', 'unit', 500, 'rare'],
      [8, 'Bow', 'unit', 0.1, 'common'],
    ];
    const sheet = Buffer.from(await writeXlsx({ sheets: [{ name: 'Items', rows }] }));
    const user = await users.open(sandbox.items, editor);
    const { page } = user;
    await user.click(page.getByRole('link', { name: 'Import', exact: true }).first());
    await user.chooseFile('prices.xlsx', sheet, page.getByRole('button', { name: 'File' }));
    await user.type(page.getByLabel('Reason'), 'Prices of season 4');
    await user.click(page.getByRole('button', { name: 'Check', exact: true }));
    await user.click(page.getByRole('button', { name: 'Apply 2 changes' }));
    await page.getByRole('heading', { name: 'Imported: 2 Items were written' }).waitFor();
    const sword = await web.call('items.get', { sandbox_id, item_id });
    const custom_data = { damage: '14', price: '500', rarity: 'rare' };
    expect(sword).toMatchObject({ version: 2, custom_data });
  },
};

export const SAVE_VIEW: Job = {
  title: 'saves a view with three custom columns',
  maxActions: 6,
  async run(web, users) {
    const { items, sandbox_id, addItem } = await makeSandbox(web);
    await addItem('Axe', { custom_data: { price: '100', rarity: 'rare', weight: '7' } });
    const user = await users.open(items, editor);
    const { page } = user;
    await page.getByRole('link', { name: 'Axe' }).waitFor();
    const choice = page.getByRole('dialog', { name: 'Columns' });
    await user.click(page.getByRole('button', { name: 'Columns' }));
    for (const name of ['price', 'rarity', 'weight']) {
      await user.click(choice.getByRole('checkbox', { name }));
    }
    await user.type(choice.getByRole('textbox', { name: 'Save as a view' }), 'Prices');
    await user.press('Enter');
    await page.getByText('Saved the view "Prices".').waitFor();
    const saved = await web.withDatabase(({ pool }) =>
      pool.query('SELECT name, search FROM saved_view WHERE sandbox_id = $1', [sandbox_id]),
    );
    expect(saved.rows).toMatchObject([{ name: 'Prices' }]);
    expect(JSON.stringify(saved.rows[0])).toMatch(/price.*rarity.*weight/);
  },
};
