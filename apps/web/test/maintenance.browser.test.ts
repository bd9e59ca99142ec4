// Maintenance: an owner switches it, and everyone sees it.
import { afterEach, expect, test } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { check, choose, importOf, manyItems } from './support/imports.ts';
import { makeSandbox } from './support/sandboxes.ts';
import { PHONE, startOwnWeb } from './support/web.ts';

const web = startOwnWeb();
afterEach(() => web.call('maintenance.set', { enabled: false }));

test('an owner starts maintenance with a reason, everyone sees it, and an owner ends it', async () => {
  const person = await web.makePerson('viewer');
  const page = await web.open('/settings', { as: 'owner' });
  const section = page.getByRole('region', { name: 'Maintenance' });
  await section.getByText('Off').waitFor();
  await section.getByRole('button', { name: 'Start maintenance' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Upgrade of the database');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Start maintenance' }).click();
  await page.getByText('Maintenance has started.').waitFor();
  const banner = page.getByRole('status').filter({ hasText: 'Joins and changes are refused' });
  await banner.getByText('Upgrade of the database').waitFor();
  await expectNoAxeViolations(page);

  const viewer = await web.open('/sessions', { as: person, ...PHONE });
  await viewer.getByText('Upgrade of the database').waitFor();
  await expectNoAxeViolations(viewer);

  await section.getByRole('button', { name: 'End maintenance' }).click();
  await dialog.getByRole('button', { name: 'End maintenance' }).click();
  await page.getByText('Maintenance has ended.').waitFor();
  await section.getByText('Off').waitFor();
  await expect.poll(() => banner.count()).toBe(0);
});

testInFull('a refused change keeps the typed text and shows the reason', async () => {
  const person = await web.makePerson('admin');
  await web.call('maintenance.set', { enabled: true });
  const page = await web.open('/settings', { as: person, expectedErrors: [/503/] });
  expect(await page.getByRole('region', { name: 'Maintenance' }).count()).toBe(0);
  await page.getByRole('textbox', { name: 'Name' }).fill('Another name');
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByText('The service is in maintenance. Try again later.').first().waitFor();
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Another name');
});

testInFull(
  'an import that maintenance refuses shows the reason, and is applied afterwards',
  async () => {
    const sandbox = await makeSandbox(web);
    const page = await web.open(importOf(sandbox), { as: 'owner', expectedErrors: [/503/] });
    await choose(page, 'swords.csv', manyItems(5));
    await check(page);
    await page.getByRole('button', { name: 'Apply 5 changes' }).waitFor();
    await web.call('maintenance.set', { enabled: true });
    await page.getByRole('button', { name: 'Apply 5 changes' }).click();
    await page.getByText('The service is in maintenance. Try again later.').waitFor();
    await expectNoAxeViolations(page);
    await web.call('maintenance.set', { enabled: false });
    await page.getByRole('button', { name: 'Apply 5 changes' }).click();
    await page.getByRole('heading', { name: 'Imported: 5 Items were written' }).waitFor();
  },
);
