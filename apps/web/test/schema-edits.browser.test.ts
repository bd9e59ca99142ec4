// Edits of Items whose type has a schema: in a cell of the list, of many Items, and of values that do not fit.
import { expect, test } from 'vitest';
import { expectNoAxeViolationsEveryDay } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { makeSandbox } from './support/sandboxes.ts';
import { shareWeb } from './support/web.ts';

const web = shareWeb();

const editor = { as: 'editor' } as const;

const FIELDS = [
  { key: 'price', type: 'number', required: true, label: 'Price' },
  { key: 'rarity', type: 'choice', choices: ['common', 'rare'] },
  { key: 'is_new', type: 'boolean' },
];

/** The Item has a price that does not fit. */
const makeShop = async () => {
  const sandbox = await makeSandbox(web);
  const { sandbox_id } = sandbox;
  const custom_data = { price: 'cheap', rarity: 'rare' };
  const { item_id } = await sandbox.addItem('Axe', { custom_data });
  await web.call('itemSchemas.set', {
    sandbox_id,
    item_type: 'unit',
    fields: FIELDS,
    expected_version: 0,
  });
  const readAxe = () => web.call('items.get', { sandbox_id, item_id });
  return { ...sandbox, item_id, readAxe };
};

test('a cell has the input of its schema, which refuses a value that does not fit', async () => {
  const { items, readAxe } = await makeShop();
  const columns = 'name,custom_data.price,custom_data.rarity,custom_data.is_new';
  const page = await web.open(`${items}?cols=${encodeURIComponent(columns)}`, editor);
  await page.locator('[data-edits-cells]').waitFor({ state: 'attached' });
  const cell = (key: string) => page.locator(`tbody td[data-column="custom_data.${key}"]`);

  await cell('price').dblclick();
  const form = page.getByRole('dialog', { name: 'Edit Price of Axe' });
  const price = form.getByRole('textbox', { name: 'Price of Axe' });
  await form.getByText('you can keep it').waitFor();
  await expectNoAxeViolationsEveryDay(page);
  await price.fill('free');
  await form.getByText('Must be a number in decimal digits.', { exact: true }).waitFor();
  await page.keyboard.press('Enter');
  expect(await price.evaluate((input) => input === document.activeElement)).toBe(true);
  await expectNoAxeViolationsEveryDay(page);
  await price.fill('4.5');
  await page.keyboard.press('Enter');
  await page.getByText('Saved Price of "Axe".').waitFor();

  await cell('rarity').dblclick();
  const rarity = page.getByRole('combobox', { name: 'rarity of Axe' });
  expect(await rarity.locator('option').allInnerTexts()).toEqual(['None', 'common', 'rare']);
  await rarity.selectOption('common');
  await page.keyboard.press('Enter');
  await page.getByText('Saved rarity of "Axe".').waitFor();

  await cell('is_new').dblclick();
  await page.getByRole('combobox', { name: 'is_new of Axe' }).selectOption('true');
  await page.keyboard.press('Enter');
  await page.getByText('Saved is_new of "Axe".').waitFor();
  expect(await readAxe()).toMatchObject({
    custom_data: { price: '4.5', rarity: 'common', is_new: 'true' },
  });
});

testInFull(
  'a change of many Items offers the choices of a key, and refuses another value',
  async () => {
    const { items, readAxe } = await makeShop();
    const page = await web.open(`${items}?name=axe`, editor);
    await page.getByRole('button', { name: 'Edit all 1 …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit 1 Item' });
    const key = dialog.getByRole('combobox', { name: 'Field or custom data key' });
    await key.fill('is');
    await page.getByRole('option', { name: 'is_new' }).click();
    await dialog.getByRole('combobox', { name: 'Value' }).selectOption('true');
    await key.fill('price');
    await dialog.getByRole('combobox', { name: 'Change' }).click();
    await page.getByRole('option', { name: 'Set to' }).click();
    await dialog.getByRole('textbox', { name: 'Value' }).fill('free');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('Must be a number in decimal digits').waitFor();
    await key.fill('rarity');
    await dialog.getByRole('combobox', { name: 'Value' }).selectOption('common');
    await expectNoAxeViolationsEveryDay(page);
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('button', { name: 'Apply 1 change' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await readAxe()).toMatchObject({ custom_data: { price: 'cheap', rarity: 'common' } });
  },
);

testInFull(
  'a change of Items that are not all loaded also takes values of other item types',
  async () => {
    const { sandbox_id, items } = await makeSandbox(web);
    const setRarities = (item_type: string, choices: string[]) =>
      web.call('itemSchemas.set', {
        sandbox_id,
        item_type,
        fields: [{ key: 'rarity', type: 'choice', choices }],
        expected_version: 0,
      });
    await setRarities('unit', ['common', 'rare']);
    await setRarities('recipe', ['epic']);
    // The list loads 100 Items at once, by name.
    const units = Array.from({ length: 100 }, (_, index) => ({
      name: `Axe ${String(index).padStart(2, '0')}`,
      item_type: 'unit',
    }));
    const operations = [...units, { name: 'Axe of bronze', item_type: 'recipe' }].map((item) => ({
      operation: 'create',
      ...item,
    }));
    await web.call('items.bulk', { sandbox_id, operations });
    const page = await web.open(`${items}?name=axe`, editor);
    await page.getByRole('button', { name: 'Edit all 101 …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit 101 Items' });
    await dialog.getByRole('combobox', { name: 'Field or custom data key' }).fill('rarity');
    await dialog.getByRole('textbox', { name: 'Value' }).fill('epic');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('100 changes cannot be applied').waitFor();
  },
);

testInFull(
  'the form warns of an old value that does not fit, and saves other changes',
  async () => {
    const { items, item_id, readAxe } = await makeShop();
    const page = await web.open(`${items}/${item_id}`, editor);
    const price = page.getByRole('textbox', { name: 'Price' });
    const warning = page.getByText('must be a number in decimal digits; you can keep it.');
    await warning.waitFor();
    expect(await price.getAttribute('aria-invalid')).not.toBe('true');
    await expectNoAxeViolationsEveryDay(page);
    await price.fill('free');
    await page.getByText('Must be a number in decimal digits.', { exact: true }).waitFor();
    await warning.waitFor({ state: 'detached' });
    expect(await price.getAttribute('aria-invalid')).toBe('true');
    await price.fill('cheap');
    await warning.waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Battle axe');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect
      .poll(readAxe)
      .toMatchObject({ name: 'Battle axe', custom_data: { price: 'cheap' } });
  },
);
