// Lists that are sorted by a column of custom data, in a real browser.
import { expect } from 'vitest';
import { expectNoAxeViolationsEveryDay } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { makeSandbox } from './support/sandboxes.ts';
import type { Page } from './support/web.ts';
import { shareWeb } from './support/web.ts';

const web = shareWeb();

const namesOf = (page: Page): Promise<string[]> =>
  page.locator('td[data-column="name"] a').allTextContents();

testInFull(
  'the header of a column of custom data sorts the list, and a saved view keeps the sort',
  async () => {
    const { items, addItem } = await makeSandbox(web);
    const prices = { Axe: '100', Bow: '80', Club: 'none', Dart: '9' };
    for (const [name, price] of Object.entries(prices)) {
      await addItem(name, { custom_data: { 'price, €': price } });
    }
    await addItem('Elf');
    const column = `custom_data.${encodeURIComponent('price, €')}`;
    const page = await web.open(`${items}?cols=${encodeURIComponent(`name,${column}`)}`, {
      as: 'editor',
    });
    await expect.poll(() => namesOf(page)).toEqual(['Axe', 'Bow', 'Club', 'Dart', 'Elf']);
    const header = page.getByRole('columnheader', { name: 'price, €' });
    expect(await header.getAttribute('aria-sort')).toBe('none');
    const button = header.getByRole('button');
    await button.click();
    await expect.poll(() => namesOf(page)).toEqual(['Dart', 'Bow', 'Axe', 'Club', 'Elf']);
    expect(await header.getAttribute('aria-sort')).toBe('ascending');
    await button.press('Enter');
    await expect.poll(() => namesOf(page)).toEqual(['Axe', 'Bow', 'Dart', 'Club', 'Elf']);
    expect(await header.getAttribute('aria-sort')).toBe('descending');
    await page.reload();
    await expect.poll(() => namesOf(page)).toEqual(['Axe', 'Bow', 'Dart', 'Club', 'Elf']);
    await expectNoAxeViolationsEveryDay(page);
    await page.getByRole('button', { name: 'Views' }).click();
    const views = page.getByRole('dialog', { name: 'Views' });
    await views.getByRole('textbox', { name: 'Save as a view' }).fill('Expensive first');
    await page.keyboard.press('Enter');
    await page.getByText('Saved the view "Expensive first".').waitFor();
    await page.goto(items);
    await expect.poll(() => namesOf(page)).toEqual(['Axe', 'Bow', 'Club', 'Dart', 'Elf']);
    await page.getByRole('button', { name: 'Views' }).click();
    await views.getByRole('button', { name: 'Expensive first', exact: true }).click();
    await expect.poll(() => namesOf(page)).toEqual(['Axe', 'Bow', 'Dart', 'Club', 'Elf']);
  },
);
