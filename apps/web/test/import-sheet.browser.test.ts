// Imports spreadsheets as studios keep them: other columns, legacy ids, workbooks, and many problems.
import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { check, choose, importOf } from './support/imports.ts';
import { makeSandbox } from './support/sandboxes.ts';
import { PHONE, shareWeb } from './support/web.ts';

const web = shareWeb();

testInFull(
  'columns can be imported as something else, and the choice is kept for the sandbox',
  async () => {
    const sandbox = await makeSandbox(web);
    await sandbox.addItem('Bow', { legacy_item_id: 7 });
    const page = await web.open(importOf(sandbox), { as: 'editor' });
    await choose(page, 'prices.csv', 'Nr;Cost;comment\n7;500;check this\n');
    await check(page);
    await page.getByRole('heading', { name: /problems? in prices.csv/ }).waitFor();
    await page.getByRole('combobox', { name: 'Import Nr as' }).click();
    await page.getByRole('option', { name: 'Legacy id', exact: true }).click();
    await page.getByRole('combobox', { name: 'Import comment as' }).click();
    await page.getByRole('option', { name: 'Not imported' }).click();
    await page.getByRole('button', { name: 'Apply 1 change' }).waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Apply 1 change' }).click();
    await page.getByRole('heading', { name: 'Imported: 1 Item was written' }).waitFor();
    const other = await web.open(importOf(sandbox), { as: 'editor', ...PHONE });
    await choose(other, 'prices.csv', 'Nr;Cost;comment\n7;600;x\n');
    await check(other);
    await other.getByRole('button', { name: 'Apply 1 change' }).waitFor();
    const comment = other.getByRole('combobox', { name: 'Import comment as' });
    expect(await comment.inputValue()).toBe('Not imported');
  },
);

testInFull('many problems are grouped with counts that add up, and can be downloaded', async () => {
  const sandbox = await makeSandbox(web);
  const page = await web.open(importOf(sandbox), { as: 'editor' });
  const rows = Array.from({ length: 1_500 }, (_, at) => `Sword ${at},${at < 900 ? 'sword' : ''}`);
  await choose(page, 'swords.csv', ['name,item_type', ...rows].join('\n'));
  await check(page);
  await page.getByRole('heading', { name: /^1,500 problems in swords.csv/ }).waitFor();
  await page.getByRole('row', { name: /item_type .* 900$/ }).waitFor();
  await page.getByRole('row', { name: /item_type .* 600$/ }).waitFor();
  await expectNoAxeViolations(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the problems as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('problems.csv');
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(1_501);
  expect(lines[0]).toBe('\uFEFFrow,column,problem'.trim());
  expect(lines.at(-1)).toMatch(/^1501,item_type,/);
});

testInFull('converted numbers and missing Xp tables are shown before the import', async () => {
  const sandbox = await makeSandbox(web);
  const page = await web.open(importOf(sandbox, '?from=text'), { as: 'editor' });
  const row = {
    name: 'Bow',
    item_type: 'unit',
    level_xp_table_id: '00000000-0000-4000-8000-000000000001',
    custom_data: { price: 5, sold: true },
  };
  await page.getByRole('textbox', { name: 'Rows' }).fill(JSON.stringify(row));
  await check(page);
  await page.getByText('2 numbers and booleans in custom data will be imported as text').waitFor();
  await page.getByText('1 Item names an Xp table that this sandbox does not have').waitFor();
  await page.getByRole('button', { name: 'Apply 1 change' }).waitFor();
  await expectNoAxeViolations(page);
});
