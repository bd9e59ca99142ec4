// Change sets in a sandbox that requires approvals: one person submits, another one approves.
import { expect, test } from 'vitest';
import { toInputValue } from '../src/ui/format-time.ts';
import { testInFull } from './support/extent.ts';
import { makeSandbox } from './support/sandboxes.ts';
import { reachMoment } from './support/schedules.ts';
import type { Page } from './support/web.ts';
import { shareWeb } from './support/web.ts';

const web = shareWeb();

const inMs = (ms: number) => toInputValue(new Date(Date.now() + ms).toISOString(), 'local');

const makeReviewed = async (required_approvals = 1) => {
  const sandbox = await makeSandbox(web);
  const { item_id } = await sandbox.addItem('Sword');
  await web.call('sandboxes.update', { sandbox_id: sandbox.sandbox_id, required_approvals });
  return { ...sandbox, item_id, item: `${sandbox.items}/${item_id}` };
};

test('an edit waits until another person has approved it, and is then applied', async () => {
  const { item, sandbox_id, item_id, root } = await makeReviewed();
  const page = await web.open(item, { as: 'editor', expectedErrors: [/409/] });
  await page.getByRole('textbox', { name: 'Description' }).fill('Half price on Friday');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('This sandbox requires approvals').waitFor();
  await page.getByRole('link', { name: 'a change set' }).click();
  await page.getByRole('heading', { name: 'Change Sword' }).waitFor();
  await page.getByText('0 of 1 required approval').waitFor();
  const own = page.getByRole('button', { name: 'Approve' });
  expect(await own.getAttribute('aria-disabled')).toBe('true');
  const address = new URL(page.url()).pathname;

  const admin = await web.open(`${root}/change-sets?state=in_review`, { as: 'admin' });
  await admin.getByRole('link', { name: 'Change Sword' }).click();
  await admin.getByRole('button', { name: 'Sword', exact: true }).click();
  await admin.getByRole('dialog').getByText('Half price on Friday').waitFor();
  await admin.keyboard.press('Escape');
  await admin.getByRole('textbox', { name: 'Comment' }).fill('Fine for the weekend');
  await admin.getByRole('button', { name: 'Comment' }).click();
  await admin.getByRole('list', { name: 'Comments' }).getByText('Fine for the weekend').waitFor();
  await admin.getByRole('button', { name: 'Approve' }).click();
  await admin.getByText('1 of 1 required approval').waitFor();

  await page.goto(address);
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByRole('link', { name: 'Show the edit in the history' }).waitFor();
  const stored = await web.call('items.get', { sandbox_id, item_id });
  expect(stored).toMatchObject({ description: 'Half price on Friday', version: 2 });
});

testInFull('the person who approved a change schedules it with its revert', async () => {
  const { item, sandbox_id, item_id } = await makeReviewed();
  const page = await web.open(item, { as: 'editor', expectedErrors: [/409/, /403/] });
  await page.getByRole('textbox', { name: 'Description' }).fill('Half price');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'a change set' }).click();
  await page.getByRole('heading', { name: 'Change Sword' }).waitFor();
  const address = new URL(page.url()).pathname;
  const admin = await web.open(address, { as: 'admin' });
  await admin.getByRole('button', { name: 'Approve' }).click();
  await admin.getByText('1 of 1 required approval').waitFor();
  const schedule = async (by: Page, applyMs: number, returnMs: number) => {
    await by.getByRole('button', { name: 'Schedule …' }).click();
    const dialog = by.getByRole('dialog');
    await dialog.getByLabel('Apply at', { exact: true }).fill(inMs(applyMs));
    await dialog.getByLabel('Revert at', { exact: true }).fill(inMs(returnMs));
    await dialog.getByRole('button', { name: 'Schedule' }).click();
    return dialog;
  };
  await page.goto(address);
  const refused = await schedule(page, 3_600_000, 7_200_000);
  await refused.getByText('Someone else has to decide on the return').waitFor();
  const scheduled = await schedule(admin, 3_600_000, 7_200_000);
  await scheduled.waitFor({ state: 'detached' });
  const readText = async () =>
    (await web.call<{ description?: string }>('items.get', { sandbox_id, item_id })).description;
  const changeSetId = address.split('/').at(-1) ?? '';
  await reachMoment(web, changeSetId, 'apply_at');
  await expect.poll(readText).toBe('Half price');
  await reachMoment(web, changeSetId, 'return_at');
  await expect.poll(readText).not.toBe('Half price');
});

testInFull(
  'a rejected change set shows the reason, and an owner applies another one without approval',
  async () => {
    const { item_id, sandbox_id, root } = await makeReviewed(2);
    const { transaction_id } = await web.call<{ transaction_id: string }>('items.get', {
      sandbox_id,
      item_id,
    });
    const title = 'Remove the sword';
    const { change_set_id } = await web.call<{ change_set_id: string }>('edits.revert', {
      sandbox_id,
      transaction_id,
      title,
    });
    const address = `${root}/change-sets/${change_set_id}`;
    const editor = await web.open(address, { as: 'editor' });
    await editor.getByRole('button', { name: 'Submit for review' }).click();
    await editor.getByRole('button', { name: 'Reject …' }).click();
    const rejection = editor.getByRole('dialog');
    await rejection.getByRole('textbox', { name: 'Reason' }).fill('Players own it');
    await rejection.getByRole('button', { name: 'Reject' }).click();
    await editor.getByRole('alert').getByText('Players own it').waitFor();
    expect(await editor.getByRole('button', { name: /Apply/ }).count()).toBe(0);

    const owner = await web.open(address, { as: 'owner' });
    await owner.getByRole('button', { name: 'Submit for review' }).click();
    await owner.getByRole('button', { name: 'Apply without approval …' }).click();
    const bypass = owner.getByRole('dialog');
    await bypass.getByRole('textbox', { name: 'Reason' }).fill('It breaks the game');
    await bypass.getByRole('button', { name: 'Apply without approval' }).click();
    await owner.getByRole('link', { name: 'Show the edit in the history' }).waitFor();
    await owner.getByRole('list', { name: 'Comments' }).getByText('It breaks the game').waitFor();
  },
);

testInFull('the menu of a sandbox sets how many approvals it requires', async () => {
  const { name, sandbox_id } = await makeSandbox(web);
  const page = await web.open('/sandboxes', { as: 'admin' });
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Review …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Required approvals' }).selectOption('2');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const line = page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });
  await line.getByText('2 approvals required').waitFor();
  expect(await web.call('sandboxes.get', { sandbox_id })).toMatchObject({ required_approvals: 2 });
});
