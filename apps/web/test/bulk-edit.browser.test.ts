// Changes of many Items: described in a dialog, previewed and applied as a change set.
import { describe, expect, test } from 'vitest';
import { expectNoAxeViolations, expectToFitPhone } from './support/accessibility.ts';
import { firstOf, testInFull } from './support/extent.ts';
import { makeShop } from './support/shop.ts';
import type { Page } from './support/web.ts';
import { PHONE, shareWeb } from './support/web.ts';

const web = shareWeb();

const editor = { as: 'editor' } as const;

const choose = async (page: Page, label: string, option: string) => {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

const typeField = (page: Page, field: string) =>
  page.getByRole('combobox', { name: 'Field or custom data key' }).fill(field);

describe('an applied change', () => {
  test('is undone from its notification', async () => {
    const { items, readPrices } = await makeShop(web, ['501', '1001']);
    const page = await web.open(`${items}?tag=sword`, editor);
    const button = (name: string) => page.getByRole('button', { name });
    await button('Edit all 2 …').click();
    await typeField(page, 'price');
    await page.getByLabel('Percent').fill('-20');
    await button('Preview').click();
    await button('Apply 2 changes').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await readPrices()).toEqual(['900', '401', '801']);
    await button('Undo …').click();
    await button('Apply 2 changes').click();
    await page.getByText('Reverts').waitFor();
    await expect.poll(readPrices).toEqual(['900', '501', '1001']);
  });
});

describe('the preview', () => {
  testInFull('has its own columns, whatever columns the list behind it shows', async () => {
    const { items } = await makeShop(web, ['501']);
    const page = await web.open(`${items}?tag=sword&cols=name&sort=-name`, editor);
    await page.getByRole('button', { name: 'Edit all 1 …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit 1 Item' });
    await typeField(page, 'price');
    await page.getByLabel('Percent').fill('-20');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    const head = (name: string) => dialog.getByRole('columnheader', { name });
    await head('What').waitFor();
    await head('Fields').waitFor();
    await dialog.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Fields' }).click();
    await head('Fields').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Move What to the left' }).click();
    await expect
      .poll(() => dialog.getByRole('columnheader').allInnerTexts())
      .toEqual(['What', 'Name', 'Id']);
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({ tag: 'sword', cols: 'name', sort: '-name' });
  });
});

describe('the selection of everything that matches', () => {
  testInFull('covers rows that are not loaded, and ends when the filter changes', async () => {
    const { items, readItems } = await makeShop(
      web,
      Array.from({ length: 120 }, () => '100'),
    );
    const page = await web.open(`${items}?tag=sword`, editor);
    await page.getByText('120 Items', { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: /all/i }).click();
    await page.getByText('100 selected').waitFor();
    await page.getByRole('button', { name: 'Select all 120 that match' }).click();
    await page.getByText('120 Items selected').waitFor();
    await page.getByRole('button', { name: 'Edit …' }).click();
    await page.getByRole('dialog', { name: 'Edit 120 Items' }).waitFor();
    await typeField(page, 'Tags');
    await page.getByRole('combobox', { name: 'Tags' }).fill('sale');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Apply 120 changes' }).click();
    await page.getByText('Applied "Add tags: sale".').waitFor();
    const tagged = (await readItems()).filter(({ tags }) => tags.includes('sale'));
    expect(tagged).toHaveLength(120);
    await page.getByRole('checkbox', { name: /all/i }).click();
    await page.getByRole('button', { name: 'Select all 120 that match' }).click();
    await page.getByRole('button', { name: 'Delete …' }).click();
    await page.getByRole('dialog', { name: 'Delete 120 Items' }).waitFor();
    await page.getByRole('button', { name: 'Apply 120 changes' }).click();
    await page.getByText('Applied "Delete 120 Items".').waitFor();
    await expect.poll(async () => (await readItems()).map(({ name }) => name)).toEqual(['Axe']);
  });
});

describe('the dialog', () => {
  testInFull(
    'lists what cannot be computed, leaves it out, and discards what is not applied',
    async () => {
      const { items, readPrices, listSets } = await makeShop(web, ['10', 'free']);
      const page = await web.open(items, editor);
      await page.getByRole('checkbox', { name: /all/i }).click();
      await page.getByRole('button', { name: 'Edit …' }).click();
      const dialog = page.getByRole('dialog', { name: 'Edit 3 Items' });
      await dialog.getByRole('button', { name: 'Preview' }).click();
      await dialog.getByText('Choose a field, or type a key').waitFor();
      await typeField(page, 'price');
      await choose(page, 'Change', 'Multiply by');
      await dialog.getByLabel('Factor').fill('0.8');
      await dialog.getByRole('button', { name: 'Preview' }).click();
      await dialog.getByText('1 change cannot be applied').waitFor();
      await dialog.getByText('custom_data.price is not a number: "free".').waitFor();
      // The pointer may be on a disabled button, whose reason would be checked as content of the page.
      await page.mouse.move(0, 0);
      await page.getByRole('tooltip').waitFor({ state: 'detached' });
      await expectNoAxeViolations(page);
      await dialog.getByRole('button', { name: 'Back' }).click();
      expect(await dialog.getByLabel('Factor').inputValue()).toBe('0.8');
      await expect.poll(listSets).toEqual([]);
      await dialog.getByRole('button', { name: 'Preview' }).click();
      await dialog.getByRole('button', { name: 'Leave these out' }).click();
      await dialog.getByRole('button', { name: 'Apply 2 changes' }).waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(listSets).toEqual([]);
      expect(await readPrices()).toEqual(['900', '10', 'free']);
    },
  );

  testInFull('makes several changes at once, and keeps them as a change set', async () => {
    const { items, root } = await makeShop(web, ['10']);
    const page = await web.open(items, editor);
    const row = page.getByRole('row', { name: /Sword/ });
    await row.getByRole('checkbox').click();
    await page.getByRole('button', { name: 'Edit …' }).click();
    const changes = page.getByRole('group', { name: 'Change' });
    const field = (index: number) =>
      changes.nth(index).getByRole('combobox', { name: 'Field or custom data key' });
    await field(0).fill('Item type');
    await changes.nth(0).getByRole('combobox', { name: 'Value' }).click();
    await page.getByRole('option', { name: 'Recipe', exact: true }).click();
    await page.getByRole('button', { name: 'Change another field' }).click();
    await field(1).fill('Name');
    await changes.nth(1).getByLabel('Find').fill('Sword');
    await changes.nth(1).getByLabel('Replace with').fill('Blade');
    await page.getByLabel('Reason').fill('Season 4');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Apply 1 change' }).waitFor();
    await page.getByRole('link', { name: 'Keep as a change set' }).click();
    await page.getByRole('heading', { name: 'Set Item type to Recipe and 1 more' }).waitFor();
    await page.getByText('Season 4').waitFor();
    await page.getByRole('button', { name: 'Apply 1 change' }).click();
    await page.getByRole('link', { name: 'Show the edit in the history' }).waitFor();
    await page.goto(new URL(`${root}/items`, page.url()).href);
    await page.getByRole('row', { name: /Blade 001.*Recipe/ }).waitFor();
  });

  testInFull(
    'submits the changes where a review is required, and keeps them after it closes',
    async () => {
      const { items, sandbox_id, root } = await makeShop(web, ['10']);
      await web.call('sandboxes.update', { sandbox_id, required_approvals: 1 });
      const page = await web.open(`${items}?name=sword`, editor);
      await page.getByRole('button', { name: 'Edit all 1 …' }).click();
      await typeField(page, 'price');
      await page.getByLabel('Percent').fill('10');
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('button', { name: 'Submit for review' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.goto(new URL(`${root}/change-sets?state=in_review`, page.url()).href);
      await page.getByRole('link', { name: 'Change price by 10 %' }).click();
      await page.getByText('0 of 1 required approval').waitFor();
      await page.getByText('price: 10 → 11').waitFor();
    },
  );

  testInFull('does not apply over a later edit of the same value', async () => {
    const { items, addItem, editItem, readPrices } = await makeShop(web, []);
    const { item_id } = await addItem('Bow', { custom_data: { price: '10' } });
    const page = await web.open(`${items}?key=price`, {
      ...editor,
      expectedErrors: [/status of 409/],
    });
    await page.getByRole('button', { name: 'Edit all 2 …' }).click();
    await typeField(page, 'price');
    await page.getByLabel('Percent').fill('−20 %');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Apply 2 changes' }).waitFor();
    await editItem(item_id, 1, { custom_data: { price: '11' } });
    await page.getByRole('button', { name: 'Apply 2 changes' }).click();
    await page
      .getByText(/conflicts with this change/)
      .first()
      .waitFor();
    expect(await readPrices()).toEqual(['900', '11']);
  });

  test.each(firstOf([['light'], ['dark']] as const))('fits a phone (%s)', async (colorScheme) => {
    const { items } = await makeShop(web, ['10']);
    const page = await web.open(`${items}?name=sword`, { ...editor, ...PHONE });
    await page.emulateMedia({ colorScheme });
    await page.getByRole('button', { name: 'Edit all 1 …' }).click();
    await typeField(page, 'price');
    await page.getByLabel('Percent').fill('5');
    await expectToFitPhone(page);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Apply 1 change' }).waitFor();
    await expectToFitPhone(page);
    await expectNoAxeViolations(page);
  });
});
