// Pastes a column of a spreadsheet into a list, as a change set.
import { expect, test } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { makeSandbox } from './support/sandboxes.ts';
import type { Page } from './support/web.ts';
import { shareWeb } from './support/web.ts';

const web = shareWeb();

/** Opens a list, and waits until its cells can be edited. */
const openList = async (address: string, options: { expectedErrors?: RegExp[] } = {}) => {
  const page = await web.open(address, { as: 'editor', ...options });
  await page.locator('[data-edits-cells]').waitFor({ state: 'attached' });
  return page;
};

const makeList = async () => {
  const sandbox = await makeSandbox(web);
  const addPriced = (name: string) =>
    sandbox.addItem(name, { custom_data: { price: '100', rarity: 'rare' } });
  const axe = await addPriced('Axe');
  const bow = await addPriced('Bow');
  await addPriced('Club');
  const readPrices = async () => {
    const { sandbox_id } = sandbox;
    const { records } = await web.call<{ records: { custom_data: { price: string } }[] }>(
      'items.list',
      { sandbox_id, sort: 'name' },
    );
    return records.map(({ custom_data }) => custom_data.price);
  };
  const list = `${sandbox.items}?cols=name%2Ccustom_data.price&sort=name`;
  const deleteBow = () => sandbox.deleteItem(bow.item_id, 1);
  const ids = { axe_id: axe.item_id, bow_id: bow.item_id };
  return { ...sandbox, ...ids, list, readPrices, deleteBow };
};

/** Clicks a cell and pastes a text there, as Ctrl+V does. */
const paste = async (cell: ReturnType<Page['locator']>, text: string) => {
  await cell.click();
  await cell.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    element.dispatchEvent(event);
  }, text);
};

const priceOf = (page: Page, row: RegExp) =>
  page.getByRole('row', { name: row }).locator('td[data-column="custom_data.price"]');

test('a column is pasted from a cell downwards, previewed and applied as one edit', async () => {
  const { list, readPrices } = await makeList();
  const page = await openList(list);
  await paste(priceOf(page, /Axe/), '0.10\r\n250\r\n');
  const dialog = page.getByRole('dialog', { name: 'Paste 2 lines' });
  await dialog.getByText('Into 2 rows, beginning with "Axe".').waitFor();
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Apply 2 changes' }).click();
  await page.getByText('Applied "Paste 2 lines into price".').waitFor();
  expect(await readPrices()).toEqual(['0.10', '250', '100']);
});

testInFull(
  'lines go to the selected rows, and different numbers of both are explained',
  async () => {
    const { list, readPrices } = await makeList();
    const page = await openList(list);
    for (const name of [/Axe/, /Club/]) {
      await page.getByRole('row', { name }).getByRole('checkbox').click();
    }
    await paste(priceOf(page, /Axe/), '1\n2\n3');
    const dialog = page.getByRole('dialog', { name: 'Paste 3 lines' });
    await dialog.getByText('3 lines for 2 rows. The last line is not used.').waitFor();
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Apply 2 changes' }).click();
    await page.getByText('Applied "Paste 3 lines into price".').waitFor();
    expect(await readPrices()).toEqual(['1', '100', '2']);
  },
);

testInFull('the line of a deleted row is left out', async () => {
  const { list, readPrices, deleteBow } = await makeList();
  await deleteBow();
  const page = await openList(`${list}&deleted=true`);
  await page.getByRole('row', { name: /Bow/ }).waitFor();
  await paste(priceOf(page, /Axe/), '1\n2\n3');
  const dialog = page.getByRole('dialog', { name: 'Paste 3 lines' });
  await dialog.getByText('1 deleted row will not change.').waitFor();
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Apply 2 changes' }).click();
  await page.getByText('Applied "Paste 3 lines into price".').waitFor();
  expect(await readPrices()).toEqual(['1', '3']);
});

testInFull('nothing is pasted while some of the selected rows are not loaded', async () => {
  const { list, axe_id, bow_id } = await makeList();
  const page = await openList(`${list}&name=Axe&sel=${axe_id}%2C${bow_id}`);
  await paste(priceOf(page, /Axe/), '1\n2');
  const dialog = page.getByRole('dialog', { name: 'Paste 2 lines' });
  await dialog.getByText('Some of the selected rows are not loaded').waitFor();
  await expectNoAxeViolations(page);
  expect(await dialog.getByRole('button', { name: 'Preview' }).isDisabled()).toBe(true);
});

testInFull('one line opens the editor of the focused cell', async () => {
  const { list, readPrices } = await makeList();
  const page = await openList(list);
  await paste(priceOf(page, /Bow/), '75\n');
  await page.getByRole('dialog', { name: 'Edit price of Bow' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Saved price of "Bow".').waitFor();
  expect(await readPrices()).toEqual(['100', '75', '100']);
});

testInFull('a type that does not exist is a problem of its line', async () => {
  const { list } = await makeList();
  const page = await openList(list.replace('custom_data.price', 'item_type'));
  const type = page.getByRole('row', { name: /Axe/ }).locator('td[data-column="item_type"]');
  await paste(type, 'Entitlement\nweapon');
  const dialog = page.getByRole('dialog', { name: 'Paste 2 lines' });
  await dialog.getByText('Line 2: "weapon" is not a value of Item type.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Preview' }).isDisabled()).toBe(true);
});
