// Comparing two sandboxes.
import { expect, test } from 'vitest';
import { expectNoAxeViolations, expectToFitPhone } from './support/accessibility.ts';
import { coversInFull, testInFull } from './support/extent.ts';
import { MARKUP, makeSandbox } from './support/sandboxes.ts';
import { PHONE, shareWeb } from './support/web.ts';

const web = shareWeb();

const editor = { as: 'editor' } as const;
const AXE = '00000000-0000-4000-8000-000000000001';
const SAME = '00000000-0000-4000-8000-000000000002';

/** The source has a better Axe and a new Bow, the target an Old one; one Item is the same. */
const makePair = async () => {
  const source = await makeSandbox(web);
  const target = await makeSandbox(web);
  await source.addItem('Axe', { item_id: AXE, tags: ['melee', 'rare'] });
  await target.addItem('Axe', { item_id: AXE, tags: ['melee'] });
  for (const each of [source, target]) await each.addItem('Same', { item_id: SAME });
  await source.addItem('Bow');
  await target.addItem('Old');
  const path = `/s/${target.sandbox_id}/compare-sandboxes?source=${source.sandbox_id}`;
  return { source, target, path };
};

test('lists, counts and filters the records that differ or exist in one sandbox only', async () => {
  const { source, target, path } = await makePair();
  const page = await web.open(path, editor);
  await page.getByText('3 differences').waitFor();
  await page.getByText('The same').locator('..').getByText('1', { exact: true }).waitFor();
  await page.getByRole('row', { name: /Axe.*different.*tags/i }).waitFor();
  await page.getByRole('row', { name: new RegExp(`Bow.*not in ${target.name}`) }).waitFor();
  await page.getByRole('row', { name: new RegExp(`Old.*only in ${target.name}`) }).waitFor();
  await page.getByRole('button', { name: new RegExp(`Only in ${source.name}`) }).click();
  await page.getByText('1 Difference').waitFor();
  expect(await page.getByRole('link', { name: 'Axe' }).count()).toBe(0);
  expect(new URL(page.url()).searchParams.get('status')).toBe('only_source');
  await expectNoAxeViolations(page);
});

testInFull(
  'a record that only the target has cannot be selected, also not with all others',
  async () => {
    const { path } = await makePair();
    const page = await web.open(path, editor);
    const check = page.getByRole('row', { name: /Old/ }).getByRole('checkbox');
    await check.waitFor();
    expect(await check.isDisabled()).toBe(true);
    expect(await check.getAttribute('aria-label')).toBe('Only in the target: nothing to promote.');
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
    await page.getByRole('button', { name: 'Promote 2 …' }).waitFor();
    await expectNoAxeViolations(page);
  },
);

testInFull(
  'shortens a long name of a sandbox within its cell, and shows it whole on hover',
  async () => {
    const { target, path } = await makePair();
    const name = `Winter event of the northern servers ${target.name}`;
    await web.call('sandboxes.update', { sandbox_id: target.sandbox_id, name });
    const page = await web.open(path, editor);
    const tag = page.getByRole('row', { name: /Bow/ }).getByTitle(`not in ${name}`);
    await tag.waitFor();
    const isInside = await tag.evaluate((element) => {
      const cell = element.closest('td')?.getBoundingClientRect();
      return element.getBoundingClientRect().right <= (cell?.right ?? 0);
    });
    expect(isInside).toBe(true);
  },
);

testInFull('a difference is found, opened and promoted by keyboard alone', async () => {
  const { target, path } = await makePair();
  const page = await web.open(path, editor);
  const { keyboard } = page;
  const focusedRow = () => page.evaluate(() => document.querySelector('tr:focus')?.textContent);
  await page.getByText('3 differences').waitFor();
  await keyboard.press('j');
  await expect.poll(focusedRow).toMatch(/Axe/);
  await keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Axe' });
  await drawer.getByText('rare').first().waitFor();
  await expectNoAxeViolations(page);
  await keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await expect.poll(focusedRow).toMatch(/Axe/);
  await keyboard.press('Space');
  await page.getByRole('button', { name: 'Promote 1 …' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: `Promote 1 Item to ${target.name}` });
  await dialog.getByRole('button', { name: 'Preview' }).press('Enter');
  await dialog.getByRole('button', { name: 'Apply 1 change' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('2 differences').waitFor();
});

testInFull('a viewer can compare but has no action that writes', async () => {
  const { path } = await makePair();
  const page = await web.open(path, { as: 'viewer' });
  await page.getByText('3 differences').waitFor();
  expect(await page.getByRole('checkbox', { name: /select/i }).count()).toBe(0);
  expect(await page.getByRole('button', { name: /Promote/ }).count()).toBe(0);
});

testInFull('swaps source and target, and shows names with markup as text', async () => {
  const { source, target, path } = await makePair();
  await source.addItem(MARKUP);
  const page = await web.open(path, editor);
  await page.getByRole('link', { name: MARKUP, exact: true }).waitFor();
  await page.getByRole('button', { name: 'Swap sandboxes' }).click();
  await page.getByText(`Only in ${target.name}`).waitFor();
  await expect.poll(() => page.url()).toContain(`/s/${source.sandbox_id}/`);
  await page.getByRole('row', { name: new RegExp(`Bow.*only in ${source.name}`) }).waitFor();
});

test.runIf(coversInFull()).each([
  ['before a choice', '', 'Choose what to compare with'],
  ['as a list', 'source', '3 differences'],
])('the page fits a phone: %s', async (_, view, words) => {
  const { target, path } = await makePair();
  const bare = `/s/${target.sandbox_id}/compare-sandboxes`;
  const page = await web.open(view === 'source' ? path : bare, { ...editor, ...PHONE });
  await page.getByText(words).waitFor();
  await expectToFitPhone(page);
  await expectNoAxeViolations(page);
});
