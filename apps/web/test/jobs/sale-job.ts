// A weekend sale with a review and an automatic return, by two people.
import { expect } from 'vitest';
import { reachMoment } from '../support/schedules.ts';
import { makeShop } from '../support/shop.ts';
import type { Job } from './job.ts';

const DAY_MS = 24 * 60 * 60_000;
const dayAfter = (days: number): string =>
  new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

export const WEEKEND_SALE: Job = {
  title: 'prepares a weekend sale that a colleague approves and schedules with its revert',
  maxActions: 20,
  async run(web, users) {
    const { items, root, sandbox_id, readPrices } = await makeShop(web, ['501', '1001']);
    await web.call('sandboxes.update', { sandbox_id, protected: true });
    const author = await users.open(items, { as: 'editor', timezoneId: 'UTC' });
    {
      const { page } = author;
      await page.getByRole('link', { name: 'Axe' }).waitFor();
      await author.type(page.getByLabel('Tag', { exact: true }), 'sword');
      await author.click(page.getByRole('button', { name: 'Edit all 2 …' }));
      const field = page.getByRole('combobox', { name: 'Field or custom data key' });
      await author.type(field, 'price');
      await author.type(page.getByLabel('Percent'), '-20');
      await author.type(page.getByLabel('Reason'), 'Weekend sale');
      await author.click(page.getByRole('button', { name: 'Preview' }));
      await author.click(page.getByRole('button', { name: 'Submit for review' }));
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    const colleague = await users.open(root, { as: 'admin', timezoneId: 'UTC' });
    const { page } = colleague;
    const nav = page.getByRole('navigation');
    await colleague.click(nav.getByRole('link', { name: 'Change sets' }));
    await colleague.click(page.getByRole('link', { name: 'Change price by -20 %' }));
    await page.getByText('price: 501 → 401').waitFor();
    await colleague.click(page.getByRole('button', { name: 'Approve' }));
    await colleague.click(page.getByRole('button', { name: 'Schedule …' }));
    const dialog = page.getByRole('dialog');
    const [friday, monday] = [`${dayAfter(4)} 18:00`, `${dayAfter(7)} 09:00`];
    await colleague.type(dialog.getByLabel('Apply at', { exact: true }), friday);
    await colleague.type(dialog.getByLabel('Revert at', { exact: true }), monday);
    await colleague.click(dialog.getByRole('button', { name: 'Schedule' }));
    await dialog.waitFor({ state: 'detached' });
    const id = page.url().split('/').at(-1) ?? '';
    expect(await readSet(id)).toMatchObject({
      state: 'scheduled',
      schedule: { apply_at: toInstant(friday), return_at: toInstant(monday) },
    });
    expect(await readPrices()).toEqual(['900', '501', '1001']);
    await reachMoment(web, id, 'apply_at');
    await expect.poll(readPrices).toEqual(['900', '401', '801']);
    await reachMoment(web, id, 'return_at');
    await expect.poll(readPrices).toEqual(['900', '501', '1001']);

    function toInstant(text: string): string {
      return new Date(`${text.replace(' ', 'T')}:00Z`).toISOString();
    }
    function readSet(change_set_id: string) {
      return web.call('changeSets.get', { sandbox_id, change_set_id });
    }
  },
};
