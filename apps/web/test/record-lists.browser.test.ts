// Lists of Items and Xp tables: search, deletions, and the actions of each role.
import { expect, test } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { makeSandbox } from './support/sandboxes.ts';
import type { Page } from './support/web.ts';
import { shareWeb } from './support/web.ts';

const web = shareWeb();

testInFull('deleting in production requires the name of the sandbox', async () => {
  const sandbox = await makeSandbox(web, { protected: true });
  await sandbox.addItem('Axe');
  await sandbox.addItem('Bow');
  const page = await web.open(sandbox.items, { as: 'admin' });
  await page.getByRole('checkbox', { name: /all/i }).click();
  await page.getByRole('button', { name: 'Delete …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete 2 Items?' });
  const confirm = dialog.getByRole('button', { name: 'Delete', exact: true });
  expect(await confirm.isDisabled()).toBe(true);
  await expectNoAxeViolations(page);
  await dialog.getByLabel(`Type "${sandbox.name}" to confirm`).fill(sandbox.name);
  await confirm.click();
  await page.getByText('There is no Item yet').waitFor();
  await page.getByRole('checkbox', { name: 'Include deleted' }).click();
  await page.getByRole('row', { name: /Bow.*deleted/ }).waitFor();
});

testInFull(
  'tags are shown in full or counted, and a shortened id shows the whole id on hover',
  async () => {
    const sandbox = await makeSandbox(web);
    const tags = Array.from({ length: 9 }, (_, at) => `season-${at + 1}`);
    const { item_id } = await sandbox.addItem('Halberd', { tags });
    const page = await web.open(sandbox.items, { as: 'editor' });
    const more = page.getByText(/^\+\d$/);
    await more.waitFor();
    const shown = tags.length - Number((await more.textContent())?.slice(1));
    await more.focus();
    await page.getByRole('tooltip').getByText(tags.slice(shown).join(', ')).waitFor();
    const id = page.getByRole('button', { name: `Copy Item id …${item_id.slice(-8)}` });
    await id.hover();
    await page.getByRole('tooltip').getByText(item_id).waitFor();
    expect(await id.getAttribute('aria-describedby')).toBe('hint');
  },
);

testInFull('the URL of a list restores its filter, columns and selection', async () => {
  const sandbox = await makeSandbox(web);
  await sandbox.addItem('Axe');
  const { item_id } = await sandbox.addItem('Bow');
  const page = await web.open(`${sandbox.items}?name=bo&sel=${item_id}`, { as: 'editor' });
  await page.getByText('1 selected').waitFor();
  expect(await page.getByRole('link', { name: 'Axe' }).count()).toBe(0);
  await page.getByLabel('Name', { exact: true }).fill('nothing like it');
  await page.getByText('Nothing matches these filters').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await page.getByRole('link', { name: 'Axe' }).waitFor();
});

testInFull('a viewer sees everything but no action that edits', async () => {
  const sandbox = await makeSandbox(web);
  const { item_id } = await sandbox.addItem('Axe', { tags: ['melee'] });
  await sandbox.editItem(item_id, 1, { description: 'Sharp' });
  const list = await web.open(sandbox.items, { as: 'viewer' });
  await list.getByRole('link', { name: 'Axe' }).waitFor();
  expect(await list.getByRole('checkbox', { name: /select/i }).count()).toBe(0);
  await list.keyboard.press('n');
  expect(await list.getByRole('button', { name: 'New Item' }).getAttribute('aria-disabled')).toBe(
    'true',
  );
  const page = await web.open(`${sandbox.items}/${item_id}`, { as: 'viewer' });
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
  await fresh.getByText('Your account may not create Items here').waitFor();
});

testInFull('an Item is found, changed and saved with the keyboard only', async () => {
  const sandbox = await makeSandbox(web);
  await sandbox.addItem('Axe');
  await sandbox.addItem('Bow');
  const page = await web.open(sandbox.items, { as: 'editor' });
  const { keyboard } = page;
  await page.getByRole('link', { name: 'Bow' }).waitFor();
  await keyboard.press('/');
  await keyboard.type('bow');
  await page.getByRole('link', { name: 'Axe' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Bow' }).waitFor();
  await keyboard.press('Escape');
  await keyboard.press('j');
  const row = page.getByRole('row', { name: /Bow/ });
  await expect.poll(() => row.evaluate((node) => node === document.activeElement)).toBe(true);
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Bow', level: 1 }).waitFor();
  await tabTo(page, 'Description');
  await keyboard.type('Bends');
  await keyboard.press('Control+s');
  await page.getByText('Saved as version 2.').waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'Bow' }).waitFor();
  await keyboard.press('n');
  await page.getByRole('heading', { name: 'New Item', level: 1 }).waitFor();
});

/** Presses Tab until the field has the focus. */
const tabTo = async (page: Page, label: string): Promise<void> => {
  const field = page.getByLabel(label);
  for (let presses = 0; presses < 60; presses += 1) {
    if (await field.evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${label}.`);
};

testInFull('dialogs of records pass the accessibility rules', async () => {
  const { items, addItem } = await makeSandbox(web);
  const { item_id } = await addItem('Axe', { description: 'Sharp' });
  const page = await web.open(items, { as: 'editor' });
  await page.getByRole('checkbox', { name: 'Select row' }).first().click();
  await page.getByRole('button', { name: 'Edit …' }).click();
  await page.getByRole('combobox', { name: 'Field or custom data key' }).fill('season');
  await page.getByLabel('Value', { exact: true }).fill('4');
  await expectNoAxeViolations(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Delete …' }).click();
  await page.getByRole('dialog').waitFor();
  await expectNoAxeViolations(page);

  const viewer = await web.open(`${items}/${item_id}`, { as: 'viewer' });
  await viewer.getByText('Sharp').waitFor();
  await expectNoAxeViolations(viewer);
});

test('a sort orders the whole list, and filters find records on pages that are not loaded', async () => {
  const sandbox = await makeSandbox(web);
  const items = Array.from({ length: 130 }, (_, at) => ({
    operation: 'create',
    name: `Sword ${String(at).padStart(3, '0')}`,
    item_type: at === 120 ? 'recipe' : 'unit',
    tags: at === 121 ? ['legendary'] : [],
    custom_data: at === 122 ? { season: '4' } : {},
  }));
  await web.call('items.bulk', { sandbox_id: sandbox.sandbox_id, operations: items });
  const page = await web.open(sandbox.items, { as: 'editor' });
  const first = page.locator('tr[data-index="0"]');
  await first.getByText('Sword 000').waitFor();
  const byName = page.getByRole('button', { name: 'Name', exact: true });
  await byName.click();
  await byName.click();
  await first.getByText('Sword 129').waitFor();
  expect(await byName.evaluate((node) => node === document.activeElement)).toBe(true);
  await page.getByRole('button', { name: 'Item type' }).click();
  await first.getByText('Sword 120').waitFor();
  await page.getByLabel('Tag', { exact: true }).fill('legendary');
  await page.getByText('1 Item', { exact: true }).waitFor();
  await first.getByText('Sword 121').waitFor();
  await page.getByLabel('Tag', { exact: true }).fill('');
  await page.getByLabel('Custom data key').fill('season');
  await first.getByText('Sword 122').waitFor();
  await expectNoAxeViolations(page);
});

testInFull('an open History tab shows a version by another user as the current one', async () => {
  const sandbox = await makeSandbox(web);
  const { item_id } = await sandbox.addItem('Axe');
  const page = await web.open(`${sandbox.items}/${item_id}?tab=history`, { as: 'editor' });
  await page.getByRole('link', { name: '1', exact: true }).click();
  const drawer = page.getByRole('dialog', { name: 'Axe' });
  const restore = drawer.getByRole('button', { name: 'Restore this version' });
  await restore.waitFor();
  expect(await restore.getAttribute('aria-disabled')).toBe('true');
  await sandbox.editItem(item_id, 1, { description: 'Sharp' });
  await expect
    .poll(() => restore.getAttribute('aria-disabled'), { timeout: 20_000 })
    .not.toBe('true');
});
