// Exports lists as workbooks, opens the files and checks their rows.
import { readFile } from 'node:fs/promises';
import { streamXlsxRows } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { check, choose, importOf } from './support/imports.ts';
import { addVersions, makeSandbox } from './support/sandboxes.ts';
import type { Page } from './support/web.ts';
import { shareWeb } from './support/web.ts';

const web = shareWeb();

const WORKBOOK = 'Excel workbook (.xlsx)';

/** The rows of the file that the actions download, as objects by column. */
const downloadRows = async (page: Page, actions: readonly (() => Promise<unknown>)[]) => {
  const downloading = page.waitForEvent('download');
  for (const act of actions) await act();
  const download = await downloading;
  const bytes = await readFile(await download.path());
  const rows: Record<string, unknown>[] = [];
  let header: unknown[] = [];
  for await (const { index, values } of streamXlsxRows(bytes)) {
    if (index === 0) header = values;
    else rows.push(Object.fromEntries(header.map((name, at) => [name, values[at] ?? ''])));
  }
  return { name: download.suggestedFilename(), bytes, rows };
};

test('a filtered list is exported as a workbook, and imports unchanged', async () => {
  const sandbox = await makeSandbox(web);
  await sandbox.addItem('=SUM(1)', {
    legacy_item_id: 7,
    description: "'=x",
    tags: ['bow', 'a;b'],
    custom_data: {
      price: '0.10',
      serial: '00000012345678901234567890',
      text: '_x0041_',
      _x0041_: '1',
    },
  });
  await sandbox.addItem('Bow', { tags: ['bow'], custom_data: { price: '600' } });
  await sandbox.addItem('Axe', { custom_data: { price: '5' } });
  const page = await web.open(`${sandbox.items}?tag=bow`, { as: 'editor' });
  await page.getByText('2 Items', { exact: true }).waitFor();
  const { name, bytes, rows } = await downloadRows(page, [
    () => page.getByRole('button', { name: 'Export' }).click(),
    () => page.getByRole('menuitem', { name: WORKBOOK }).click(),
  ]);
  expect(name).toMatch(/^test-\d+-items-\d{4}-\d\d-\d\d\.xlsx$/);
  expect(rows).toHaveLength(2);
  const byName = new Map(rows.map((row) => [row.name, row]));
  expect(byName.get('=SUM(1)')).toMatchObject({
    legacy_item_id: '7',
    tags: '["bow","a;b"]',
    'custom_data.price': '0.10',
    'custom_data.serial': '00000012345678901234567890',
    'custom_data.text': '_x0041_',
    'custom_data._x0041_': '1',
  });
  expect(byName.get('Bow')).toMatchObject({ 'custom_data.price': '600', 'custom_data.text': '' });
  await page.goto(importOf(sandbox));
  await choose(page, name, bytes);
  await check(page);
  await page.getByText(/Nothing to do: everything in/).waitFor();
});

testInFull(
  'the history is exported as a workbook of more than 10,000 rows, with progress',
  async () => {
    const sandbox = await makeSandbox(web);
    await addVersions(web, sandbox.sandbox_id, 12_000);
    const page = await web.open(`${sandbox.root}/history?view=versions&kind=item`, {
      as: 'viewer',
    });
    // Holds the file back until the dialog has been seen.
    let release = () => {};
    const isSeen = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/admin/export/**', async (route) => {
      await isSeen;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: WORKBOOK }).click();
    const progress = page.getByRole('dialog', { name: 'Export as a workbook' });
    await progress.getByRole('button', { name: 'Cancel' }).waitFor();
    await expectNoAxeViolations(page);
    const { rows } = await downloadRows(page, [async () => release()]);
    await progress.waitFor({ state: 'detached' });
    expect(rows.map(({ seq }) => seq)).toEqual(
      Array.from({ length: 12_000 }, (_, at) => String(at + 1)),
    );
    expect(rows[0]).toMatchObject({ operation: 'insert', name: 'Worn axe' });
  },
);

testInFull('a cancelled export saves no file', async () => {
  const sandbox = await makeSandbox(web);
  await sandbox.addXp('Curve');
  const page = await web.open(sandbox.xp, { as: 'viewer' });
  await page.route('**/admin/export/**', () => {});
  let downloads = 0;
  page.on('download', () => {
    downloads += 1;
  });
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: WORKBOOK }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Export as a workbook' }).waitFor({ state: 'detached' });
  expect(downloads).toBe(0);
});
