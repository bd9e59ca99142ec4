// Imports: check a file, preview and apply its changes, or reject it with the invalid rows.
import { expect, test } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { check, choose, importOf, manyItems } from './support/imports.ts';
import { MARKUP, makeSandbox } from './support/sandboxes.ts';
import { PHONE, shareWeb } from './support/web.ts';

const web = shareWeb();

type MadeSet = { change_set_id: string; revision: number };

/** The only change set of a sandbox. */
const findSet = async (sandbox_id: string): Promise<string | undefined> => {
  const list = await web.call<{ change_sets: MadeSet[] }>('changeSets.list', { sandbox_id });
  return list.change_sets[0]?.change_set_id;
};

testInFull(
  '1,000 rows are checked and applied in one transaction, and a second import changes nothing',
  async () => {
    const sandbox = await makeSandbox(web);
    const page = await web.open(importOf(sandbox), { as: 'editor' });
    await choose(page, 'swords.csv', manyItems(1000));
    await page.getByLabel('Reason').fill('First swords');
    await check(page);
    await page.getByRole('heading', { name: 'What swords.csv would do' }).waitFor();
    await page.getByRole('button', { name: 'Apply 1,000 changes' }).waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    await page.getByRole('button', { name: 'Apply 1,000 changes' }).click();
    await page.getByRole('heading', { name: 'Imported: 1,000 Items were written' }).waitFor();
    await check(page);
    await page.getByRole('heading', { name: /^Nothing to do/ }).waitFor();
    expect(await page.getByRole('button', { name: /^Apply/ }).count()).toBe(0);
    await page.goto(sandbox.items);
    await page.getByRole('link', { name: 'Sword 1', exact: true }).waitFor();
  },
);

testInFull('a long plan shows every change, also after the first thousand', async () => {
  const sandbox = await makeSandbox(web);
  const page = await web.open(importOf(sandbox), { as: 'editor' });
  await choose(page, 'swords.csv', manyItems(1_100));
  await check(page);
  await page.getByRole('button', { name: 'Apply 1,100 changes' }).waitFor();
  await page.getByRole('table', { name: 'Changes' }).hover();
  const last = page.getByRole('button', { name: 'Sword 1100', exact: true });
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 20_000);
      return last.count();
    })
    .toBe(1);
  await last.click();
  await page.getByRole('dialog', { name: 'Sword 1100' }).waitFor();
});

testInFull('a finished import links to its history, which shows the reason', async () => {
  const sandbox = await makeSandbox(web);
  const page = await web.open(importOf(sandbox), { as: 'editor' });
  await choose(page, 'swords.csv', manyItems(2));
  await page.getByLabel('Reason').fill('Season 4');
  await check(page);
  await page.getByRole('button', { name: 'Apply 2 changes' }).click();
  await page.getByRole('link', { name: 'See every change in the history' }).click();
  await page.getByRole('heading', { name: 'History', level: 1 }).waitFor();
  expect(new URL(page.url()).searchParams.get('transaction_id')).toBeTruthy();
  await page.getByText('Season 4').first().waitFor();
});

testInFull('an import that is reverted while its page is open is shown as reverted', async () => {
  const sandbox = await makeSandbox(web);
  const { sandbox_id } = sandbox;
  const page = await web.open(importOf(sandbox), { as: 'editor' });
  await choose(page, 'swords.csv', manyItems(2));
  await check(page);
  await page.getByRole('button', { name: 'Apply 2 changes' }).click();
  await page.getByRole('heading', { name: 'Imported: 2 Items were written' }).waitFor();
  const set = { sandbox_id, change_set_id: await findSet(sandbox_id) };
  const undo = await web.call<MadeSet>('changeSets.revert', set);
  const { change_set_id, revision: expected_revision } = undo;
  await web.call('changeSets.apply', { sandbox_id, change_set_id, expected_revision });
  await page.getByRole('heading', { name: /^Imported: 2 Items .* later reverted$/ }).waitFor();
});

testInFull(
  'names the encoding that a file must have, and reads the one that spreadsheets call Unicode',
  async () => {
    const sandbox = await makeSandbox(web);
    const page = await web.open(importOf(sandbox), {
      as: 'editor',
      expectedErrors: [/status of 400/],
    });
    const rows = 'name,item_type\nÉpée,unit\n';
    await choose(page, 'swords.csv', Buffer.from(rows, 'latin1'));
    await check(page);
    const refusal = page.getByText(/The file is not UTF-8. Save it as UTF-8/);
    await refusal.waitFor();
    await choose(page, 'swords.csv', Buffer.from(`\uFEFF${rows}`, 'utf16le'));
    await refusal.waitFor({ state: 'detached' });
    await check(page);
    await page.getByRole('button', { name: 'Apply 1 change' }).waitFor();
    await page.getByText('Épée', { exact: true }).waitFor();
  },
);

test('shows every invalid row with its column and a fix, writes nothing, and keeps the text', async () => {
  const sandbox = await makeSandbox(web);
  const page = await web.open(importOf(sandbox, '?from=text'), { as: 'editor' });
  const rows = 'item_id,name,item_type\n,Axe,unit\nsame,Bow,unit\n,,unit\nother,Pike,unit';
  await page.getByRole('textbox', { name: 'Rows' }).fill(rows);
  await check(page);
  await page.getByRole('heading', { name: /^3 problems in the pasted rows/ }).waitFor();
  await page.getByRole('row', { name: /^3, 5 item_id .*Leave the cell empty/ }).waitFor();
  await page.getByRole('row', { name: /^4 name/ }).waitFor();
  expect(await page.getByRole('button', { name: /^Apply/ }).count()).toBe(0);
  expect(await page.getByRole('textbox', { name: 'Rows' }).inputValue()).toBe(rows);
  await expectNoAxeViolations(page);
  await page.getByRole('textbox', { name: 'Rows' }).fill('[{"name": "Axe", "item_type": "unit"}]');
  await check(page);
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByRole('heading', { name: 'Imported: 1 Item was written' }).waitFor();
  await expectNoAxeViolations(page);
});

testInFull('previews the fields of each change, with markup in names as text', async () => {
  const sandbox = await makeSandbox(web);
  const name = MARKUP;
  const { item_id } = await sandbox.addItem(name);
  const page = await web.open(importOf(sandbox, '?from=text&format=ndjson'), { as: 'editor' });
  const line = { item_id, name, item_type: 'unit', tags: ['rare'] };
  await page.getByRole('textbox', { name: 'Rows' }).fill(JSON.stringify(line));
  await check(page);
  await page.getByRole('button', { name, exact: true }).click();
  const drawer = page.getByRole('dialog', { name });
  await drawer.getByRole('row', { name: /tags/i }).waitFor();
  await expectNoAxeViolations(page);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
});

test('applies nothing over a later edit of the same value, and keeps an edit of another one', async () => {
  const sandbox = await makeSandbox(web);
  const { sandbox_id } = sandbox;
  const [axe, bow] = [await sandbox.addItem('Axe'), await sandbox.addItem('Bow')];
  const file = [
    'item_id,name,item_type',
    `${axe.item_id},Great axe,unit`,
    `${bow.item_id},Bow 2,unit`,
  ];
  const page = await web.open(importOf(sandbox), {
    as: 'editor',
    expectedErrors: [/status of 409/],
  });
  await choose(page, 'swords.csv', file.join('\n'));
  await check(page);
  const apply = page.getByRole('button', { name: 'Apply 2 changes' });
  await apply.waitFor();
  const edit = { sandbox_id, item_id: axe.item_id, expected_version: 1 };
  await web.call('items.update', { ...edit, name: 'Small axe' });
  await apply.click();
  await page
    .getByText(/A later edit conflicts with this change/)
    .first()
    .waitFor();
  await check(page);
  await apply.waitFor();
  await web.call('items.update', { ...edit, expected_version: 2, description: 'Kept' });
  // The message of the conflict may cover it.
  await apply.press('Enter');
  await page.getByRole('heading', { name: /^Imported: 2 Items/ }).waitFor();
  const now = await web.call('items.get', { sandbox_id, item_id: axe.item_id });
  expect(now).toMatchObject({ name: 'Great axe', description: 'Kept' });
});

testInFull('a check whose answer is lost is shown as a failure, and can be repeated', async () => {
  const sandbox = await makeSandbox(web);
  const { sandbox_id } = sandbox;
  const page = await web.open(importOf(sandbox), {
    as: 'editor',
    expectedErrors: [/status of 504/],
  });
  const rows = manyItems(2);
  await choose(page, 'swords.csv', rows);
  const answer = { status: 504, contentType: 'text/html', body: '<h1>Time-out</h1>' };
  await page.route('**/admin/import/**', async (route) => {
    // An intercepted request has no file, so the rows are given again.
    await route.fetch({ postData: rows });
    await route.fulfill(answer);
  });
  await check(page);
  const hint = page.getByText(/A draft may have been made; see Change sets/);
  await hint.waitFor();
  const list = await web.call('changeSets.list', { sandbox_id });
  expect(list).toMatchObject({ change_sets: [{ title: 'Import of swords.csv', state: 'draft' }] });
  await page.unroute('**/admin/import/**');
  await check(page);
  await page.getByRole('button', { name: 'Apply 2 changes' }).click();
  await page.getByRole('heading', { name: /^Imported: 2 Items/ }).waitFor();
  expect(await hint.count()).toBe(0);
});

testInFull(
  'deleting records that the file lacks requires the name of a production sandbox',
  async () => {
    const sandbox = await makeSandbox(web, { protected: true });
    await sandbox.addItem('Old');
    const page = await web.open(importOf(sandbox, '?missing=delete'), {
      as: 'admin',
      expectedErrors: [/status of 409/],
    });
    await choose(page, 'swords.csv', manyItems(1));
    await check(page);
    await page.getByRole('button', { name: 'Apply 2 changes' }).click();
    const dialog = page.getByRole('dialog');
    const apply = dialog.getByRole('button', { name: 'Apply', exact: true });
    expect(await apply.isDisabled()).toBe(true);
    await expectNoAxeViolations(page);
    await dialog.getByLabel(`Type "${sandbox.name}" to confirm`).fill(sandbox.name);
    await apply.click();
    await page.getByRole('heading', { name: /^Imported: 2 Items/ }).waitFor();
    await page.goto(`/s/${sandbox.sandbox_id}/trash`);
    await page.getByText('Old').first().waitFor();
  },
);

testInFull(
  'restoring a record with other values requires the name of a production sandbox',
  async () => {
    const sandbox = await makeSandbox(web, { protected: true });
    const { sandbox_id, name: confirm_sandbox_name } = sandbox;
    const { item_id } = await sandbox.addItem('Old');
    const place = { sandbox_id, item_id, expected_version: 1, confirm_sandbox_name };
    await web.call('items.delete', place);
    const page = await web.open(importOf(sandbox), {
      as: 'admin',
      expectedErrors: [/status of 409/],
    });
    await choose(page, 'old.csv', `item_id,name,item_type\n${item_id},Renamed,unit`);
    await check(page);
    await page.getByText('restore', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Apply 1 change' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(`Type "${sandbox.name}" to confirm`).fill(sandbox.name);
    await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByRole('heading', { name: /^Imported: 1 Item/ }).waitFor();
  },
);

testInFull(
  'an import that is cancelled during the upload keeps the file, which can be checked again',
  async () => {
    const sandbox = await makeSandbox(web);
    const page = await web.open(importOf(sandbox), { as: 'editor' });
    const held: (() => void)[] = [];
    await page.route('**/admin/import/**', async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue().catch(() => {});
    });
    await choose(page, 'swords.csv', manyItems(5));
    await check(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.unroute('**/admin/import/**');
    for (const release of held) release();
    await check(page);
    await page.getByRole('button', { name: 'Apply 5 changes' }).waitFor();
  },
);

testInFull('pasted rows are checked and applied with the keyboard only', async () => {
  const sandbox = await makeSandbox(web);
  const page = await web.open(importOf(sandbox, '?from=text'), { as: 'editor' });
  const { keyboard } = page;
  const rows = page.getByRole('textbox', { name: 'Rows' });
  for (let presses = 0; presses < 60; presses += 1) {
    if (await rows.evaluate((node) => node === document.activeElement)) break;
    await keyboard.press('Tab');
  }
  await keyboard.insertText('name,item_type\nAxe,unit');
  await keyboard.press('Control+s');
  const apply = page.getByRole('button', { name: 'Apply 1 change' });
  await apply.waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toMatch(/^What the pasted rows would do/);
  // Shortcuts of the page are disabled until the dialog has faded out.
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await keyboard.press('j');
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TR');
  await keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Axe' }).waitFor();
  await keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Axe' }).waitFor({ state: 'detached' });
  for (let presses = 0; presses < 60; presses += 1) {
    if (await apply.evaluate((node) => node === document.activeElement)) break;
    await keyboard.press('Tab');
  }
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: /^Imported: 1 Item/ }).waitFor();
});

testInFull('shows a viewer the required permission instead of the form', async () => {
  const sandbox = await makeSandbox(web);
  const page = await web.open(importOf(sandbox), { as: 'viewer' });
  await page.getByText('Your account may not import here').waitFor();
  expect(await page.getByRole('button', { name: 'Check' }).count()).toBe(0);
});

testInFull('the page fits a phone, before and after the check', async () => {
  const sandbox = await makeSandbox(web);
  const page = await web.open(importOf(sandbox), { as: 'editor', ...PHONE });
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  expect(await width()).toBe(390);
  await expectNoAxeViolations(page);
  await choose(page, 'swords.csv', manyItems(30));
  await check(page);
  await page.getByRole('button', { name: 'Apply 30 changes' }).waitFor();
  expect(await width()).toBe(390);
  await expectNoAxeViolations(page);
});

testInFull('an import into a sandbox that requires a review is submitted', async () => {
  const sandbox = await makeSandbox(web);
  const { sandbox_id } = sandbox;
  await web.call('sandboxes.update', { sandbox_id, required_approvals: 1 });
  const page = await web.open(importOf(sandbox), { as: 'editor' });
  await choose(page, 'swords.csv', 'name,item_type\nAxe,unit\nAXE,unit');
  await check(page);
  await page.getByText('1 new record has the name of another one').waitFor();
  expect(await page.getByRole('button', { name: /^Apply/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await page.getByRole('heading', { name: 'Submitted for review: 2 Items' }).waitFor();
  await expectNoAxeViolations(page);
  await web.call('changeSets.cancel', { sandbox_id, change_set_id: await findSet(sandbox_id) });
  await page.getByRole('heading', { name: /^Not imported.* cancelled$/ }).waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole('link', { name: 'Open the change set' }).click();
  await page.getByRole('heading', { name: 'Import of swords.csv', level: 1 }).waitFor();
});
