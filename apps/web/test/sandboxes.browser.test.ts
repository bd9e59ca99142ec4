// The administration of sandboxes: created, protected, archived, deleted and restored.
import { expect, test } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { makeSandbox } from './support/sandboxes.ts';
import type { Page } from './support/web.ts';
import { shareWeb } from './support/web.ts';

const web = shareWeb();

const choose = async (page: Page, name: string, action: string) => {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action }).click();
};

const inSection = (page: Page, section: string, name: string) =>
  page.getByRole('region', { name: section, exact: true }).getByText(name, { exact: true });

testInFull(
  'a sandbox is created and protected, and removing the protection requires its name',
  async () => {
    const page = await web.open('/sandboxes', { as: 'admin' });
    await page.getByRole('button', { name: 'New sandbox' }).click();
    await page.getByLabel('Name', { exact: false }).last().fill('Production');
    await page.getByRole('checkbox', { name: /Protect it/ }).check();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Create sandbox' }).click();
    await page.waitForURL('**/s/*');
    await page.goto('/sandboxes');
    await choose(page, 'Production', 'Lift protection');
    const lift = page.getByRole('dialog').getByRole('button', { name: 'Lift protection' });
    expect(await lift.isDisabled()).toBe(true);
    await page.getByLabel('Type "Production" to confirm').fill('Production');
    await expectNoAxeViolations(page);
    await lift.click();
    await page.getByText('Production is no longer protected.').waitFor();
  },
);

testInFull(
  'an archived sandbox is not in the lists, and is read-only until it is unarchived',
  async () => {
    const { sandbox_id, name, addItem } = await makeSandbox(web);
    const { item_id } = await addItem('Archived axe');
    const page = await web.open('/sandboxes', { as: 'admin' });
    await choose(page, name, 'Archive');
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await inSection(page, 'Archived', name).waitFor();
    expect(await inSection(page, 'Active', name).count()).toBe(0);
    await expectNoAxeViolations(page);
    await page.getByRole('combobox', { name: 'Sandbox' }).click();
    expect(await page.getByRole('option', { name, exact: true }).count()).toBe(0);
    await page.goto(`/s/${sandbox_id}/items`);
    await page.getByText(`${name} is archived: it can be read, not changed.`).waitFor();
    await page.getByRole('link', { name: 'Archived axe' }).waitFor();
    const create = page.getByRole('button', { name: 'New Item' });
    expect(await create.getAttribute('aria-disabled')).toBe('true');
    await expectNoAxeViolations(page);
    await page.goto(`/s/${sandbox_id}/items/${item_id}?tab=history`);
    await page
      .getByText(/version 1/i)
      .first()
      .waitFor();
    await page.goto('/sandboxes');
    await choose(page, name, 'Unarchive');
    await page.getByRole('dialog').getByRole('button', { name: 'Unarchive' }).click();
    await inSection(page, 'Active', name).waitFor();
  },
);

test('deleting a sandbox requires its name, and it can be restored within the shown retention', async () => {
  const { sandbox_id, name } = await makeSandbox(web);
  const page = await web.open('/sandboxes', { as: 'admin' });
  await choose(page, name, 'Delete');
  const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete sandbox' });
  expect(await remove.isDisabled()).toBe(true);
  await page
    .getByRole('dialog')
    .getByText(/kept with their history for 30 days/)
    .waitFor();
  await page.getByLabel(`Type "${name}" to confirm`).fill(name);
  await expectNoAxeViolations(page);
  await remove.click();
  await inSection(page, 'Deleted', name).waitFor();
  // The list of deleted sandboxes and the other list are loaded separately.
  await inSection(page, 'Active', name).waitFor({ state: 'detached' });
  await page.getByText(/SANDBOX_RETENTION_DAYS/).waitFor();
  await page.goto(`/s/${sandbox_id}`);
  await page.getByRole('heading', { level: 1, name: 'Sandbox not found' }).waitFor();
  await page.goto('/sandboxes');
  await choose(page, name, 'Restore');
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await inSection(page, 'Active', name).waitFor();
});

testInFull(
  'an owner purges a deleted sandbox at once by its name, and an admin cannot',
  async () => {
    const { sandbox_id, name } = await makeSandbox(web);
    await web.call('sandboxes.delete', { sandbox_id, confirm_sandbox_name: name });
    const admin = await web.open('/sandboxes', { as: 'admin' });
    await admin.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
    await admin.getByRole('menuitem', { name: 'Restore' }).waitFor();
    expect(await admin.getByRole('menuitem', { name: 'Purge now' }).count()).toBe(0);
    const page = await web.open('/sandboxes', { as: 'owner' });
    await choose(page, name, 'Purge now');
    const purge = page.getByRole('dialog').getByRole('button', { name: 'Purge now' });
    expect(await purge.isDisabled()).toBe(true);
    await page.getByLabel(`Type "${name}" to confirm`).fill(name);
    await expectNoAxeViolations(page);
    await purge.click();
    await page.getByText(`${name} is purged.`).waitFor();
    await inSection(page, 'Deleted', name).waitFor({ state: 'detached' });
  },
);

testInFull('a protected sandbox cannot be deleted, and a viewer has no actions', async () => {
  const { sandbox_id, name } = await makeSandbox(web);
  await web.call('sandboxes.update', { sandbox_id, protected: true });
  const page = await web.open('/sandboxes', { as: 'admin' });
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  const remove = page.getByRole('menuitem', { name: 'Delete' });
  expect(await remove.isDisabled()).toBe(true);
  await page.getByText('Lift its protection before deleting it.').waitFor();
  const viewer = await web.open('/sandboxes', { as: 'viewer' });
  await inSection(viewer, 'Active', name).waitFor();
  expect(await viewer.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
});

testInFull('Esc in a dialog with typed text asks before it closes', async () => {
  const page = await web.open('/sandboxes', { as: 'admin' });
  const create = page.getByRole('button', { name: 'New sandbox' });
  const dialog = page.getByRole('dialog', { name: 'New sandbox' });
  await create.click();
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await create.click();
  const name = dialog.getByLabel('Name');
  await name.fill('Half a name');
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Discard your changes?' });
  await question.waitFor();
  await expectNoAxeViolations(page);
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  expect(await name.inputValue()).toBe('Half a name');
  await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await dialog.waitFor({ state: 'detached' });
});
