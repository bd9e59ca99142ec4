// Edits cells of a list in place, with the mouse and the keyboard.
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

const COLUMNS = 'cols=name%2Citem_type%2Ctags%2Ccustom_data.price';

const makeList = async () => {
  const sandbox = await makeSandbox(web);
  const custom_data = { price: '500', rarity: 'rare' };
  const axe = await sandbox.addItem('Axe', { custom_data, tags: ['melee'] });
  await sandbox.addItem('Bow', { custom_data: { price: '600' } });
  const { sandbox_id } = sandbox;
  const readAxe = () => web.call('items.get', { sandbox_id, item_id: axe.item_id });
  return { ...sandbox, item_id: axe.item_id, readAxe, list: `${sandbox.items}?${COLUMNS}` };
};

const cellOf = (page: Page, row: RegExp, column: string) =>
  page.getByRole('row', { name: row }).locator(`td[data-column="${column}"]`);

const saved = (page: Page, what: string) => page.getByText(`Saved ${what}.`).waitFor();

test('a cell is edited by double click and saved with a reason', async () => {
  const { list, readAxe } = await makeList();
  const page = await openList(list);
  await cellOf(page, /Axe/, 'custom_data.price').dblclick();
  const form = page.getByRole('dialog', { name: 'Edit price of Axe' });
  await form.getByRole('textbox', { name: 'price of Axe' }).fill('450');
  await form.getByRole('button', { name: 'Add a reason' }).click();
  await form.getByLabel('Reason').fill('Spring sale');
  await expectNoAxeViolations(page);
  await page.keyboard.press('Enter');
  await saved(page, 'price of "Axe"');
  await page.getByRole('row', { name: /Axe.*450/ }).waitFor();
  expect(await readAxe()).toMatchObject({
    version: 2,
    custom_data: { price: '450', rarity: 'rare' },
  });
});

test('name, type and tags are edited with the keyboard only, and Escape discards', async () => {
  const { list, readAxe } = await makeList();
  const page = await openList(list);
  await page.getByRole('row', { name: /Axe/ }).focus();
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'Name of Axe' }).fill('Battle axe');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await readAxe()).toMatchObject({ name: 'Axe', version: 1 });
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Name of Axe' }).fill('Battle axe');
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name: /Battle axe/ }).waitFor();
  const editor = page.getByRole('dialog');
  await editor.waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('F2');
  await page.getByRole('combobox', { name: 'Item type of Battle axe' }).selectOption('Entitlement');
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name: /Battle axe.*Entitlement/ }).waitFor();
  await editor.waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Tags of Battle axe' }).waitFor();
  await page.keyboard.type('two-handed');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name: /Battle axe.*two-handed/ }).waitFor();
  expect(await readAxe()).toMatchObject({
    version: 4,
    item_type: 'entitlement',
    tags: ['melee', 'two-handed'],
  });
});

testInFull('a change that is not saved keeps its editor when another cell is edited', async () => {
  const { list, readAxe } = await makeList();
  const page = await openList(list);
  await cellOf(page, /Axe/, 'custom_data.price').dblclick();
  const input = page.getByRole('textbox', { name: 'price of Axe' });
  await input.fill('450');
  // The editor covers the price of this row.
  const other = cellOf(page, /Bow/, 'name');
  const begin = [
    () => page.keyboard.press('Enter'),
    () => other.dblclick(),
    () =>
      other.evaluate((element) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', '1\n2');
        element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
      }),
  ];
  for (const act of begin) {
    await other.click();
    await act();
    expect(await input.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await input.inputValue()).toBe('450');
    expect(await page.getByRole('dialog').count()).toBe(1);
  }
  await page.keyboard.press('Enter');
  await saved(page, 'price of "Axe"');
  expect(await readAxe()).toMatchObject({ version: 2, custom_data: { price: '450' } });
});

testInFull('an edit of another person is shown, and both are kept', async () => {
  const { list, readAxe, editItem, item_id } = await makeList();
  const page = await openList(list, { expectedErrors: [/409/] });
  await cellOf(page, /Axe/, 'custom_data.price').dblclick();
  await page.getByRole('textbox', { name: 'price of Axe' }).fill('450');
  await editItem(item_id, 1, { custom_data: { price: '500', rarity: 'epic' } });
  await page.keyboard.press('Enter');
  const conflict = page.getByRole('dialog', { name: 'Someone else changed this record' });
  await conflict.getByText(/do not overlap/).waitFor();
  await conflict.getByRole('button', { name: 'Continue with this' }).click();
  await saved(page, 'price of "Axe"');
  expect(await readAxe()).toMatchObject({
    version: 3,
    custom_data: { price: '450', rarity: 'epic' },
  });
});

testInFull(
  'the edit of another person that cannot be read is an error, and Save tries again',
  async () => {
    const { list, editItem, item_id } = await makeList();
    const page = await openList(list, { expectedErrors: [/409/, /ERR_FAILED/] });
    await cellOf(page, /Axe/, 'custom_data.price').dblclick();
    await page.getByRole('textbox', { name: 'price of Axe' }).fill('450');
    await editItem(item_id, 1, { custom_data: { price: '500', rarity: 'epic' } });
    await page.route('**/items.get?**', (route) => route.abort());
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Edit price of Axe' }).getByRole('alert').waitFor();
    await page.unroute('**/items.get?**');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog', { name: 'Someone else changed this record' }).waitFor();
  },
);

testInFull('an edit waits for review where approvals are required', async () => {
  const { list, sandbox_id, readAxe } = await makeList();
  await web.call('sandboxes.update', { sandbox_id, required_approvals: 1 });
  const page = await openList(list, { expectedErrors: [/409/] });
  await cellOf(page, /Axe/, 'custom_data.price').dblclick();
  await page.getByRole('textbox', { name: 'price of Axe' }).fill('450');
  await page.keyboard.press('Enter');
  await page.getByText('This sandbox requires approvals').waitFor();
  await page.getByRole('link', { name: 'a change set' }).click();
  await page.getByRole('heading', { name: 'Change Axe' }).waitFor();
  expect(await readAxe()).toMatchObject({ version: 1 });
});

test('a viewer cannot edit cells, and a click still opens the record', async () => {
  const { list } = await makeList();
  const page = await web.open(list, { as: 'viewer' });
  await cellOf(page, /Axe/, 'custom_data.price').click();
  await page.getByRole('heading', { name: 'Axe', level: 1 }).waitFor();
});
