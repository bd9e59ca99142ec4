// Schemas of item types, and the form of an Item that has one, in a real browser.
import { expect, test } from 'vitest';
import { expectNoAxeViolationsEveryDay, expectToFitPhone } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { makeSandbox } from './support/sandboxes.ts';
import { PHONE, shareWeb } from './support/web.ts';

const web = shareWeb();

const editor = { as: 'editor' } as const;

const FIELDS = [
  { key: 'price', type: 'number', required: true, label: 'Price', default: '10' },
  { key: 'rarity', type: 'choice', choices: ['common', 'rare'] },
];

const setSchema = (sandbox_id: string, fields: readonly object[] = FIELDS) =>
  web.call('itemSchemas.set', { sandbox_id, item_type: 'unit', fields, expected_version: 0 });

test('a schema is made, and lists the Items whose values do not fit', async () => {
  const { sandbox_id, addItem } = await makeSandbox(web);
  await addItem('Axe', { custom_data: { price: 'cheap' } });
  const page = await web.open(`/s/${sandbox_id}/schemas`, editor);
  await page.getByRole('button', { name: 'Add a field' }).click();
  await page.getByRole('textbox', { name: 'Key' }).fill('price');
  await page.getByRole('combobox', { name: 'Type', exact: true }).selectOption('Number');
  await page.getByRole('checkbox', { name: 'Required' }).check();
  await page.getByRole('button', { name: 'Save the schema' }).click();
  await page.getByText('The schema of Unit is saved.').waitFor();
  await page.getByText('1 Item', { exact: true }).waitFor();
  await page.getByText('price (cheap): Must be a number in decimal digits').waitFor();
  await page.getByText('Version 1: price.').waitFor();
  await expectNoAxeViolationsEveryDay(page);
  await page.setViewportSize(PHONE.viewport);
  await expectToFitPhone(page);
  await page.getByRole('link', { name: 'Axe' }).click();
  await page.getByRole('textbox', { name: 'price' }).fill('5');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved as version 2.').waitFor();
  await page.goBack();
  await page.getByText('All values fit.').waitFor();
});

testInFull('the fields cannot be changed while the schema is saved', async () => {
  const { sandbox_id } = await makeSandbox(web);
  const page = await web.open(`/s/${sandbox_id}/schemas`, editor);
  const stored = Promise.withResolvers<void>();
  await page.route('**/admin/trpc/itemSchemas.set', async (route) => {
    await stored.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Add a field' }).click();
  const key = page.getByRole('textbox', { name: 'Key' });
  await key.fill('weight');
  await page.getByRole('button', { name: 'Save the schema' }).click();
  await expect.poll(() => key.isDisabled()).toBe(true);
  stored.resolve();
  await page.getByText('Version 1: weight.').waitFor();
  await expect.poll(() => key.isEnabled()).toBe(true);
});

test('a new Item has the inputs and defaults of its schema, and a refusal names the input', async () => {
  const { sandbox_id, items } = await makeSandbox(web);
  await setSchema(sandbox_id);
  const page = await web.open(`${items}/new`, {
    ...editor,
    expectedErrors: [/422/],
  });
  const price = page.getByRole('textbox', { name: 'Price' });
  expect(await price.inputValue()).toBe('10');
  await page.getByRole('textbox', { name: 'Name' }).fill('Sword');
  await price.fill('cheap');
  await page.getByText('Must be a number in decimal digits.').waitFor();
  await price.fill('');
  await page.getByRole('combobox', { name: 'rarity' }).selectOption('rare');
  await page.getByRole('button', { name: 'Create Item' }).click();
  await page.getByText('Is required.', { exact: true }).waitFor();
  await expectNoAxeViolationsEveryDay(page);
  await price.fill('12.5');
  await page.getByRole('button', { name: 'Create Item' }).click();
  await page.getByText('Item "Sword" was created.').waitFor();
});

testInFull('fields are reordered with the keyboard, and the form of an Item follows', async () => {
  const { sandbox_id, items } = await makeSandbox(web);
  await setSchema(sandbox_id);
  const page = await web.open(`/s/${sandbox_id}/schemas`, editor);
  const up = page.getByRole('button', { name: 'Move rarity up' });
  const down = page.getByRole('button', { name: 'Move rarity down' });
  expect(await down.isDisabled()).toBe(true);
  await up.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => up.isDisabled()).toBe(true);
  // The button at the end of the list is disabled, so the other one has the focus.
  await expect.poll(() => down.evaluate((button) => button === document.activeElement)).toBe(true);
  await expectNoAxeViolationsEveryDay(page);
  await page.getByRole('button', { name: 'Save the schema' }).click();
  await page.getByText('Version 2: rarity, price.').waitFor();
  await page.goto(`${new URL(page.url()).origin}${items}/new`);
  const labels = page.locator('label', { hasText: /^(?:rarity|Price)/ });
  const order = ['rarity', expect.stringContaining('Price')];
  await expect.poll(() => labels.allInnerTexts()).toEqual(order);
});

testInFull(
  'a conflict keeps the typed fields until the user loads or replaces the other version',
  async () => {
    const { sandbox_id } = await makeSandbox(web);
    const page = await web.open(`/s/${sandbox_id}/schemas`, {
      ...editor,
      expectedErrors: [/409/],
    });
    await page.getByRole('button', { name: 'Add a field' }).click();
    const key = page.getByRole('textbox', { name: 'Key' });
    await key.fill('weight');
    await setSchema(sandbox_id);
    await page.getByRole('button', { name: 'Save the schema' }).click();
    await page.getByText('Version 1 was saved in the meantime').waitFor();
    expect(await key.inputValue()).toBe('weight');
    await page.getByRole('button', { name: 'Keep my fields' }).click();
    await page.getByRole('button', { name: 'Save the schema' }).click();
    await page.getByText('Version 2: weight.').waitFor();

    await key.fill('mass');
    await web.call('itemSchemas.set', {
      sandbox_id,
      item_type: 'unit',
      fields: FIELDS,
      expected_version: 2,
    });
    await page.getByRole('button', { name: 'Save the schema' }).click();
    await page.getByRole('button', { name: 'Load version 3' }).click();
    await page.getByRole('group', { name: 'Field price' }).waitFor();
    expect(await key.count()).toBe(2);
  },
);

testInFull(
  'another item type is opened only after the user discards the unsaved fields',
  async () => {
    const { sandbox_id } = await makeSandbox(web);
    const page = await web.open(`/s/${sandbox_id}/schemas`, editor);
    await page.getByRole('button', { name: 'Add a field' }).click();
    const key = page.getByRole('textbox', { name: 'Key' });
    await key.fill('weight');
    const type = page.getByRole('combobox', { name: 'Item type' });
    await type.selectOption('Entitlement');
    await page.getByRole('button', { name: 'Keep editing' }).click();
    expect(await key.inputValue()).toBe('weight');
    expect(await type.inputValue()).toBe('unit');
    await type.selectOption('Entitlement');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await key.waitFor({ state: 'detached' });
    expect(await type.inputValue()).toBe('entitlement');
  },
);

testInFull('a free key may begin with a key of the schema', async () => {
  const { sandbox_id, items } = await makeSandbox(web);
  await setSchema(sandbox_id);
  const page = await web.open(`${items}/new`, editor);
  await page.getByRole('textbox', { name: 'Name' }).fill('Sword');
  await page.getByRole('button', { name: 'Add a key' }).click();
  await page.getByRole('textbox', { name: 'Key 2', exact: true }).pressSequentially('price');
  await page.getByText('This key already exists.').waitFor();
  await page.keyboard.type('_max');
  await page.getByRole('textbox', { name: 'Value of price_max' }).fill('99');
  await page.getByRole('button', { name: 'Create Item' }).click();
  await page.getByText('Item "Sword" was created.').waitFor();
  const { records } = await web.call<{ records: { custom_data: object }[] }>('items.list', {
    sandbox_id,
  });
  expect(records[0]?.custom_data).toEqual({ price: '10', price_max: '99' });
});

test('a refused schema shows every problem, until the fields change', async () => {
  const { sandbox_id } = await makeSandbox(web);
  await setSchema(sandbox_id);
  const page = await web.open(`/s/${sandbox_id}/schemas`, {
    ...editor,
    expectedErrors: [/400|422/],
  });
  const keys = page.getByRole('textbox', { name: 'Key' });
  await page.getByRole('button', { name: 'Add a field' }).click();
  await keys.nth(2).fill('weight');
  await keys.nth(1).fill('price');
  await page.getByRole('button', { name: 'Save the schema' }).click();
  await page.getByText('Another field has this key.').waitFor();
  await page.getByRole('button', { name: 'Remove price' }).first().click();
  await page.getByText('Another field has this key.').waitFor({ state: 'detached' });
});

test('a schema with too many fields is refused', async () => {
  const { sandbox_id } = await makeSandbox(web);
  const fields = Array.from({ length: 64 }, (_, n) => ({ key: `key_${n}`, type: 'number' }));
  await setSchema(sandbox_id, fields);
  const page = await web.open(`/s/${sandbox_id}/schemas`, {
    ...editor,
    expectedErrors: [/400|422/],
  });
  await page.getByRole('button', { name: 'Add a field' }).click();
  await page.getByRole('button', { name: 'Save the schema' }).click();
  await page.getByRole('alert').getByText('Must have at most 64').waitFor();
});
