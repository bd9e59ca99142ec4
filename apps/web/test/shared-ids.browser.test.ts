// An Item and an Xp table with the same id, which the service permits.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testInFull } from './support/extent.ts';
import { makeSandbox } from './support/sandboxes.ts';
import { shareWeb } from './support/web.ts';

const web = shareWeb();

const editor = { as: 'editor' } as const;

const makePair = async () => {
  const sandbox = await makeSandbox(web);
  const id = randomUUID();
  const place = { sandbox_id: sandbox.sandbox_id };
  await sandbox.addItem('Sword', { item_id: id });
  await web.call('xp.create', { ...place, xp_id: id, name: 'Sword curve', xp_thresholds: [] });
  return { ...sandbox, id };
};

testInFull('the palette finds both, and marks one of them at a time', async () => {
  const { id, root } = await makePair();
  const page = await web.open(root, editor);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Search records/ }).fill(id);
  const found = page.getByRole('group', { name: 'Records' }).getByRole('option');
  await found.filter({ hasText: 'Sword curve' }).waitFor();
  const selected = page.getByRole('option', { selected: true });
  expect([await found.count(), await selected.count()]).toEqual([2, 1]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Sword curve', level: 1 }).waitFor();
});

test('comparing versions of one record offers no versions of the other', async () => {
  const { id, xp } = await makePair();
  const page = await web.open(`${xp}/${id}/compare`, editor);
  await page.getByRole('combobox', { name: 'To' }).click();
  await page.getByRole('option').first().waitFor();
  expect(await page.getByRole('option').count()).toBe(1);
});

testInFull('a version of one is not compared with a version of the other', async () => {
  const { root } = await makePair();
  const page = await web.open(`${root}/history?view=versions`, editor);
  await page.getByText('2 versions').waitFor();
  for (const box of await page.getByRole('checkbox', { name: 'Select row' }).all()) {
    await box.click();
  }
  await page.getByRole('button', { name: 'Compare', disabled: true }).hover();
  await page.getByText('These are versions of two different records.').waitFor();
});
