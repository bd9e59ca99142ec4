// Xp tables: levels are edited like a spreadsheet, with problems in their row.
import { expect, test } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { makeSandbox } from './support/sandboxes.ts';
import { shareWeb } from './support/web.ts';

const web = shareWeb();

const editor = { as: 'editor' } as const;

test('levels that do not increase are marked in their row, and nothing is sent', async () => {
  const { xp } = await makeSandbox(web);
  const page = await web.open(`${xp}/new`, editor);
  await page.getByLabel('Name').fill('Infantry');
  await page.getByLabel('Xp, row 2', { exact: true }).fill('100');
  await page.keyboard.press('Enter');
  const third = page.getByLabel('Xp, row 3', { exact: true });
  await expect.poll(() => third.evaluate((cell) => cell === document.activeElement)).toBe(true);
  expect(await page.getByLabel('Level, row 3', { exact: true }).inputValue()).toBe('3');
  await page.keyboard.type('100');
  const problem = 'Xp: Must be greater than the level before (100).';
  await page.getByText(problem).waitFor();
  await page
    .getByRole('region', { name: 'Saving' })
    .getByText('1 problem', { exact: true })
    .waitFor();
  expect(await third.getAttribute('aria-invalid')).toBe('true');
  await expectNoAxeViolations(page);
  await page.keyboard.press('Control+s');
  expect(page.url()).toMatch(/\/new$/);
  await third.fill('many');
  await page.getByText('Xp: Must be an integer.').waitFor();
  await third.fill('250');
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { name: 'Infantry', level: 1 }).waitFor();
});

testInFull('pastes cells of a spreadsheet over the levels', async () => {
  const sandbox = await makeSandbox(web);
  const { xp_id } = await sandbox.addXp('Cavalry');
  const page = await web.open(`${sandbox.xp}/${xp_id}`, editor);
  await page.getByLabel('Level, row 1', { exact: true }).evaluate((cell) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'Level\tXp\r\n1\t0\r\n2\t1,500\r\n3\t4 000\r\n');
    cell.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  });
  await expect.poll(() => page.getByLabel('Xp, row 3', { exact: true }).inputValue()).toBe('4000');
  expect(await page.getByLabel('Xp, row 2', { exact: true }).inputValue()).toBe('1500');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved as version 2.').waitFor();
});

testInFull('the problems of pasted levels are counted beside the button', async () => {
  const sandbox = await makeSandbox(web);
  const { xp_id } = await sandbox.addXp('Curve');
  const page = await web.open(`${sandbox.xp}/${xp_id}`, editor);
  await page.getByLabel('Level, row 1', { exact: true }).evaluate((cell) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', '1\t0\n2\tmany\n3\tmore\n');
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    cell.dispatchEvent(event);
  });
  await page.getByRole('region', { name: 'Saving' }).getByText('2 problems').waitFor();
});

testInFull('an Item selects its Xp table by name', async () => {
  const sandbox = await makeSandbox(web);
  for (const name of ['Archers', 'Riders', 'Riflemen']) await sandbox.addXp(name);
  const { item_id } = await sandbox.addItem('Horse');
  const page = await web.open(`${sandbox.items}/${item_id}`, editor);
  const field = page.getByRole('combobox', { name: 'Levels by Xp table' });
  await field.fill('rider');
  await page.getByRole('option', { name: 'Riders' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved as version 2.').waitFor();
  await page.reload();
  await expect.poll(() => field.inputValue()).toBe('Riders');
});
