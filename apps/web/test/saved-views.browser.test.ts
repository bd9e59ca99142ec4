// Columns and saved views of the lists of Items and Xp tables, in a real browser.
import { expect } from 'vitest';
import { expectNoAxeViolationsEveryDay, expectToFitPhone } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { makeSandbox } from './support/sandboxes.ts';
import type { Page } from './support/web.ts';
import { PHONE, shareWeb } from './support/web.ts';

const web = shareWeb();

const editor = { as: 'editor' } as const;

const addWeapons = async () => {
  const sandbox = await makeSandbox(web);
  await sandbox.addItem('Axe', { custom_data: { price: '100', rarity: 'rare', weight: '7' } });
  await sandbox.addItem('Bow', { custom_data: { price: '80' } });
  return sandbox;
};

const headersOf = (page: Page): Promise<string[]> =>
  page.getByRole('columnheader').allTextContents();

const openColumns = async (page: Page) => {
  await page.getByRole('button', { name: 'Columns' }).click();
  return page.getByRole('dialog', { name: 'Columns' });
};

testInFull('a saved view shows its columns again', async () => {
  const { items } = await addWeapons();
  const page = await web.open(items, editor);
  await page.getByRole('link', { name: 'Axe' }).waitFor();
  const choice = await openColumns(page);
  for (const name of ['price', 'rarity', 'weight']) {
    await choice.getByRole('checkbox', { name }).check();
  }
  await choice.getByRole('textbox', { name: 'Save as a view' }).fill('Prices');
  await page.keyboard.press('Enter');
  await page.getByText('Saved the view "Prices".').waitFor();
  await expectNoAxeViolationsEveryDay(page);
  await page.keyboard.press('Escape');
  const headers = await headersOf(page);
  expect(headers.slice(-3)).toEqual(['price', 'rarity', 'weight']);
  const axe = page.getByRole('row').filter({ hasText: 'Axe' });
  await axe.getByRole('cell', { name: '100', exact: true }).waitFor();
  await page.goto(items);
  await page.getByRole('button', { name: 'Views' }).click();
  await page
    .getByRole('dialog', { name: 'Views' })
    .getByRole('button', { name: 'Prices', exact: true })
    .click();
  await axe.getByRole('cell', { name: '100', exact: true }).waitFor();
  expect(await headersOf(page)).toEqual(headers);
});

testInFull('columns are ordered, and a key that no loaded row has can be added', async () => {
  const { items } = await addWeapons();
  const page = await web.open(items, editor);
  await page.getByRole('link', { name: 'Axe' }).waitFor();
  const choice = await openColumns(page);
  await choice.getByRole('textbox', { name: 'Another custom data key' }).fill('a,b é');
  await page.keyboard.press('Enter');
  await choice.getByRole('checkbox', { name: 'a,b é', checked: true }).waitFor();
  await choice.getByRole('button', { name: 'Move Version to the left' }).click();
  await expect.poll(async () => (await headersOf(page)).indexOf('Version')).toBe(3);
  await page.reload();
  await page.getByRole('columnheader', { name: 'a,b é' }).waitFor();
  const headers = (await headersOf(page)).filter((header) => header !== '');
  expect(headers.slice(0, 4)).toEqual(['Name', 'Item type', 'Version', 'Tags']);
  expect(headers.at(-1)).toBe('a,b é');
});

testInFull(
  'a shared view keeps filters and sort, and others open but cannot change it',
  async () => {
    const { items } = await addWeapons();
    const page = await web.open(`${items}?name=a&sort=-name`, editor);
    await page.getByRole('link', { name: 'Axe' }).waitFor();
    await page.getByRole('button', { name: 'Views' }).click();
    const views = page.getByRole('dialog', { name: 'Views' });
    await views.getByText('There is no saved view of Items yet.').waitFor();
    await views.getByRole('textbox', { name: 'Save as a view' }).fill('With an a');
    await views.getByRole('checkbox', { name: /^Share/ }).check();
    await views.getByRole('button', { name: 'Save', exact: true }).click();
    await views.getByText('shared').waitFor();
    await expectNoAxeViolationsEveryDay(page);

    const viewer = await web.open(items, { as: 'viewer', ...PHONE });
    await viewer.getByRole('link', { name: 'Bow' }).waitFor();
    await viewer.getByRole('button', { name: 'Views' }).click();
    const shared = viewer.getByRole('dialog', { name: 'Views' });
    await shared.getByText('shared').waitFor();
    await expectToFitPhone(viewer);
    expect(await shared.getByRole('button', { name: 'Remove: With an a' }).count()).toBe(0);
    await shared.getByRole('button', { name: 'With an a', exact: true }).click();
    await viewer.getByText('1 Item', { exact: true }).waitFor();
    const { searchParams } = new URL(viewer.url());
    expect([searchParams.get('name'), searchParams.get('sort')]).toEqual(['a', '-name']);

    await views.getByRole('button', { name: 'Remove: With an a' }).click();
    await views.getByText('There is no saved view of Items yet.').waitFor();
  },
);
