// Edits in the history, and change sets that revert them.
import { expect, test } from 'vitest';
import { testInFull } from './support/extent.ts';
import { makeSandbox } from './support/sandboxes.ts';
import { shareWeb } from './support/web.ts';

const web = shareWeb();

const editor = { as: 'editor' } as const;
const COUNT = 36;

/** 36 Items whose price one bulk edit has changed. */
const makeSale = async (options: { protected?: true } = {}) => {
  const sandbox = await makeSandbox(web, options);
  const { sandbox_id } = sandbox;
  const fields = { item_type: 'unit', custom_data: { price: '100' } };
  const operations = Array.from({ length: COUNT }, (_, index) => {
    return { operation: 'create', name: `Sword ${String(index + 1).padStart(2, '0')}`, ...fields };
  });
  const confirmation = options.protected && { confirm_sandbox_name: sandbox.name };
  type Answer = { records: { item_id: string }[] };
  const created = await web.call<Answer>('items.bulk', { sandbox_id, operations, ...confirmation });
  const ids = created.records.map(({ item_id }) => item_id);
  const discounts = ids.map((item_id) => {
    const custom_data = { price: '80' };
    return { operation: 'update', item_id, expected_version: 1, custom_data };
  });
  const reason = 'Weekend sale';
  await web.call('items.bulk', { sandbox_id, reason, operations: discounts, ...confirmation });
  const readPrices = async () => {
    const read = (item_id: string) =>
      web.call<{ custom_data: { price: string } }>('items.get', { sandbox_id, item_id });
    const items = await Promise.all(ids.map(read));
    return new Set(items.map(({ custom_data }) => custom_data.price));
  };
  return { ...sandbox, ids, readPrices };
};

test('an edit of 36 Items is one row of the history, and is reverted with three clicks', async () => {
  const { root, readPrices } = await makeSale();
  const page = await web.open(root, editor);
  await page.getByRole('navigation').getByRole('link', { name: 'History' }).click();
  await page.getByText('2 edits').waitFor();
  const row = page.getByRole('row').filter({ hasText: 'Weekend sale' });
  await row.getByText('36 Items changed').waitFor();
  await row.getByRole('button', { name: 'Revert …' }).click();
  await page.getByRole('button', { name: 'Apply 36 changes' }).click();
  await page.getByRole('link', { name: 'Show the edit in the history' }).waitFor();
  expect(await readPrices()).toEqual(new Set(['100']));
});

testInFull('an edit opens beside the list with the records that it changed', async () => {
  const { root } = await makeSale();
  const page = await web.open(`${root}/history`, editor);
  await page.getByRole('row').filter({ hasText: 'Weekend sale' }).getByRole('link').click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('36 versions').waitFor();
  await drawer.getByRole('link', { name: 'Sword 36' }).waitFor();
  await page.reload();
  await drawer.getByText('Weekend sale').waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
});

testInFull('a later change of the same field is a conflict that prevents the revert', async () => {
  const { root, ids, editItem, readPrices } = await makeSale();
  await editItem(ids[0] ?? '', 2, { custom_data: { price: '70' } });
  const page = await web.open(`${root}/history`, editor);
  const row = page.getByRole('row').filter({ hasText: 'Weekend sale' });
  await row.getByRole('button', { name: 'Revert …' }).click();
  const apply = page.getByRole('button', { name: /^Apply/, disabled: true });
  await apply.hover();
  await page.getByText('Some changes cannot be applied. The list shows the reasons.').waitFor();
  await page.getByText('1 change cannot be applied').waitFor();
  const problem = page.getByRole('row').filter({ hasText: 'Sword 01' });
  await problem.getByText(/changed since|conflict/i).waitFor();
  await page.getByRole('button', { name: 'Sword 01' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Cancel the change set' }).click();
  await page.getByText('No record was changed.').waitFor();
  expect(await readPrices()).toEqual(new Set(['80', '70']));
});

testInFull('a revert that deletes records in a protected sandbox requires its name', async () => {
  const { root, name, sandbox_id } = await makeSale({ protected: true });
  await web.call('items.create', { sandbox_id, name: 'Shield', item_type: 'unit' });
  const page = await web.open(`${root}/history`, { as: 'owner', expectedErrors: [/409/] });
  const row = page.getByRole('row').filter({ hasText: 'Shield' });
  await row.getByRole('button', { name: 'Revert …' }).click();
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(name);
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('link', { name: 'Show the edit in the history' }).waitFor();
  const found = await web.call('items.list', { sandbox_id, name: 'Shield' });
  expect(found).toMatchObject({ records: [] });
});

testInFull('the list of change sets is filtered by state', async () => {
  const { root } = await makeSale();
  const page = await web.open(`${root}/history`, editor);
  const row = page.getByRole('row').filter({ hasText: 'Weekend sale' });
  await row.getByRole('button', { name: 'Revert …' }).click();
  await page.getByRole('button', { name: 'Apply 36 changes' }).waitFor();
  await page.getByRole('link', { name: 'Change sets' }).first().click();
  await page.getByText('1 change set').waitFor();
  await page.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'applied' }).click();
  await page.getByText('Nothing matches these filters').waitFor();
});
