// node scripts/run.mjs screenshots: takes the pictures of a weekend sale for the guide for live operations.
import { join } from 'node:path';
import { addPerson } from '@muster/browser-testing';
import { test } from 'vitest';
import { startOwnWeb } from '../support/web.ts';
import { savePicture } from './save-picture.ts';

const FOLDER = join(import.meta.dirname, '../../../../docs/images');
const VIEW = {
  viewport: { width: 1_280, height: 720 },
  deviceScaleFactor: 1.25,
  timezoneId: 'Europe/Berlin',
} as const;

const web = startOwnWeb();

const addEditor = (name: string) =>
  addPerson(web.call, {
    name,
    email: `${name}@example.com`.toLowerCase(),
    role: 'editor',
    password: 'a long password of the pictures',
  });

const ITEMS = [
  ['Iron Sword', '500', 'common'],
  ['Steel Sword', '750', 'common'],
  ['Damascus Sword', '900', 'rare'],
  ['Sword of Dawn', '950', 'legendary'],
  ['Sword of Dusk', '950', 'legendary'],
  ['Training Sword', '40', 'common'],
] as const;

const makeSandbox = async (): Promise<string> => {
  const { sandbox_id } = await web.call<{ sandbox_id: string }>('sandboxes.create', {
    name: 'Production',
  });
  const operations = ITEMS.map(([name, price, rarity]) => {
    const custom_data = { price, rarity };
    return { operation: 'create', item_type: 'unit', name, tags: ['sword'], custom_data };
  });
  await web.call('items.bulk', { sandbox_id, operations });
  await web.call('sandboxes.update', { sandbox_id, protected: true });
  return sandbox_id;
};

const DAY_MS = 24 * 60 * 60_000;
const FRIDAY = 5;

/** The date of the next Friday, or of a day after it. */
const dayOfSale = (daysLater: number): string => {
  const today = new Date();
  const days = ((FRIDAY - today.getUTCDay() + 7) % 7 || 7) + daysLater;
  return new Date(today.getTime() + days * DAY_MS).toISOString().slice(0, 10);
};

test('takes the pictures of a weekend sale', async () => {
  const sandbox_id = await makeSandbox();
  const [ada, bruno] = [await addEditor('Ada'), await addEditor('Bruno')];
  const take = (page: Parameters<typeof savePicture>[0], name: string) =>
    savePicture(page, join(FOLDER, `sale-${name}.webp`));

  const where = { and: [{ field: 'custom_data.price', op: 'gt', value: '500' }] };
  const filter = new URLSearchParams({ tag: 'sword', where: JSON.stringify(where) });
  const page = await web.open(`/s/${sandbox_id}/items?${filter}`, { as: ada, ...VIEW });
  await page.getByRole('button', { name: 'Edit all 4 …' }).click();
  await page.getByRole('combobox', { name: 'Field or custom data key' }).fill('price');
  await page.getByLabel('Percent').fill('-20');
  await page.getByLabel('Reason').fill('Weekend sale');
  await page.getByLabel('Reason').press('Home');
  await take(page, 'edit');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('price: 750 → 600').waitFor();
  await take(page, 'preview');
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  const review = await web.open(`/s/${sandbox_id}/change-sets`, { as: bruno, ...VIEW });
  await review.getByRole('link', { name: 'Change price by -20 %' }).click();
  await review.getByText('price: 750 → 600').waitFor();
  await take(review, 'review');
  await review.getByRole('button', { name: 'Approve' }).click();
  await review.getByText('1 of 1 required approval').waitFor();
  // Without its notification.
  await review.reload();
  await review.getByRole('button', { name: 'Schedule …' }).click();
  const dialog = review.getByRole('dialog');
  await dialog.getByLabel('Apply at', { exact: true }).fill(`${dayOfSale(0)} 18:00`);
  await dialog.getByLabel('Revert at', { exact: true }).fill(`${dayOfSale(3)} 09:00`);
  await take(review, 'schedule');
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await dialog.waitFor({ state: 'detached' });
  await review.reload();
  await review.getByText('price: 750 → 600').waitFor();
  await take(review, 'scheduled');

  const reach = (state: string, moment: 'apply_at' | 'return_at') =>
    web.withDatabase(async ({ pool }) => {
      await pool.query(`UPDATE change_set SET ${moment} = now(), next_step_at = now()`);
      await review.getByText(state, { exact: true }).first().waitFor();
    });
  await reach('applied', 'apply_at');
  await reach('reverted', 'return_at');
  const wide = { ...VIEW, viewport: { width: 1_600, height: 480 } };
  const history = await web.open(`/s/${sandbox_id}/history`, { as: ada, ...wide });
  const row = history.getByRole('row').filter({ hasText: 'Scheduled revert' });
  await row.getByText('Bruno').waitFor();
  await take(history, 'history');
});
