// Editing Items in a browser, from creation to restoring an old version.
import { expect, test } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { firstOf, testInFull } from './support/extent.ts';
import { MARKUP, makeSandbox } from './support/sandboxes.ts';
import { shareWeb } from './support/web.ts';

const web = shareWeb();

const editor = { as: 'editor' } as const;

test('an Item is created, edited beside its diff, and restored to its first version', async () => {
  const { items } = await makeSandbox(web);
  const page = await web.open(items, editor);
  await page.getByText('There is no Item yet').waitFor();
  await page.getByRole('button', { name: 'New Item' }).click();
  await page.getByRole('heading', { name: 'New Item' }).waitFor();
  await page.getByLabel('Name').fill('Axe');
  await page.getByRole('combobox', { name: 'Tags' }).fill('melee');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Add a key' }).click();
  await page.getByLabel('Key 1', { exact: true }).fill('rarity');
  await page.getByLabel('Value of rarity').fill('common');
  await page.getByRole('button', { name: 'Create Item' }).click();
  await page.getByRole('heading', { name: 'Axe', level: 1 }).waitFor();
  await page.getByText('version 1').waitFor();

  await page.getByLabel('Name').fill('Battle axe');
  await page.getByLabel('Value of rarity').fill('rare');
  const changes = page.getByRole('region', { name: 'Saving' }).getByRole('table');
  await changes.getByRole('row', { name: /Name.*Axe.*Battle axe/ }).waitFor();
  await changes.getByRole('row', { name: /rarity.*common.*rare/ }).waitFor();
  await page.getByLabel('Reason').fill('Season 4');
  await page.keyboard.press('Control+s');
  await page.getByText('Saved as version 2.').waitFor();
  await page.getByRole('heading', { name: 'Battle axe', level: 1 }).waitFor();

  await page.getByRole('link', { name: 'See what changed' }).click();
  const version = page.getByRole('dialog', { name: 'Battle axe' });
  await version.getByRole('heading', { name: /Version 2/ }).waitFor();
  await version.getByRole('row', { name: /Name.*Axe.*Battle axe/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('row', { name: /changed.*Season 4/ }).waitFor();
  await page.getByRole('link', { name: '1', exact: true }).click();
  await version.getByRole('heading', { name: /Version 1/ }).waitFor();
  await version.getByRole('button', { name: 'Restore this version' }).click();
  const question = page.getByRole('dialog', { name: 'Restore version 1?' });
  await question.getByRole('row', { name: /Name.*Battle axe.*Axe/ }).waitFor();
  await expectNoAxeViolations(page);
  await question.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Restored as version 3.').waitFor();
  const restored = page.getByRole('dialog', { name: 'Axe', exact: true });
  await restored.getByRole('heading', { name: /^Version 3/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Axe', exact: true, level: 1 }).waitFor();
  await page.getByRole('row', { name: /restored/ }).waitFor();

  await page.getByRole('link', { name: 'Compare versions' }).click();
  await page.getByRole('row', { name: /Name.*Battle axe.*Axe/ }).waitFor();
  await page.getByRole('button', { name: 'Swap the versions' }).click();
  await page.getByRole('row', { name: /Name.*Axe.*Battle axe/ }).waitFor();
  const { searchParams } = new URL(page.url());
  expect([searchParams.has('from'), searchParams.has('to')]).toEqual([true, true]);
  await page.reload();
  await page.getByRole('row', { name: /Name.*Axe.*Battle axe/ }).waitFor();
});

test('two people who edit one Item lose nothing: the second one resolves each conflict', async () => {
  const sandbox = await makeSandbox(web);
  const { item_id } = await sandbox.addItem('Spear', { tags: ['a'], description: 'Old' });
  const page = await web.open(`${sandbox.items}/${item_id}`, {
    ...editor,
    expectedErrors: [/status of 409/],
  });
  await page.getByLabel('Name').fill('My spear');
  await page.getByRole('combobox', { name: 'Tags' }).fill('mine');
  await page.keyboard.press('Enter');
  await sandbox.editItem(item_id, 1, { name: 'Their spear', description: 'Theirs' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();

  const dialog = page.getByRole('dialog', { name: 'Someone else changed this record' });
  const go = dialog.getByRole('button', { name: 'Continue with this' });
  await dialog.getByRole('radio', { name: 'Theirs Their spear' }).waitFor();
  expect(await go.isDisabled()).toBe(true);
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Back to my edit' }).click();
  expect(await page.getByLabel('Name').inputValue()).toBe('My spear');

  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByRole('radio', { name: /^Mine/ }).click();
  await go.click();
  expect(await page.getByLabel('Name').inputValue()).toBe('My spear');
  expect(await page.getByLabel('Description').inputValue()).toBe('Theirs');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved as version 3.').waitFor();
  await page.getByRole('tab', { name: 'JSON' }).click();
  const json = JSON.parse(await page.getByLabel('Record as JSON').inputValue());
  expect(json).toMatchObject({ name: 'My spear', description: 'Theirs', tags: ['a', 'mine'] });
});

testInFull(
  'a version that another person saves never replaces the text of a field in use',
  async () => {
    const sandbox = await makeSandbox(web);
    const { item_id } = await sandbox.addItem('Halberd', { description: 'Old' });
    const page = await web.open(`${sandbox.items}/${item_id}`, editor);
    const name = page.getByLabel('Name');
    await name.focus();
    await sandbox.editItem(item_id, 1, { name: 'Their halberd', description: 'Theirs' });
    // The record is stale, and the browser is online again, as after a pause.
    await page.clock.setSystemTime(Date.now() + 60_000);
    await page.evaluate(() => {
      window.dispatchEvent(new Event('offline'));
      window.dispatchEvent(new Event('online'));
    });
    await page.getByText('Version 2 was saved in the meantime').waitFor();
    expect(await name.inputValue()).toBe('Halberd');
    await name.pressSequentially('s of mine');
    expect(await name.inputValue()).toBe('Halberds of mine');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('Version 2 was saved in the meantime').waitFor({ state: 'hidden' });
    expect(await name.inputValue()).toBe('Their halberd');
  },
);

testInFull('an edit during an import keeps its input, and explains what it waits for', async () => {
  const sandbox = await makeSandbox(web);
  const { item_id } = await sandbox.addItem('Mace');
  const page = await web.open(`${sandbox.items}/${item_id}`, {
    ...editor,
    expectedErrors: [/status of 409/],
  });
  await page.getByLabel('Name').fill('Great mace');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await web.withDatabase(async ({ pool }) => {
    const importing = await pool.connect();
    try {
      await importing.query('BEGIN');
      const lock = 'SELECT 1 FROM sandbox WHERE sandbox_id = $1 FOR NO KEY UPDATE';
      await importing.query(lock, [sandbox.sandbox_id]);
      await save.click();
      await page
        .getByRole('alert')
        .getByText(/an import.*try again in a moment/)
        .waitFor();
    } finally {
      // It ends the transaction too, and an open connection would keep the pool from closing.
      importing.release(true);
    }
  });
  expect(await page.getByLabel('Name').inputValue()).toBe('Great mace');
  await save.click();
  await page.getByText('Saved as version 2.').waitFor();
});

testInFull(
  'input survives a change of tabs, and leaving the page asks for confirmation',
  async () => {
    const sandbox = await makeSandbox(web);
    const { item_id } = await sandbox.addItem('Bow');
    const page = await web.open(`${sandbox.items}/${item_id}`, editor);
    await page.getByLabel('Name').fill('Longbow');
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('tab', { name: 'JSON' }).click();
    const json = page.getByLabel('Record as JSON');
    expect(await json.inputValue()).toContain('"name": "Longbow"');
    const broken = '{\n  "name": "Longbow",\n  "item_type": "bow"\n}';
    await json.fill(broken);
    await page.getByRole('button', { name: 'Line 3' }).waitFor();
    await page.getByRole('tab', { name: 'Edit' }).click();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Fix the JSON' }).click();
    expect(await json.inputValue()).toBe(broken);
    await json.fill(broken.replace('"bow"', '"recipe"'));
    await page.getByRole('tab', { name: 'Edit' }).click();
    expect(await page.getByRole('combobox', { name: 'Item type' }).inputValue()).toBe('Recipe');

    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Xp' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Longbow');
  },
);

testInFull('a deleted Item is marked as deleted, and is restored with its history', async () => {
  const sandbox = await makeSandbox(web);
  const { item_id } = await sandbox.addItem('Club');
  const page = await web.open(`${sandbox.items}/${item_id}`, editor);
  await page.getByRole('button', { name: 'Delete …' }).click();
  await page.getByRole('dialog', { name: 'Delete "Club"?' }).getByLabel('Reason').fill('Unused');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('This Item is deleted').waitFor();
  expect(await page.getByLabel('Name').count()).toBe(0);
  await page.getByRole('button', { name: 'Restore …' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Restored as version 3.').waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Club');
});

const VIEWS = [
  ['list', ''],
  ['form', '/$id'],
  ['history', '/$id?tab=history'],
  ['comparison', '/$id/compare'],
] as const;

test.each(firstOf(VIEWS))('names with markup are shown as text in the %s', async (_, path) => {
  const sandbox = await makeSandbox(web);
  const { item_id } = await sandbox.addItem(MARKUP, { tags: [MARKUP], description: MARKUP });
  await sandbox.editItem(item_id, 1, { custom_data: { '<i>k</i>': MARKUP }, reason: MARKUP });
  const page = await web.open(`${sandbox.items}${path.replace('$id', item_id)}`, editor);
  await page.getByText(MARKUP).first().waitFor();
  expect(await page.locator('main b, main i, main img').count()).toBe(0);
  expect(await page.title()).toMatch(/Muster$/);
});
