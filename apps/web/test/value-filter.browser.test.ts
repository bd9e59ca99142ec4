// The filter by value of a list of records: built, linked, removed, and used for an export.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { makeSandbox } from './support/sandboxes.ts';
import type { Page } from './support/web.ts';
import { shareWeb } from './support/web.ts';

const web = shareWeb();

const addWeapons = async () => {
  const sandbox = await makeSandbox(web);
  const add = (name: string, price: string, rarity: string, tags: string[]) =>
    sandbox.addItem(name, { tags, custom_data: { price, rarity } });
  await add('Axe', '1000', 'legendary', ['axe']);
  await add('Bow', '600', 'Legendary', ['bow']);
  await add('Club', '90', 'legendary', ['club']);
  await add('Dagger', '700', 'common', ['dagger']);
  return sandbox;
};

const namesOf = (page: Page) => page.getByRole('row').getByRole('link').allTextContents();

/** A key that is pressed before the form has moved the focus goes to another field. */
const expectFocus = (field: ReturnType<Page['locator']>) =>
  expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);

/** Types a condition with the keyboard only. */
const addByKeyboard = async (page: Page, field: string, comparison: string, value: string) => {
  await page.getByRole('button', { name: 'Filter by value' }).focus();
  await page.keyboard.press('Enter');
  await expectFocus(page.getByRole('combobox', { name: 'Field or custom data key' }));
  await page.keyboard.type(field);
  await page.keyboard.press('Tab');
  await expectFocus(page.getByRole('combobox', { name: 'Comparison' }));
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option', { name: comparison, exact: true }).waitFor();
  while ((await page.locator('[data-combobox-selected]').textContent()) !== comparison) {
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type(value);
  await page.keyboard.press('Enter');
};

test('conditions are built by keyboard, compare numbers, and are in the URL', async () => {
  const sandbox = await addWeapons();
  const page = await web.open(sandbox.items, { as: 'viewer' });
  await page.getByRole('link', { name: 'Club' }).waitFor();
  await addByKeyboard(page, 'price', 'is more than', '500');
  await page.getByText('3 Items').waitFor();
  await addByKeyboard(page, 'rarity', 'is', 'legendary');
  await page.getByText('2 Items').waitFor();
  expect(await namesOf(page)).toEqual(['Axe', 'Bow']);
  expect(JSON.parse(new URL(page.url()).searchParams.get('where') ?? '')).toEqual({
    and: [
      { field: 'custom_data.price', op: 'gt', value: '500' },
      { field: 'custom_data.rarity', op: 'eq', value: 'legendary' },
    ],
  });
  await expectNoAxeViolations(page);
  await page.reload();
  await page.getByText('2 Items').waitFor();
  await page.getByText('Any of').click();
  await page.getByText('4 Items').waitFor();
  await page.getByRole('button', { name: 'Remove the filter: price is more than 500' }).click();
  await page.getByText('3 Items').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('4 Items').waitFor();
});

testInFull('the form suggests fields and keys, and explains what is missing', async () => {
  const sandbox = await addWeapons();
  const page = await web.open(sandbox.items, { as: 'viewer' });
  await page.getByRole('link', { name: 'Club' }).waitFor();
  await page.getByRole('button', { name: 'Filter by value' }).click();
  const field = page.getByRole('combobox', { name: 'Field or custom data key' });
  await field.click();
  await page.getByRole('option', { name: 'rarity' }).waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole('option', { name: 'Version', exact: true }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Type a value').waitFor();
  await page.getByLabel('Value', { exact: true }).fill('first');
  await page.getByText('Type a number').waitFor();
  await page.getByLabel('Value', { exact: true }).fill('2');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Nothing matches these filters').waitFor();
});

testInFull('a filtered list is exported with two clicks', async () => {
  const sandbox = await addWeapons();
  const where = { and: [{ field: 'custom_data.price', op: 'gte', value: '600' }] };
  const query = `where=${encodeURIComponent(JSON.stringify(where))}&key=rarity&tag=bow`;
  const page = await web.open(`${sandbox.items}?${query}`, { as: 'viewer' });
  await page.getByText('1 Item', { exact: true }).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'CSV, for spreadsheets' }).click();
  const file = await readFile(await (await download).path());
  expect(file.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  const lines = file.toString('utf8').trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(',Bow,');
});

testInFull('a link with an invalid filter shows the whole list and a notice', async () => {
  const sandbox = await addWeapons();
  const where = { and: [{ field: 'levels', op: 'gt', value: '1' }] };
  const query = `where=${encodeURIComponent(JSON.stringify(where))}`;
  const page = await web.open(`${sandbox.items}?${query}`, { as: 'viewer' });
  await page.getByText('The parameter “where” in this link is unknown and was removed.').waitFor();
  await page.getByText('4 Items').waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.has('where')).toBe(false);
});
