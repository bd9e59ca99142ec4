// Lists of Items and Xp tables: found, changed and deleted many at once, and what each role may do.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectNoAxeViolations } from '../check/expect-no-axe-violations.ts';
import { expectNoComplaints } from '../check/expect-no-complaints.ts';
import type { Web } from '../start/start-web.ts';
import { startWeb } from '../start/start-web.ts';
import { makeSandbox } from './sandbox-of-test.ts';

let web: Web;
beforeAll(async () => {
  web = await startWeb();
});
afterAll(() => web?.stop());

test('many Items are changed in one go, with what will change in sight', async () => {
  const sandbox = await makeSandbox(web);
  for (const name of ['Axe', 'Bow', 'Club']) {
    await sandbox.addItem(name, { tags: ['old'], custom_data: { gone: '1' } });
  }
  const opened = await web.open(sandbox.items, { as: 'editor' });
  const { page } = opened;
  for (const name of ['Axe', 'Bow']) {
    await page
      .getByRole('row', { name: new RegExp(name) })
      .getByRole('checkbox')
      .click();
  }
  await page.getByRole('button', { name: 'Edit …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit 2 Items' });
  await dialog.getByRole('combobox', { name: 'Item type' }).click();
  await page.getByRole('option', { name: 'Recipe', exact: true }).click();
  await dialog.getByRole('combobox', { name: 'Add tags' }).fill('new');
  await page.keyboard.press('Enter');
  await dialog.getByRole('combobox', { name: 'Set a key' }).fill('season');
  await dialog.getByLabel('to this value').fill('4');
  await dialog.getByRole('combobox', { name: 'Remove a key' }).fill('gone');
  await dialog.getByLabel('Reason').fill('Season 4');
  await dialog.getByText('2 of 2 Items will change.').waitFor();
  await dialog
    .getByRole('row', { name: /season.*4/i })
    .first()
    .waitFor();
  await dialog.getByRole('button', { name: 'Change 2 Items' }).click();
  await page.getByText('Changed 2 Items.').waitFor();
  await page.getByRole('row', { name: /Axe.*Recipe.*old.*new/ }).waitFor();
  await page.getByRole('row', { name: /Club.*Unit/ }).waitFor();
  expect(new URL(page.url()).searchParams.has('sel')).toBe(false);
  expectNoComplaints(opened);
});

test('a bulk edit that meets a newer version writes nothing, names the Item, and keeps what was typed', async () => {
  const sandbox = await makeSandbox(web);
  const first = await sandbox.addItem('Axe');
  await sandbox.addItem('Bow');
  const { page } = await web.open(sandbox.items, { as: 'editor' });
  await page.getByRole('checkbox', { name: /all/i }).click();
  await sandbox.editItem(first.item_id, 1, { description: 'Meanwhile' });
  await page.getByRole('button', { name: 'Edit …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit 2 Items' });
  await dialog.getByRole('combobox', { name: 'Set a key' }).fill('season');
  await dialog.getByLabel('to this value').fill('4');
  await dialog.getByRole('button', { name: 'Change 2 Items' }).click();
  await dialog.getByText(/It is about the Item "Axe"/).waitFor();
  expect(await dialog.getByLabel('to this value').inputValue()).toBe('4');
  await dialog.getByRole('button', { name: 'Change 2 Items' }).click();
  await page.getByText('Changed 2 Items.').waitFor();
});

test('deleting in production asks for the name of the sandbox', async () => {
  const sandbox = await makeSandbox(web, { protected: true });
  await sandbox.addItem('Axe');
  await sandbox.addItem('Bow');
  const { page } = await web.open(sandbox.items, { as: 'admin' });
  await page.getByRole('checkbox', { name: /all/i }).click();
  await page.getByRole('button', { name: 'Delete …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete 2 Items?' });
  const confirm = dialog.getByRole('button', { name: 'Delete', exact: true });
  expect(await confirm.isDisabled()).toBe(true);
  await expectNoAxeViolations(page);
  await dialog.getByLabel(`Type "${sandbox.name}" to confirm`).fill(sandbox.name);
  await confirm.click();
  await page.getByText('There is no Item yet').waitFor();
  await page.getByRole('checkbox', { name: 'Deleted ones too' }).click();
  await page.getByRole('row', { name: /Bow.*deleted/ }).waitFor();
});

test('tags are shown whole or counted, and the rest of a shortened id is told', async () => {
  const sandbox = await makeSandbox(web);
  const tags = Array.from({ length: 9 }, (_, at) => `season-${at + 1}`);
  const { item_id } = await sandbox.addItem('Halberd', { tags });
  const { page } = await web.open(sandbox.items, { as: 'editor' });
  const more = page.getByText(/^\+\d$/);
  await more.waitFor();
  const shown = tags.length - Number((await more.textContent())?.slice(1));
  await more.focus();
  await page.getByRole('tooltip').getByText(tags.slice(shown).join(', ')).waitFor();
  const id = page.getByRole('button', { name: `Copy Item id …${item_id.slice(-8)}` });
  await id.hover();
  await page.getByRole('tooltip').getByText(item_id).waitFor();
  expect(await id.getAttribute('aria-describedby')).toBe('hint');
});

test('a list is a link: filter, columns and selection come back with it', async () => {
  const sandbox = await makeSandbox(web);
  await sandbox.addItem('Axe');
  const { item_id } = await sandbox.addItem('Bow');
  const { page } = await web.open(`${sandbox.items}?name=bo&sel=${item_id}`, { as: 'editor' });
  await page.getByText('1 selected').waitFor();
  expect(await page.getByRole('link', { name: 'Axe' }).count()).toBe(0);
  await page.getByLabel('Name', { exact: true }).fill('nothing like it');
  await page.getByText('Nothing matches these filters').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await page.getByRole('link', { name: 'Axe' }).waitFor();
});

test('a viewer reads everything and is offered no edit', async () => {
  const sandbox = await makeSandbox(web);
  const { item_id } = await sandbox.addItem('Axe', { tags: ['melee'] });
  await sandbox.editItem(item_id, 1, { description: 'Sharp' });
  const list = await web.open(sandbox.items, { as: 'viewer' });
  await list.page.getByRole('link', { name: 'Axe' }).waitFor();
  expect(await list.page.getByRole('checkbox', { name: /select/i }).count()).toBe(0);
  await list.page.keyboard.press('n');
  expect(
    await list.page.getByRole('button', { name: 'New Item' }).getAttribute('aria-disabled'),
  ).toBe('true');
  const { page } = await web.open(`${sandbox.items}/${item_id}`, { as: 'viewer' });
  await page.getByText('Sharp').waitFor();
  expect(await page.getByRole('textbox').count()).toBe(0);
  for (const name of ['Save', 'Delete …']) {
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  }
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('link', { name: '1', exact: true }).click();
  const restore = page.getByRole('button', { name: 'Restore this version' });
  await restore.waitFor();
  expect(await restore.getAttribute('aria-disabled')).toBe('true');
  const fresh = await web.open(`${sandbox.items}/new`, { as: 'viewer' });
  await fresh.page.getByText('Your account may not create Items here').waitFor();
});
