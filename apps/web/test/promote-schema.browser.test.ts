// Promotes the schema of an item type from one sandbox to another.
import { expect, test } from 'vitest';
import { expectNoAxeViolationsEveryDay, expectToFitPhone } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { makeSandbox } from './support/sandboxes.ts';
import { PHONE, shareWeb } from './support/web.ts';

const web = shareWeb();

const PRICE = { key: 'price', type: 'number', required: true };
const RARITY = { key: 'rarity', type: 'choice', choices: ['common', 'rare'] };
const WEIGHT = { key: 'weight', type: 'integer' };

const setSchema = (sandbox_id: string, fields: object[], expected_version = 0) =>
  web.call('itemSchemas.set', { sandbox_id, item_type: 'unit', fields, expected_version });

const readSchema = (sandbox_id: string) =>
  web.call('itemSchemas.get', { sandbox_id, item_type: 'unit' });

test('a schema is promoted after a preview of what it changes', async () => {
  const source = await makeSandbox(web);
  const target = await makeSandbox(web);
  await setSchema(source.sandbox_id, [PRICE, RARITY]);
  await setSchema(target.sandbox_id, [{ ...PRICE, type: 'text', required: false }, WEIGHT]);
  const page = await web.open(`${source.root}/schemas`, { as: 'editor' });
  await page.getByRole('button', { name: 'Promote version 1 …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Promote the schema of Unit' });
  const promote = dialog.getByRole('button', { name: 'Promote' });
  expect(await promote.isDisabled()).toBe(true);
  await dialog.getByRole('combobox', { name: 'To' }).selectOption(target.name);
  const preview = dialog.getByRole('region', { name: `Changes in ${target.name}` });
  await expect
    .poll(() => preview.getByRole('listitem').allInnerTexts())
    .toEqual(['rarity: added', 'price: type Text → Number; required no → yes', 'weight: removed']);
  await expectNoAxeViolationsEveryDay(page);
  await page.setViewportSize(PHONE.viewport);
  await expectToFitPhone(page);
  await dialog.getByLabel('Reason').fill('Season 4');
  await promote.click();
  await page.getByText(`The schema of Unit was promoted to ${target.name}.`).waitFor();
  expect(await readSchema(target.sandbox_id)).toMatchObject({
    version: 2,
    fields: [{ key: 'price', type: 'number' }, { key: 'rarity' }],
    reason: 'Season 4',
    source_sandbox_id: source.sandbox_id,
    source_version: 1,
  });
  await page.getByRole('button', { name: 'Promote version 1 …' }).click();
  await dialog.getByRole('combobox', { name: 'To' }).selectOption(target.name);
  await dialog.getByText(`${target.name} has the same schema.`).waitFor();
  expect(await promote.isDisabled()).toBe(true);
});

testInFull(
  'a protected sandbox asks for its name, and a change in between is previewed again',
  async () => {
    const source = await makeSandbox(web);
    const target = await makeSandbox(web, { protected: true });
    await setSchema(source.sandbox_id, [PRICE]);
    const page = await web.open(`${source.root}/schemas`, { as: 'owner', expectedErrors: [/409/] });
    await page.getByRole('button', { name: 'Promote version 1 …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Promote the schema of Unit' });
    await dialog.getByRole('combobox', { name: 'To' }).selectOption(target.name);
    await dialog.getByText('price: added').waitFor();
    const promote = dialog.getByRole('button', { name: 'Promote' });
    expect(await promote.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type "${target.name}" to confirm`).fill(target.name);
    await setSchema(target.sandbox_id, [WEIGHT]);
    await promote.click();
    await dialog.getByText('weight: removed').waitFor();
    expect(await readSchema(target.sandbox_id)).toMatchObject({ version: 1 });
    await promote.click();
    await dialog.waitFor({ state: 'detached' });
    expect(await readSchema(target.sandbox_id)).toMatchObject({ version: 2, fields: [PRICE] });
  },
);
