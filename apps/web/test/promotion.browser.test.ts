// Promoting records from one sandbox to another, as a change set.
import { expect, test } from 'vitest';
import {
  expectNoAxeViolations,
  expectNoAxeViolationsEveryDay,
  expectToFitPhone,
} from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { makeSandbox } from './support/sandboxes.ts';
import { createUsers } from './support/users.ts';
import { PHONE, shareWeb } from './support/web.ts';

const web = shareWeb();

const editor = { as: 'editor' } as const;
const AXE = '00000000-0000-4000-8000-000000000001';

/** The source has a better Axe, and a new Bow that uses an Xp table of its own. The target has an Old one. */
const makePair = async () => {
  const source = await makeSandbox(web);
  const target = await makeSandbox(web);
  await source.addItem('Axe', { item_id: AXE, tags: ['melee', 'rare'] });
  await target.addItem('Axe', { item_id: AXE, tags: ['melee'] });
  const { xp_id } = await source.addXp('Heroes');
  const bow = await source.addItem('Bow', { level_xp_table_id: xp_id });
  const old = await target.addItem('Old');
  const { sandbox_id } = target;
  const path = `/s/${sandbox_id}/compare-sandboxes?source=${source.sandbox_id}`;
  const readNames = async () => {
    const page = { sandbox_id, page_size: 200 };
    const found = await web.call<{ records: { name: string }[] }>('items.list', page);
    return found.records.map(({ name }) => name);
  };
  const listSets = async () =>
    (await web.call<{ change_sets: { state: string }[] }>('changeSets.list', { sandbox_id }))
      .change_sets;
  return {
    source,
    target,
    path,
    xp_id,
    bow: bow.item_id,
    old: old.item_id,
    readNames,
    listSets,
  };
};

test('promotes everything that differs in at most six actions, and undoes it as one edit', async () => {
  const { target, path, xp_id, readNames } = await makePair();
  const users = createUsers(web, 'mouse');
  const user = await users.open(path, editor);
  const { page } = user;
  await page.getByText('3 differences').waitFor();
  const button = (name: string) => page.getByRole('button', { name });
  await user.click(button('Promote all 2 …'));
  await user.type(page.getByLabel('Reason'), 'Season 4');
  await user.click(button('Preview'));
  const dialog = page.getByRole('dialog', { name: `Promote 2 Items to ${target.name}` });
  await dialog.getByRole('row', { name: /Heroes.*Xp table.*create/ }).waitFor();
  await dialog.getByRole('row', { name: /Axe.*Item.*change/ }).waitFor();
  await expectNoAxeViolationsEveryDay(page);
  await user.click(button('Apply 3 changes'));
  expect(users.countActions()).toBeLessThanOrEqual(6);
  await page.getByText(/^Applied "Promotion from /).waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('1 difference').waitFor();
  await expect.poll(readNames).toEqual(['Axe', 'Bow', 'Old']);
  const table = { sandbox_id: target.sandbox_id, xp_id };
  expect(await web.call('xp.get', table)).toMatchObject({ name: 'Heroes' });
  await button('Undo …').click();
  await button('Apply 3 changes').click();
  await page.getByText('Reverts').waitFor();
  await expect.poll(readNames).toEqual(['Axe', 'Old']);
});

testInFull(
  'leaves out records that only the target has, and promotes nothing when it is closed',
  async () => {
    const { target, path, bow, old, readNames, listSets } = await makePair();
    // An address may name records that the list does not let anyone select.
    const page = await web.open(`${path}&sel=${AXE},${bow},${old}`, editor);
    await page.getByText('3 selected').waitFor();
    await page.getByRole('button', { name: 'Promote 3 …' }).click();
    const dialog = page.getByRole('dialog', { name: `Promote 3 Items to ${target.name}` });
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('1 change cannot be applied').waitFor();
    await dialog.getByText(`Only in ${target.name}; nothing to promote.`).waitFor();
    await expectNoAxeViolations(page);
    await dialog.getByRole('button', { name: 'Back' }).click();
    await expect.poll(listSets).toEqual([]);
    await dialog.getByLabel('Include Xp tables').uncheck();
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('button', { name: 'Leave these out' }).click();
    await dialog.getByText(/This sandbox has no Xp table with the id/).waitFor();
    await dialog.getByText('1 change has a warning').waitFor();
    await dialog.getByLabel('Show only these').check();
    await dialog.getByRole('row', { name: /Axe/ }).waitFor({ state: 'detached' });
    await dialog.getByRole('row', { name: /Bow/ }).waitFor();
    await expectNoAxeViolations(page);
    await dialog.getByRole('button', { name: 'Apply 2 changes' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('1 difference').waitFor();
    expect(await readNames()).toEqual(['Axe', 'Bow', 'Old']);
  },
);

testInFull('a record whose legacy id is taken in the target is left out as well', async () => {
  const { source, target, path, readNames } = await makePair();
  await source.addItem('Club', { legacy_item_id: 7 });
  await target.addItem('Dart', { legacy_item_id: 7 });
  const page = await web.open(`${path}&status=only_source`, editor);
  await page.getByRole('button', { name: 'Promote all 2 …' }).click();
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('1 change cannot be applied').waitFor();
  await page.getByRole('button', { name: 'Leave these out' }).click();
  await page.getByRole('button', { name: 'Apply 2 changes' }).click();
  await expect.poll(readNames).toEqual(['Axe', 'Bow', 'Dart', 'Old']);
});

testInFull('submits a promotion where a review is required', async () => {
  const { target, path, readNames, listSets } = await makePair();
  const review = { sandbox_id: target.sandbox_id, required_approvals: 1 };
  await web.call('sandboxes.update', review);
  const page = await web.open(path, editor);
  await page.getByRole('button', { name: 'Promote all 2 …' }).click();
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await listSets()).toMatchObject([{ state: 'in_review' }]);
  expect(await readNames()).toEqual(['Axe', 'Old']);
});

testInFull('the dialog fits a phone', async () => {
  const { path } = await makePair();
  const page = await web.open(path, { ...editor, ...PHONE });
  await page.getByRole('button', { name: 'Promote all 2 …' }).click();
  await expectToFitPhone(page);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Apply 3 changes' }).waitFor();
  await expectToFitPhone(page);
  await expectNoAxeViolations(page);
});

testInFull('a dialog that is closed while the preview is made leaves no change set', async () => {
  const { path, listSets } = await makePair();
  const page = await web.open(path, editor);
  await page.getByText('3 differences').waitFor();
  await page.getByRole('button', { name: 'Promote all 2 …' }).click();
  const answer = Promise.withResolvers<void>();
  await page.route('**/changeSets.promote**', async (route) => {
    const response = await route.fetch();
    await answer.promise;
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect.poll(listSets).toMatchObject([{ state: 'draft' }]);
  await page.getByRole('button', { name: 'Cancel' }).click();
  answer.resolve();
  await expect.poll(listSets).toEqual([]);
});
