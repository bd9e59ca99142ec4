// Jobs with the past of a sandbox: undo, restore and compare.
import { expect } from 'vitest';
import { dayBefore, makePast } from '../support/past.ts';
import { makeSandbox } from '../support/sandboxes.ts';
import type { Job } from './job.ts';

const editor = { as: 'editor', timezoneId: 'UTC' } as const;

type Listed = { records: { name: string; custom_data: { price: string } }[] };

export const UNDO: Job = {
  title: 'undoes an edit of 36 Items',
  maxActions: 3,
  async run(web, users) {
    const { sandbox_id, root } = await makeSandbox(web);
    const swords = Array.from({ length: 36 }, (_, index) => ({ name: `Sword ${index}` }));
    const creates = swords.map((sword) => {
      const custom_data = { price: '100' };
      return { operation: 'create', item_type: 'unit', custom_data, ...sword };
    });
    const { records } = await web.call<{ records: { item_id: string }[] }>('items.bulk', {
      sandbox_id,
      operations: creates,
    });
    const updates = records.map(({ item_id }) => {
      const custom_data = { price: '1' };
      return { operation: 'update', item_id, expected_version: 1, custom_data };
    });
    await web.call('items.bulk', { sandbox_id, operations: updates });
    const user = await users.open(root, editor);
    const { page } = user;
    await user.click(page.getByRole('navigation').getByRole('link', { name: 'History' }));
    await user.click(page.getByRole('button', { name: 'Revert …' }).first());
    await user.click(page.getByRole('button', { name: 'Apply 36 changes' }));
    await page.getByRole('link', { name: 'Show the edit in the history' }).waitFor();
    const list = await web.call<Listed>('items.list', { sandbox_id, page_size: 100 });
    expect(list.records.map(({ custom_data }) => custom_data.price)).toEqual(Array(36).fill('100'));
  },
};

export const RESTORE: Job = {
  title: 'restores 12 Items to yesterday',
  maxActions: 8,
  async run(web, users) {
    const { root, readPrices } = await makePast(web);
    const user = await users.open(root, editor);
    const { page } = user;
    await user.click(page.getByRole('navigation').getByRole('link', { name: 'History' }));
    await user.click(page.getByRole('radio', { name: 'Point in time' }));
    const time = page.getByRole('textbox', { name: 'Time', exact: true });
    await user.type(time, `${dayBefore(1)} 12:00`);
    await user.type(page.getByRole('textbox', { name: 'Name at that time' }), 'sword');
    await page.getByText('12 records').waitFor();
    await user.click(page.getByRole('checkbox', { name: 'Select all loaded rows' }));
    await user.click(page.getByRole('button', { name: 'Restore 12 …' }));
    await user.click(page.getByRole('button', { name: 'Apply 12 changes' }));
    await page.getByRole('link', { name: 'Show the edit in the history' }).waitFor();
    expect(await readPrices()).toEqual(Array(9).fill('100'));
  },
};

export const COMPARE: Job = {
  title: 'compares production with last week',
  maxActions: 4,
  async run(web, users) {
    const { root, name } = await makePast(web, { days: 9, protected: true });
    const user = await users.open(root, editor);
    const { page } = user;
    const nav = page.getByRole('navigation');
    await user.click(nav.getByRole('link', { name: 'Compare sandboxes' }));
    await user.click(page.getByRole('combobox', { name: 'From' }));
    await user.click(page.getByRole('option', { name: `${name} in the past` }));
    await page.getByText('13 differences').waitFor();
    await page.getByRole('button', { name: 'Changed since then 11' }).waitFor();
    await page.getByRole('button', { name: 'Deleted since then 1' }).waitFor();
    await page.getByRole('button', { name: 'New since then 1' }).waitFor();
  },
};
