// Keys, people, audit, system and settings in a real browser.
import { openDatabase } from '@muster/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNoAxeViolations } from '../check/expect-no-axe-violations.ts';
import { expectNoComplaints } from '../check/expect-no-complaints.ts';
import type { Web } from '../start/start-web.ts';
import { PHONE, startWeb } from '../start/start-web.ts';

let web: Web;
let sandboxId: string;
beforeAll(async () => {
  web = await startWeb();
  const made = await web.call<{ sandbox_id: string }>('sandboxes.create', { name: 'Live' });
  sandboxId = made.sandbox_id;
});
afterAll(() => web?.stop());

/** As somebody would who has the database and wants to look innocent. */
const changeSnapshot = async (sandbox: string): Promise<void> => {
  const { pool, close } = openDatabase({ url: web.databaseUrl, statementTimeoutMs: 10_000 });
  await pool.query(
    `UPDATE catalogue_version SET snapshot = replace(snapshot, 'Sword', 'Sward')
     WHERE sandbox_id = $1 AND seq = 1`,
    [sandbox],
  );
  await close();
};

const readHistory = (key: string) =>
  fetch(`${web.baseUrl}/v1/history/sandbox/${sandboxId}/item/`, {
    headers: { authorization: `Bearer ${key}` },
  });

test('a key is made for one sandbox, reads its history, and is refused within 5 s of being revoked', async () => {
  const opened = await web.open('/keys', { as: 'admin' });
  const { page } = opened;
  await page.getByText('There is no service account yet').waitFor();
  await page.keyboard.press('n');
  await page.getByLabel('Name', { exact: false }).last().fill('Game backend');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'New key' }).waitFor();
  await page.getByLabel('Name of the key').fill('Europe');
  await page.getByRole('button', { name: 'Make key' }).click();
  await page.getByText('Choose one permission at least.').waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole('checkbox', { name: /Read Items, Xp/ }).check();
  await page.getByRole('radio', { name: /Only sandboxes/ }).check();
  await page.getByRole('combobox', { name: 'Chosen sandboxes' }).click();
  await page.getByRole('option', { name: 'Live' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Make key' }).click();
  // Whole, unlike the beginning of it that the list behind the dialog shows.
  const key =
    (await page
      .locator('code')
      .filter({ hasText: /^msk_[\w-]+$/ })
      .textContent()) ?? '';
  await page.getByText(`/v1/history/sandbox/${sandboxId}/item/`).waitFor();
  await expectNoAxeViolations(page);
  expect((await readHistory(key)).status).toBe(200);
  await page.getByRole('button', { name: 'I have kept it' }).click();
  expect(await page.content()).not.toContain(key);

  await page.getByRole('link', { name: 'Game backend' }).click();
  await page.getByRole('dialog', { name: 'Europe' }).waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page
    .getByRole('dialog', { name: /Revoke "Europe"/ })
    .getByRole('button', { name: 'Revoke' })
    .click();
  await page.getByText('The key is revoked.').waitFor();
  await expect
    .poll(async () => (await readHistory(key)).status, { timeout: 5_000, interval: 200 })
    .toBe(403);
  expectNoComplaints(opened);
});

test('a viewer sees no keys and no people, however they come there', async () => {
  for (const path of ['/keys', '/people']) {
    const opened = await web.open(path, { as: 'viewer' });
    await opened.page.getByText(/Your account may not see/).waitFor();
    const links = opened.page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    expect(await links.allTextContents()).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/Keys|People/)]),
    );
    expect(await opened.page.getByRole('button', { name: /New|Invite/ }).count()).toBe(0);
    expectNoComplaints(opened);
  }
});

describe('people', () => {
  test('are given another role, a one-time password, and are disabled; each change is in the audit', async () => {
    const { email } = await web.makePerson('viewer');
    const opened = await web.open(`/people?name=${encodeURIComponent(email)}`, { as: 'owner' });
    const { page } = opened;
    const openPerson = () => page.getByRole('table').getByRole('link').first().click();
    await openPerson();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Change role' }).click();
    await page.getByRole('radio', { name: 'Editor' }).check();
    await expectNoAxeViolations(page);
    await page
      .getByRole('dialog', { name: /^Role of/ })
      .getByRole('button', { name: 'Change role' })
      .click();
    await page.getByText(/^The role of .* is changed/).waitFor();
    await page.getByRole('button', { name: 'Reset password' }).click();
    await page
      .getByRole('dialog', { name: /^Reset the password/ })
      .getByRole('button', { name: 'Reset password' })
      .click();
    await page.getByText('One-time password').first().waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page
      .getByRole('dialog', { name: /^Disable the account/ })
      .getByRole('button', { name: 'Disable' })
      .click();
    await page.getByRole('button', { name: 'Enable' }).waitFor();
    const accountId = new URL(page.url()).searchParams.get('person') ?? '';
    expectNoComplaints(opened);

    const audit = await web.open(`/audit?target=${accountId}`, { as: 'viewer' });
    for (const words of ['Changed a role', 'Reset a password', 'Disabled or enabled a person']) {
      await audit.page.getByRole('link', { name: words }).waitFor();
    }
    await audit.page.getByRole('link', { name: 'Changed a role' }).click();
    const story = audit.page.getByRole('dialog', { name: 'Changed a role' });
    await story.getByRole('row', { name: /viewer.*editor/ }).waitFor();
    await story.getByRole('button', { name: /Copy request id/ }).waitFor();
    await expectNoAxeViolations(audit.page);
    await audit.page.reload();
    await story.waitFor();
    await audit.page.keyboard.press('Escape');
    await story.waitFor({ state: 'detached' });
    expectNoComplaints(audit);
  });
});

test('a version that was changed behind the service’s back is found by Verify, and shown', async () => {
  const { sandbox_id } = await web.call<{ sandbox_id: string }>('sandboxes.create', {
    name: 'Proof',
  });
  const item = await web.call<{ item_id: string }>('items.create', {
    ...{ sandbox_id, name: 'Sword', item_type: 'unit' },
  });
  await web.call('items.update', { sandbox_id, ...item, expected_version: 1, name: 'Long sword' });
  const opened = await web.open('/system', { as: 'viewer' });
  const { page } = opened;
  const chain = page.getByRole('row', { name: /Proof/ });
  const verify = page.getByRole('button', { name: 'Verify Proof' });
  await verify.click();
  await chain.getByText('intact').waitFor();
  await chain.getByRole('button', { name: /Copy head hash …[0-9a-f]{8}/ }).waitFor();
  await changeSnapshot(sandbox_id);
  await verify.click();
  await chain.getByText('Broken at version 1').waitFor();
  await chain.getByText('The stored version is not the one that was written.').waitFor();
  await expectNoAxeViolations(page);
  await chain.getByRole('link', { name: /, version 1/ }).click();
  await page.waitForURL(`**/s/${sandbox_id}/items/${item.item_id}?*version=*`);
  expectNoComplaints(opened);
});

test('the charts of the system say the same in words and in a table', async () => {
  const opened = await web.open('/system', { as: 'viewer' });
  const { page } = opened;
  const figure = page.getByRole('figure', { name: 'Requests and joins' });
  await figure.locator('canvas').waitFor();
  await figure.getByText(/Requests: last .* per second, at most/).waitFor();
  await figure.getByText('Show as a table').click();
  await figure.getByRole('columnheader', { name: 'Requests' }).waitFor();
  await page.getByText('5 min', { exact: true }).click();
  await page.waitForURL('**/system?minutes=5');
  await page.getByRole('table', { name: 'Join metrics' }).waitFor();
  await expectNoAxeViolations(page);
  expectNoComplaints(opened);
});

describe('settings', () => {
  test('change the own name, and sign out everywhere else', async () => {
    const person = await web.makePerson('viewer');
    const other = await web.open('/settings', { as: person });
    const signedInAgain = { ...person, email: person.email.toUpperCase() };
    const opened = await web.open('/settings', { as: signedInAgain });
    const { page } = opened;
    await page.getByRole('textbox', { name: 'Name' }).fill('Another name');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByText('Your name is changed.').waitFor();
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await page.getByText(/sign-ins? ha(s|ve) ended/).waitFor();
    await expectNoAxeViolations(page);
    await other.page.reload();
    await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expectNoComplaints(opened);
  });

  test('make a sandbox, protect it, and lift the protection only by its typed name', async () => {
    const opened = await web.open('/settings', { as: 'admin' });
    const { page } = opened;
    await page.getByRole('button', { name: 'New sandbox' }).click();
    await page.getByLabel('Name', { exact: false }).last().fill('Production');
    await page.getByRole('checkbox', { name: /Players play in it/ }).check();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Make sandbox' }).click();
    await page.waitForURL('**/s/*');
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Lift protection of Production' }).click();
    const lift = page.getByRole('dialog').getByRole('button', { name: 'Lift protection' });
    expect(await lift.isDisabled()).toBe(true);
    await page.getByLabel('Type "Production" to confirm').fill('Production');
    await expectNoAxeViolations(page);
    await lift.click();
    await page.getByText('Production is not protected any more.').waitFor();
    expectNoComplaints(opened);
  });
});

test.each(['/keys', '/people', '/audit', '/system', '/settings'])(
  '%s is usable on a phone',
  async (path) => {
    const opened = await web.open(path, { as: 'owner', ...PHONE });
    await expect.poll(() => opened.page.getByText('Loading …').count()).toBe(0);
    await expectNoAxeViolations(opened.page);
    expect(await opened.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expectNoComplaints(opened);
  },
);
