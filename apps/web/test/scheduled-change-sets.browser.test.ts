// Change sets that are applied at a moment, reverted at another, or not done in time.
import { expect } from 'vitest';
import { toInputValue } from '../src/ui/format-time.ts';
import { testInFull } from './support/extent.ts';
import { makeSandbox } from './support/sandboxes.ts';
import { reachMoment } from './support/schedules.ts';
import type { Page } from './support/web.ts';
import { shareWeb } from './support/web.ts';

const web = shareWeb();

const editor = { as: 'editor' } as const;
const DAY_MS = 24 * 60 * 60_000;

const makeSale = async () => {
  const sandbox = await makeSandbox(web);
  const { sandbox_id, root } = sandbox;
  const { item_id } = await sandbox.addItem('Sword', { custom_data: { price: '100' } });
  const set = await web.call<{ change_set_id: string }>('changeSets.create', {
    sandbox_id,
    title: 'Weekend sale',
  });
  const { change_set_id } = set;
  const change = { kind: 'item', operation: 'update', item_id, expected_version: 1 };
  const operations = [{ ...change, custom_data: { price: '80' } }];
  await web.call('changeSets.addOperations', { sandbox_id, change_set_id, operations });
  const readPrice = async () => {
    const read = { sandbox_id, item_id };
    type Item = { custom_data: { price: string } };
    return (await web.call<Item>('items.get', read)).custom_data.price;
  };
  return { ...sandbox, change_set_id, page: `${root}/change-sets/${change_set_id}`, readPrice };
};

const inMs = (ms: number) => toInputValue(new Date(Date.now() + ms).toISOString(), 'local');

const schedule = async (page: Page, applyAt: string, revertAt: string) => {
  await page.getByRole('button', { name: 'Schedule …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Apply at', { exact: true }).fill(applyAt);
  await dialog.getByLabel('Revert at', { exact: true }).fill(revertAt);
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await dialog.waitFor({ state: 'detached' });
};

testInFull('a set is scheduled, listed with its moments, and becomes a draft again', async () => {
  const sale = await makeSale();
  const page = await web.open(sale.page, editor);
  await schedule(page, inMs(2 * DAY_MS), inMs(5 * DAY_MS));
  await page.getByText('Applies').waitFor();
  await page.getByText('Reverts at').waitFor();
  expect(await page.getByRole('button', { name: /^Apply/ }).count()).toBe(0);
  await page.getByRole('link', { name: 'Change sets' }).first().click();
  const row = page.getByRole('row').filter({ hasText: 'Weekend sale' });
  await row.getByText('scheduled').waitFor();
  await row.getByText('in 2 days → in 5 days').waitFor();
  await row.getByRole('link').click();
  await page.getByRole('button', { name: 'Cancel schedule' }).click();
  await page.getByRole('button', { name: 'Apply 1 change' }).waitFor();
  expect(await sale.readPrice()).toBe('100');
});

testInFull('a moment that has passed is refused at its field', async () => {
  const sale = await makeSale();
  const page = await web.open(sale.page, { ...editor, expectedErrors: [/400/] });
  await page.getByRole('button', { name: 'Schedule …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Apply at', { exact: true }).fill('tomorrow');
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await dialog.getByText('For example 2026-11-27 18:00').waitFor();
  await dialog.getByLabel('Apply at', { exact: true }).fill(inMs(-DAY_MS));
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await dialog.getByText('Must be in the future.').waitFor();
});

testInFull('the service applies a set at its moment and reverts it at the other', async () => {
  const sale = await makeSale();
  const page = await web.open(sale.page, editor);
  await schedule(page, inMs(2 * DAY_MS), inMs(5 * DAY_MS));
  await reachMoment(web, sale.change_set_id, 'apply_at');
  await expect.poll(sale.readPrice).toBe('80');
  await reachMoment(web, sale.change_set_id, 'return_at');
  await expect.poll(sale.readPrice).toBe('100');
  await page.getByText('reverted', { exact: true }).waitFor();
});

testInFull(
  'a set that missed its moment is shown on every page until it is acknowledged',
  async () => {
    const sale = await makeSale();
    const page = await web.open(sale.page, editor);
    await schedule(page, inMs(2 * DAY_MS), '');
    await web.withDatabase(({ pool }) =>
      pool.query(
        `UPDATE change_set SET apply_at = now() - interval '1 hour', next_step_at = now() - interval '1 hour'
       WHERE change_set_id = $1`,
        [sale.change_set_id],
      ),
    );
    await page.goto(`${web.baseUrl}${sale.items}`);
    const banner = page.getByRole('status').filter({ hasText: 'Weekend sale was not applied' });
    await expect
      .poll(async () => {
        await page.reload();
        await page.getByRole('heading', { level: 1 }).waitFor();
        return banner.count();
      })
      .toBe(1);
    await banner.getByText('within 15 minutes').waitFor();
    await banner.getByRole('link', { name: 'Weekend sale' }).click();
    await page.getByText('failed', { exact: true }).waitFor();
    await banner.getByRole('button', { name: 'Acknowledge' }).click();
    await banner.waitFor({ state: 'detached' });
    await page.getByText('The change set was not applied').waitFor();
    await page.getByRole('button', { name: 'Schedule …' }).waitFor();
    expect(await sale.readPrice()).toBe('100');
  },
);
