// The check of a file makes a draft of a change set, which is discarded unless the user keeps it.
import { expect, test } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { check, choose, importOf, manyItems } from './support/imports.ts';
import { makeSandbox } from './support/sandboxes.ts';
import type { Page } from './support/web.ts';
import { shareWeb } from './support/web.ts';

const web = shareWeb();

const openImport = async (expectedErrors: readonly RegExp[] = []) => {
  const sandbox = await makeSandbox(web);
  const { sandbox_id } = sandbox;
  const page = await web.open(importOf(sandbox), { as: 'editor', expectedErrors });
  const listSets = async () => {
    const found = await web.call<{ change_sets: { title: string; state: string }[] }>(
      'changeSets.list',
      { sandbox_id },
    );
    return found.change_sets;
  };
  const listTitles = async () => (await listSets()).map(({ title }) => title);
  const checkFile = async (name: string, rows: number) => {
    await choose(page, name, manyItems(rows));
    await check(page);
    await page.getByRole('button', { name: `Apply ${rows} changes` }).waitFor();
  };
  return { page, sandbox, checkFile, listSets, listTitles };
};

/** Holds the next request for the procedure until the returned function is called. */
const holdNext = async (page: Page, procedure: string): Promise<() => void> => {
  const held = Promise.withResolvers<void>();
  await page.route(
    `**/admin/trpc/${procedure}*`,
    async (route) => {
      await held.promise;
      await route.continue();
    },
    { times: 1 },
  );
  return held.resolve;
};

test('a draft is discarded with another file, and when the user leaves the page', async () => {
  const { page, checkFile, listTitles } = await openImport();
  await checkFile('swords.csv', 5);
  expect(await listTitles()).toEqual(['Import of swords.csv']);
  await choose(page, 'axes.csv', manyItems(2));
  await page.getByRole('button', { name: 'Apply 5 changes' }).waitFor({ state: 'detached' });
  await expect.poll(listTitles).toEqual([]);
  await checkFile('axes.csv', 2);
  expect(await listTitles()).toEqual(['Import of axes.csv']);
  await page.getByRole('link', { name: 'History', exact: true }).first().click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('heading', { name: 'History', level: 1 }).waitFor();
  await expect.poll(listTitles).toEqual([]);
});

testInFull('a draft that is kept has a page of its own, without a question', async () => {
  const { page, checkFile, listTitles } = await openImport();
  await checkFile('swords.csv', 5);
  await expectNoAxeViolations(page);
  await page.getByRole('link', { name: 'Keep as a change set' }).click();
  await page.getByRole('heading', { name: 'Import of swords.csv', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Apply 5 changes' }).waitFor();
  expect(await listTitles()).toEqual(['Import of swords.csv']);
});

testInFull('a draft that is discarded leaves the file, which can be checked again', async () => {
  const { page, checkFile, listTitles } = await openImport();
  await checkFile('swords.csv', 5);
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(listTitles).toEqual([]);
  await check(page);
  await page.getByRole('button', { name: 'Apply 5 changes' }).click();
  await page.getByRole('heading', { name: 'Imported: 5 Items were written' }).waitFor();
  expect(await listTitles()).toEqual(['Import of swords.csv']);
});

testInFull('a check that fails after its draft was made leaves no draft', async () => {
  const { page, checkFile, listTitles } = await openImport([/status of 503/]);
  const address = '**/admin/trpc/changeSets.get*';
  let hasDraft = false;
  await page.route(address, async (route) => {
    hasDraft = (await listTitles()).length === 1;
    await route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>Busy</h1>' });
  });
  await choose(page, 'swords.csv', manyItems(5));
  await check(page);
  await page.getByRole('alert').first().waitFor();
  expect(hasDraft).toBe(true);
  expect(await listTitles()).toEqual([]);
  await page.unroute(address);
  await checkFile('swords.csv', 5);
  expect(await listTitles()).toEqual(['Import of swords.csv']);
});

/** Cancels a check whose draft was made. Returns a function that lets the check continue. */
const cancelLate = async (page: Page): Promise<() => void> => {
  const release = await holdNext(page, 'changeSets.get');
  const isMade = page.waitForRequest('**/admin/trpc/changeSets.get*');
  await choose(page, 'swords.csv', manyItems(5));
  await check(page);
  await isMade;
  const dialog = page.getByRole('dialog', { name: 'Checking …' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  return release;
};

testInFull('a check that is cancelled after its draft was made leaves no draft', async () => {
  const { page, sandbox, listTitles } = await openImport();
  const release = await cancelLate(page);
  expect(await listTitles()).toEqual(['Import of swords.csv']);
  release();
  await expect.poll(listTitles).toEqual([]);
  expect(await page.getByRole('button', { name: /^Apply/ }).count()).toBe(0);
  await page.goto(sandbox.items);
  await page.getByText('There is no Item yet').waitFor();
});

testInFull('a cancelled check does not replace the preview of the next one', async () => {
  const { page, checkFile, listTitles } = await openImport();
  const release = await cancelLate(page);
  await checkFile('axes.csv', 2);
  release();
  await expect.poll(listTitles).toEqual(['Import of axes.csv']);
  await page.getByRole('button', { name: 'Apply 2 changes' }).click();
  await page.getByRole('heading', { name: 'Imported: 2 Items were written' }).waitFor();
});

testInFull('a page whose import is being applied can be left, but not changed', async () => {
  const { page, checkFile, listSets } = await openImport();
  await checkFile('swords.csv', 5);
  const release = await holdNext(page, 'changeSets.apply');
  await page.getByRole('button', { name: 'Apply 5 changes' }).click();
  const again = page.locator('button', { hasText: 'Check again' });
  const takesFocus = () =>
    again.evaluate((button) => {
      button.focus();
      return button === document.activeElement;
    });
  await expect.poll(takesFocus).toBe(false);
  await page.getByRole('link', { name: 'History', exact: true }).first().click();
  await page.getByRole('heading', { name: 'History', level: 1 }).waitFor();
  release();
  await page.getByText('Applied "Import of swords.csv".').first().waitFor();
  expect(await listSets()).toMatchObject([{ title: 'Import of swords.csv', state: 'applied' }]);
});
