// The records of a past moment: compared with now, restored and exported, in a real browser.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { expectNoAxeViolationsEveryDay, expectToFitPhone } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { dayBefore, makePast } from './support/past.ts';
import { makeSandbox } from './support/sandboxes.ts';
import { PHONE, shareWeb } from './support/web.ts';

const web = shareWeb();

const editor = { as: 'editor', timezoneId: 'UTC' } as const;

testInFull('all that match are restored, and a record is compared with now', async () => {
  const { root, readPrices } = await makePast(web);
  const address = `${root}/history?view=as-of&at=${dayBefore(1)}T12:00:00.000Z&name=sword`;
  const page = await web.open(address, editor);
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await row('Sword 01').getByText('deleted').waitFor();
  await row('Sword 02').getByText('version 2').waitFor();
  expect(await row('Sword of today').count()).toBe(0);
  await page.getByRole('link', { name: 'Sword 02' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('Changed since then').waitFor();
  const change = drawer.getByRole('row').filter({ hasText: 'price' }).first();
  await change.getByText('100').waitFor();
  await change.getByText('50').waitFor();
  await drawer.getByText('The whole Item at that time').waitFor();
  await expectNoAxeViolationsEveryDay(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Restore all that match …' }).click();
  await page.getByRole('heading', { name: /^Restore 12 Items to / }).waitFor();
  await page.getByRole('button', { name: 'Apply 12 changes' }).click();
  await page.getByRole('link', { name: 'Show the edit in the history' }).waitFor();
  expect(await readPrices()).toEqual(Array(9).fill('100'));
});

testInFull('the export has the records as they were', async () => {
  const { root } = await makePast(web);
  const address = `${root}/history?view=as-of&at=${dayBefore(1)}T12:00:00.000Z`;
  const page = await web.open(address, editor);
  await page.getByText('13 records').waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /NDJSON/ }).click();
  const text = await readFile(await (await downloading).path(), 'utf8');
  const items: { custom_data: { price: string } }[] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(items).toHaveLength(13);
  expect(new Set(items.map(({ custom_data }) => custom_data.price))).toEqual(new Set(['100']));
});

testInFull('a viewer compares but cannot restore, and the page fits a phone', async () => {
  const { root } = await makePast(web);
  const address = `${root}/history?view=as-of`;
  const page = await web.open(address, { as: 'viewer', ...PHONE });
  await page.getByRole('link', { name: 'Sword 02' }).waitFor();
  await page.getByRole('button', { name: 'Restore all …', disabled: true }).waitFor();
  expect(await page.getByRole('checkbox', { name: 'Select row' }).count()).toBe(0);
  await expectToFitPhone(page);
});

test('what has changed since last week can be restored', async () => {
  const { root, sandbox_id } = await makePast(web, { days: 9 });
  const at = `${dayBefore(7)}T12:00:00.000Z`;
  const page = await web.open(`${root}/compare-sandboxes?source=${sandbox_id}&at=${at}`, editor);
  await page.getByText('13 differences').waitFor();
  await page.getByRole('button', { name: 'Changed since then 11' }).waitFor();
  await page.getByRole('button', { name: 'Deleted since then 1' }).waitFor();
  await page.getByRole('button', { name: 'New since then 1' }).waitFor();
  await expectNoAxeViolationsEveryDay(page);
  await page.getByRole('link', { name: 'Sword 02' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('Before: the values now. After: the values at that time.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
  await page.getByRole('button', { name: 'Restore 13 …' }).click();
  await page.getByRole('button', { name: 'Apply 12 changes' }).waitFor();
});

testInFull('the comparison of a sandbox that has not changed since then is empty', async () => {
  const { sandbox_id, root, addItem } = await makeSandbox(web);
  await addItem('Axe');
  const at = new Date(Date.now() + 60_000).toISOString();
  const address = `${root}/compare-sandboxes?source=${sandbox_id}&at=${at}`;
  const page = await web.open(address, { as: 'viewer', ...PHONE });
  await page.getByText('Nothing has changed since then').waitFor();
  await expectToFitPhone(page);
});
