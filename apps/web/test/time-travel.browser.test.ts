// The records of a past moment: compared with now, restored and exported, in a real browser.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { expectNoAxeViolationsEveryDay, expectToFitPhone } from './support/accessibility.ts';
import { makeSandbox } from './support/sandboxes.ts';
import { PHONE, shareWeb } from './support/web.ts';

const web = shareWeb();

const editor = { as: 'editor', timezoneId: 'UTC' } as const;

const dayBefore = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

type Listed = { records: { item_id: string; name: string; custom_data: { price: string } }[] };

/** Twelve swords and a shield that are two days old. Today the swords got cheaper, and one was deleted. */
const makePast = async (days = 2) => {
  const sandbox = await makeSandbox(web);
  const { sandbox_id } = sandbox;
  const names = Array.from(
    { length: 12 },
    (_, index) => `Sword ${String(index + 1).padStart(2, '0')}`,
  );
  const fields = { operation: 'create', item_type: 'unit', custom_data: { price: '100' } };
  const operations = [...names, 'Shield'].map((name) => ({ ...fields, name }));
  const made = await web.call<Listed>('items.bulk', { sandbox_id, operations });
  await web.withDatabase(async ({ pool }) => {
    const earlier = `- interval '${days} days' WHERE sandbox_id = $1::uuid`;
    await pool.query(`UPDATE catalogue_version SET issued_at = issued_at ${earlier}`, [sandbox_id]);
    await pool.query(`UPDATE catalogue_record SET created_at = created_at ${earlier}`, [
      sandbox_id,
    ]);
  });
  const swords = made.records.filter(({ name }) => name.startsWith('Sword'));
  const cheaper = swords.map(({ item_id }) => {
    const custom_data = { price: '50' };
    return { operation: 'update', item_id, expected_version: 1, custom_data };
  });
  await web.call('items.bulk', { sandbox_id, operations: cheaper });
  await sandbox.deleteItem(swords[0]?.item_id ?? '', 2);
  await sandbox.addItem('Sword of today');
  const readPrices = async () => {
    const list = await web.call<Listed>('items.list', { sandbox_id, name: 'Sword 0' });
    return list.records.map(({ custom_data }) => custom_data.price);
  };
  return { ...sandbox, readPrices };
};

test('a new user restores 12 Items to yesterday in eight actions', async () => {
  const { root, readPrices } = await makePast();
  const page = await web.open(root, editor);
  const time = page.getByRole('textbox', { name: 'Time', exact: true });
  const actions = [
    () => page.getByRole('navigation').getByRole('link', { name: 'History' }).click(),
    () => page.getByText('Point in time').click(),
    () => time.fill(`${dayBefore(1)} 12:00`),
    () => page.getByRole('textbox', { name: 'Name at that time' }).fill('sword'),
    () => page.getByRole('checkbox', { name: 'Select all loaded rows' }).check(),
    () => page.getByRole('button', { name: 'Restore 12 …' }).click(),
    () => page.getByRole('button', { name: 'Apply 12 changes' }).click(),
  ];
  for (const act of actions.slice(0, 4)) await act();
  await page.getByText('12 records').waitFor();
  await expectNoAxeViolationsEveryDay(page);
  for (const act of actions.slice(4)) await act();
  await page.getByRole('link', { name: 'Show the edit in the history' }).waitFor();
  expect(actions.length).toBeLessThanOrEqual(8);
  expect(await readPrices()).toEqual(Array(9).fill('100'));
});

test('all that match are restored, and a record is compared with now', async () => {
  const { root, readPrices } = await makePast();
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

test('the export has the records as they were', async () => {
  const { root } = await makePast();
  const address = `${root}/history?view=as-of&at=${dayBefore(1)}T12:00:00.000Z`;
  const page = await web.open(address, editor);
  await page.getByText('13 records').waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /NDJSON/ }).click();
  const text = await readFile(await (await downloading).path(), 'utf8');
  const items: Listed['records'] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(items).toHaveLength(13);
  expect(new Set(items.map(({ custom_data }) => custom_data.price))).toEqual(new Set(['100']));
});

test('a viewer compares but cannot restore, and the page fits a phone', async () => {
  const { root } = await makePast();
  const address = `${root}/history?view=as-of`;
  const page = await web.open(address, { as: 'viewer', ...PHONE });
  await page.getByRole('link', { name: 'Sword 02' }).waitFor();
  await page.getByRole('button', { name: 'Restore all …', disabled: true }).waitFor();
  expect(await page.getByRole('checkbox', { name: 'Select row' }).count()).toBe(0);
  await expectToFitPhone(page);
});

test('a new user compares a sandbox with last week in four actions', async () => {
  const { root, name } = await makePast(9);
  const page = await web.open(root, editor);
  const actions = [
    () => page.getByRole('navigation').getByRole('link', { name: 'Compare sandboxes' }).click(),
    () => page.getByRole('combobox', { name: 'From' }).click(),
    () => page.getByRole('option', { name: `${name} in the past` }).click(),
  ];
  for (const act of actions) await act();
  expect(actions.length).toBeLessThanOrEqual(4);
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

test('the comparison of a sandbox that has not changed since then is empty', async () => {
  const { sandbox_id, root, addItem } = await makeSandbox(web);
  await addItem('Axe');
  const at = new Date(Date.now() + 60_000).toISOString();
  const address = `${root}/compare-sandboxes?source=${sandbox_id}&at=${at}`;
  const page = await web.open(address, { as: 'viewer', ...PHONE });
  await page.getByText('Nothing has changed since then').waitFor();
  await expectToFitPhone(page);
});
