// Promoting Items whose Xp tables the other sandbox lacks: the explanation and the choices of the panel.
import { expect, test } from 'vitest';
import {
  expectNoAxeViolations,
  expectNoAxeViolationsEveryDay,
  expectToFitPhone,
} from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { MARKUP, makeSandbox } from './support/sandboxes.ts';
import type { Page } from './support/web.ts';
import { PHONE, shareWeb } from './support/web.ts';

const web = shareWeb();

const editor = { as: 'editor' } as const;

/** Axe and Bow reference a table that only the source has. Cup references one that does not exist. */
const makePair = async () => {
  const source = await makeSandbox(web);
  const target = await makeSandbox(web);
  const { xp_id } = await source.addXp('Heroes');
  const axe = await source.addItem('Axe', { level_xp_table_id: xp_id });
  const bow = await source.addItem('Bow', { level_xp_table_id: xp_id });
  const nowhere = '00000000-0000-4000-8000-00000000dead';
  const cup = await source.addItem('Cup', { level_xp_table_id: nowhere });
  const plan = (ids: readonly string[], kind = '') =>
    `/s/${target.sandbox_id}/compare-sandboxes?source=${source.sandbox_id}&sel=${ids.join()}&step=promote${kind}`;
  return { source, target, xp_id, plan, axe: axe.item_id, bow: bow.item_id, cup: cup.item_id };
};

const headingOf = (page: Page, words: string) =>
  page.getByRole('heading', { name: new RegExp(`^Will be written to .*: ${words}$`) });

const isDisabled = (page: Page, name: string) =>
  page.getByRole('button', { name }).getAttribute('aria-disabled');

test('lists the Xp tables that Items reference with links, and promotes them by default', async () => {
  const { source, target, xp_id, plan, axe, bow } = await makePair();
  const page = await web.open(plan([axe, bow]), editor);
  const promote = `Promote into ${target.name}`;
  const panel = page.getByRole('group', {
    name: `These Items use 1 Xp table that is not in ${target.name}`,
  });
  await panel.getByText(/Heroes, used by Axe, Bow\./).waitFor();
  const link = panel.getByRole('link', { name: 'Heroes' });
  expect(await link.getAttribute('href')).toBe(`/s/${source.sandbox_id}/xp/${xp_id}`);
  const itemLink = panel.getByRole('link', { name: 'Axe' });
  expect(await itemLink.getAttribute('href')).toBe(`/s/${source.sandbox_id}/items/${axe}`);
  await headingOf(page, '2 Items created and 1 Xp table created').waitFor();
  await page.getByRole('row', { name: /Heroes.*Xp table.*create/ }).waitFor();
  expect(await isDisabled(page, promote)).not.toBe('true');
  await expectNoAxeViolationsEveryDay(page);

  await page.getByLabel('Include the Xp table').uncheck();
  await headingOf(page, '2 Items created').waitFor();
  expect(await page.getByRole('row', { name: /Heroes/ }).count()).toBe(0);
  await expect.poll(() => isDisabled(page, promote)).toBe('true');
  await page.getByLabel('Promote without the Xp table').check();
  await expect.poll(() => isDisabled(page, promote)).not.toBe('true');
  await expectNoAxeViolations(page);

  await page.getByLabel('Include the Xp table').check();
  await page.getByRole('button', { name: promote }).click();
  await page.getByText(/^Promoted into .*: 2 Items created and 1 Xp table created/).waitFor();
  await page.goto(`/s/${target.sandbox_id}/xp/${xp_id}`);
  await page.getByRole('heading', { name: 'Heroes' }).waitFor();
});

testInFull(
  'a referenced table that cannot be promoted shows the reason, and is left out or accepted',
  async () => {
    const { target, plan, axe, cup } = await makePair();
    const page = await web.open(plan([axe, cup]), editor);
    const promote = `Promote into ${target.name}`;
    await page.getByText('1 Xp table cannot be promoted with them:').waitFor();
    await page.getByText(/used by Cup\. It does not exist in the source sandbox\./).waitFor();
    expect(await isDisabled(page, promote)).toBe('true');
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Leave 1 Item out' }).click();
    await headingOf(page, '1 Item created and 1 Xp table created').waitFor();
    expect(await page.getByText('cannot be promoted with them').count()).toBe(0);

    await page.goto(plan([axe, cup]));
    await page.getByLabel('Promote without the Xp table').check();
    await page.getByRole('button', { name: promote }).click();
    await page.getByText(/^Promoted into .*: 2 Items created and 1 Xp table created/).waitFor();
  },
);

testInFull(
  'a deletion of an Xp table lists the Items that reference it, and requires acceptance',
  async () => {
    const { source, target, xp_id, plan, axe, bow } = await makePair();
    await web.call('compare.promote', {
      sandbox_id: target.sandbox_id,
      source_sandbox_id: source.sandbox_id,
      kind: 'item',
      record_ids: [axe, bow],
      dry_run: false,
      include_referenced: true,
    });
    await web.call('xp.delete', { sandbox_id: source.sandbox_id, xp_id, expected_version: 1 });
    const page = await web.open(plan([xp_id], '&kind=xp'), editor);
    const panel = page.getByRole('group', {
      name: `Items in ${target.name} still use 1 Xp table to be deleted`,
    });
    const link = panel.getByRole('link', { name: 'Axe' });
    expect(await link.getAttribute('href')).toBe(`/s/${target.sandbox_id}/items/${axe}`);
    const promote = page.getByRole('button', { name: `Promote into ${target.name}` });
    expect(await promote.getAttribute('aria-disabled')).toBe('true');
    await expectNoAxeViolations(page);
    await page.getByLabel('Delete the Xp table anyway').check();
    await promote.click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Promote into ${target.name}` })
      .click();
    await page.getByText(/^Promoted into .*: 1 Xp table deleted/).waitFor();
  },
);

testInFull('long lists are shortened until expanded, also on a phone', async () => {
  const { source, plan } = await makePair();
  const swords = Array.from(
    { length: 60 },
    (_, index) => `00000000-0000-4000-9000-${String(index).padStart(12, '0')}`,
  );
  await web.call('items.bulk', {
    sandbox_id: source.sandbox_id,
    operations: swords.map((item_id, index) => ({
      operation: 'create',
      item_id,
      name: `Sword ${index}`,
      item_type: 'unit',
      level_xp_table_id: swords[index % 30],
    })),
  });
  const many = await source.addXp(MARKUP);
  const items: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    const item = await source.addItem(`Shield ${index}`, { level_xp_table_id: many.xp_id });
    items.push(item.item_id);
  }
  const ids = [...items, ...swords];
  const page = await web.open(plan(ids), { ...editor, ...PHONE });
  await page.getByText('30 Xp tables cannot be promoted with them:').waitFor();
  await page.getByRole('link', { name: MARKUP, exact: true }).waitFor();
  await page.getByRole('button', { name: 'and 2 more' }).click();
  await page.getByRole('link', { name: 'Shield 4' }).waitFor();
  expect(await page.getByRole('button', { name: 'Show fewer' }).count()).toBe(1);
  expect(await page.getByText(/does not exist in the source/).count()).toBe(20);
  await page.getByRole('button', { name: 'Show all 30 Xp tables' }).press('Enter');
  await expect.poll(() => page.getByText(/does not exist in the source/).count()).toBe(30);
  await expectToFitPhone(page);
  await expectNoAxeViolations(page);
});
