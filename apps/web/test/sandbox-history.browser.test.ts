// The history of a whole sandbox, its overview and its trash.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { firstOf, testInFull } from './support/extent.ts';
import { waitForRoomInHour } from './support/hours.ts';
import { addVersions, MARKUP, makeSandbox } from './support/sandboxes.ts';
import { PHONE, shareWeb } from './support/web.ts';

const web = shareWeb();

const editor = { as: 'editor' } as const;

/** A changed Item, a deleted one, and an Xp table. */
const makePlace = async () => {
  const sandbox = await makeSandbox(web);
  const { item_id } = await sandbox.addItem('Axe', { tags: ['melee'] });
  const reason = 'Season 4';
  await sandbox.editItem(item_id, 1, { name: 'Battle axe', tags: ['heavy'], reason });
  const bow = await sandbox.addItem('Bow');
  const place = { sandbox_id: sandbox.sandbox_id, item_id: bow.item_id };
  await web.call('items.delete', { ...place, expected_version: 1, reason: 'Unused' });
  await sandbox.addXp('Levels');
  const root = `/s/${sandbox.sandbox_id}`;
  return { ...sandbox, item_id, root, history: `${root}/history`, trash: `${root}/trash` };
};

testInFull(
  'the overview shows counts, and the last edits with a link to their differences',
  async () => {
    const { root, name } = await makePlace();
    const page = await web.open(root, editor);
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByText('Items', { exact: true }).first().waitFor();
    await page.getByText('Season 4').waitFor();
    await page.getByRole('link', { name: 'Battle axe' }).click();
    await page.waitForURL(/history\?edit=/);
    await page.getByText('1 version').waitFor();
  },
);

testInFull('an empty sandbox explains how to begin', async () => {
  const { sandbox_id } = await makeSandbox(web);
  const page = await web.open(`/s/${sandbox_id}`, editor);
  await page.getByRole('link', { name: 'Create the first Item' }).click();
  await page.getByRole('heading', { name: 'New Item', level: 1 }).waitFor();
});

test('a change is found by filters, shown with its differences, and undone', async () => {
  const { history } = await makePlace();
  const page = await web.open(`${history}?view=versions`, editor);
  await page.getByText('5 versions').waitFor();
  await page.getByRole('combobox', { name: 'Changed field' }).click();
  await page.getByRole('option', { name: 'tags' }).click();
  await page.getByRole('combobox', { name: 'What' }).click();
  await page.getByRole('option', { name: 'changed' }).click();
  await page.getByText('1 version').waitFor();
  expect(new URL(page.url()).searchParams.get('operation')).toBe('update');
  await page.reload();
  await page.getByRole('link', { name: 'Battle axe' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('What it changed').waitFor();
  await drawer.getByText('Season 4').waitFor();
  await page.goBack();
  await drawer.waitFor({ state: 'detached' });

  await page.goto(`${history}?operation=insert&name=axe`);
  await page.getByRole('link', { name: 'Axe', exact: true }).click();
  await drawer.getByRole('button', { name: 'Restore this version' }).click();
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByText('Restored as version 3.').waitFor();
  await page.goto(`${history}?operation=restore`);
  await page.getByText('1 version').waitFor();
});

testInFull('a URL with unknown parameters opens the same history', async () => {
  const [{ history }, { sandbox_id }] = [await makePlace(), await makeSandbox(web)];
  const page = await web.open(`${history}?sandbox_id=${sandbox_id}&page_size=x&kind=xp`, editor);
  await page.getByText('1 version').waitFor();
  await page.getByRole('link', { name: 'Levels' }).waitFor();
  await page.getByText(/^The parameters .* in this link are unknown and were removed\.$/).waitFor();
});

testInFull('two versions of one record are compared from the list', async () => {
  const { history } = await makePlace();
  const page = await web.open(`${history}?name=axe`, editor);
  await page.getByText('2 versions').waitFor();
  for (const box of await page.getByRole('checkbox', { name: 'Select row' }).all()) {
    await box.click();
  }
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('heading', { name: /Compare versions of/ }).waitFor();
  await page.getByText('heavy').first().waitFor();
});

testInFull('a sandbox is shown as of a point in time', async () => {
  const { history } = await makePlace();
  const now = new Date(Date.now() + 60_000).toISOString();
  const page = await web.open(`${history}?view=as-of&at=${now}`, editor);
  await page.getByRole('link', { name: 'Battle axe' }).waitFor();
  expect(await page.getByRole('link', { name: 'Bow' }).count()).toBe(0);
  await page.goto(`${history}?view=as-of&at=2020-01-01T00:00:00.000Z`);
  await page.getByText('Nothing matches').waitFor();
});

testInFull('an exported file contains exactly the filtered versions', async () => {
  await waitForRoomInHour();
  const { history, name } = await makePlace();
  const page = await web.open(`${history}?kind=item&name=axe`, editor);
  await page.getByText('2 versions').waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /NDJSON/ }).click();
  const download = await downloading;
  const prefix = name.toLowerCase().replaceAll(' ', '-');
  const month = new Date().toISOString().slice(0, 7);
  expect(download.suggestedFilename()).toContain(`${prefix}-items-history-${month}`);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).operation)).toEqual(['insert', 'update']);
});

testInFull('several deleted records are restored from the trash at once', async () => {
  const { trash, addItem, sandbox_id } = await makePlace();
  const { item_id } = await addItem(MARKUP);
  await web.call('items.delete', { sandbox_id, item_id, expected_version: 1 });
  const page = await web.open(trash, editor);
  await page.getByText('2 deleted Items').waitFor();
  await page.getByText('Unused').waitFor();
  await page.getByText(MARKUP).first().waitFor();
  for (const box of await page.getByRole('checkbox', { name: 'Select row' }).all()) {
    await box.click();
  }
  await page.getByRole('button', { name: 'Restore …' }).click();
  await page.getByRole('button', { name: 'Apply 2 changes' }).click();
  await page.getByText('Applied "Restore 2 Items".').waitFor();
  await page.getByText('No Item has been deleted').waitFor();
  expect(await page.title()).not.toBe('owned');
});

/** Several pages of rows. */
const VERSIONS = 100_000;

testInFull(`${VERSIONS} versions scroll with fewer than 60 rows in the document`, async () => {
  const { sandbox_id } = await makeSandbox(web);
  await addVersions(web, sandbox_id, VERSIONS);
  const page = await web.open(`/s/${sandbox_id}/history?view=versions`, editor);
  await page.getByText(`${VERSIONS.toLocaleString('en')} versions`).waitFor();
  const rows = page.locator('tbody tr[data-index]');
  const table = page.getByRole('table', { name: 'versions' });
  const lastShown = () => rows.last().getAttribute('data-index').then(Number);
  await rows.first().waitFor();
  for (const target of [100, 300, 500]) {
    await table.hover();
    await expect
      .poll(
        async () => {
          await page.mouse.wheel(0, 4_000);
          expect(await rows.count()).toBeLessThan(60);
          return lastShown();
        },
        { timeout: 30_000 },
      )
      .toBeGreaterThan(target);
  }
});

testInFull('a viewer sees the history but cannot change it', async () => {
  const { history, trash } = await makePlace();
  const page = await web.open(history, { as: 'viewer' });
  const revert = page.getByRole('button', { name: 'Revert …' }).first();
  await revert.waitFor();
  expect(await revert.getAttribute('aria-disabled')).toBe('true');
  await page.goto(`${history}?view=versions`);
  await page.getByRole('link', { name: 'Battle axe' }).first().click();
  const restore = page.getByRole('button', { name: 'Restore this version' });
  await restore.waitFor();
  expect(await restore.getAttribute('aria-disabled')).toBe('true');
  await page.goto(trash);
  await page.getByRole('link', { name: 'Bow' }).waitFor();
  expect(await page.getByRole('checkbox', { name: 'Select row' }).count()).toBe(0);
});

testInFull('the history is read and filtered with the keyboard only', async () => {
  const { history } = await makePlace();
  const page = await web.open(`${history}?view=versions`, editor);
  await page.getByText('5 versions').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('bow');
  await page.getByText('2 versions').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText('What it changed').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

testInFull('on a phone, the filters of the history are collapsed by default', async () => {
  const { history } = await makePlace();
  const page = await web.open(`${history}?operation=insert`, { ...editor, ...PHONE });
  const kind = page.getByRole('combobox', { name: 'Kind' });
  await page.getByRole('textbox', { name: 'Record name' }).waitFor();
  expect(await kind.isVisible()).toBe(false);
  const toggle = page.getByRole('button', { name: 'Filters (1)' });
  expect(await toggle.getAttribute('aria-expanded')).toBe('false');
  await toggle.click();
  await kind.waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('button', { name: 'Filters', exact: true }).waitFor();
});

test.each(
  firstOf([
    ['edits', ''],
    ['versions', '?view=versions'],
  ] as const),
)('on a phone, the %s show their columns without scrolling sideways', async (name, search) => {
  const { history } = await makePlace();
  const page = await web.open(`${history}${search}`, { ...editor, ...PHONE });
  const table = page.getByRole('table', { name });
  await table.getByRole('columnheader', { name: 'When' }).waitFor();
  const cut = await table.evaluate((element) => {
    const frame = element.parentElement as HTMLElement;
    return frame.scrollWidth - frame.clientWidth;
  });
  expect(cut).toBe(0);
  const times = table.locator('tbody time');
  const shortened = await times.evaluateAll((all) =>
    all.filter(({ parentElement: cell }) => cell && cell.scrollWidth > cell.clientWidth),
  );
  expect(await times.count()).toBeGreaterThan(0);
  expect(shortened).toEqual([]);
});

const NARROW = { viewport: { width: 1024, height: 768 } };

test.each(
  firstOf([
    ['edits', 'history'],
    ['change sets', 'change-sets'],
  ] as const),
)('in a window of 1024 pixels, the %s show all of their columns', async (name, path) => {
  const { root, sandbox_id, addItem, editItem } = await makePlace();
  const long = `The exceptionally long name of a ${'very '.repeat(20)}long sword`;
  const { item_id: sword } = await addItem('Sword');
  const { transaction_id } = await editItem(sword, 1, { name: long, reason: long });
  await web.call('edits.revert', { sandbox_id, transaction_id });
  const page = await web.open(`${root}/${path}`, { ...editor, ...NARROW });
  const table = page.getByRole('table', { name });
  await table.getByRole('row').filter({ hasText: 'exceptionally' }).first().waitFor();
  const cut = await table.evaluate((element) => {
    const frame = element.parentElement as HTMLElement;
    return frame.scrollWidth - frame.clientWidth;
  });
  expect(cut).toBe(0);
});
