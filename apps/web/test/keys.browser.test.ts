// API keys of service accounts: created, revoked and rotated while programs use them.
import { beforeAll, expect, test } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { firstOf, testInFull } from './support/extent.ts';
import { waitForRoomInHour } from './support/hours.ts';
import { shareWeb } from './support/web.ts';

const web = shareWeb();
let sandboxId: string;
beforeAll(async () => {
  const made = await web.call<{ sandbox_id: string }>('sandboxes.create', { name: 'Live' });
  sandboxId = made.sandbox_id;
});

const statusOf = async (key: string): Promise<number> => {
  const url = `${web.baseUrl}/v1/history/sandbox/${sandboxId}/item/`;
  return (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status;
};

test('a key for one sandbox reads its history, and is rejected within 5 s of being revoked', async () => {
  const page = await web.open('/keys', { as: 'admin' });
  // Other tests share the service. If they have created accounts, the shortcut "n" opens another dialog.
  await page.getByRole('button', { name: 'New service account' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Game backend');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'New key' }).waitFor();
  await page.getByLabel('Name of the key').fill('Europe');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Choose at least one permission.').waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole('checkbox', { name: /Read Items, Xp/ }).check();
  await page.getByRole('radio', { name: /Only sandboxes/ }).check();
  await page.getByRole('combobox', { name: 'Chosen sandboxes' }).click();
  // A long list can be searched.
  await page.keyboard.type('Live');
  await page.getByRole('option', { name: 'Live' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Create key' }).click();
  // The whole key. The list behind the dialog shows only its start.
  const key =
    (await page
      .locator('code')
      .filter({ hasText: /^msk_[\w-]+$/ })
      .textContent()) ?? '';
  await page.getByText(`/v1/history/sandbox/${sandboxId}/item/`).waitFor();
  await expectNoAxeViolations(page);
  expect(await statusOf(key)).toBe(200);
  await page.getByRole('button', { name: 'I have kept it' }).click();
  expect(await page.content()).not.toContain(key);

  await page.keyboard.press('n');
  await page.getByRole('dialog', { name: 'New key' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Game backend' }).click();
  await page.getByRole('dialog', { name: 'Europe' }).waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page
    .getByRole('dialog', { name: /Revoke "Europe"/ })
    .getByRole('button', { name: 'Revoke' })
    .click();
  await page.getByText('The key is revoked.').waitFor();
  await expect.poll(() => statusOf(key), { timeout: 5_000, interval: 200 }).toBe(403);
});

testInFull('a viewer sees no keys and no people, neither by navigation nor by URL', async () => {
  for (const path of ['/keys', '/people']) {
    const page = await web.open(path, { as: 'viewer' });
    await page.getByText(/Your account may not see/).waitFor();
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    expect(await links.allTextContents()).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/Keys|People/)]),
    );
    expect(await page.getByRole('button', { name: /New|Invite/ }).count()).toBe(0);
  }
});

const GRACES = [
  ['At once', 403],
  ['After a day', 200],
] as const;

test.each(firstOf(GRACES))(
  '%s: the new key works, and the old one returns %i',
  async (grace, status) => {
    const { account_id } = await web.call<{ account_id: string }>('keys.createAccount', {
      name: `Backend ${status}`,
    });
    const { key: old } = await web.call<{ key: string }>('keys.create', {
      account_id,
      name: 'Rotated',
      permissions: ['sandbox:config:view'],
    });
    const page = await web.open('/keys', { as: 'admin' });
    await page.getByRole('link', { name: `Backend ${status}` }).click();
    await page.getByRole('dialog', { name: 'Rotated' }).waitFor();
    await page.getByRole('button', { name: 'Rotate' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rotate "Rotated"' });
    await dialog.getByRole('combobox', { name: 'Old key expires' }).click();
    await page.getByRole('option', { name: grace }).click();
    await expectNoAxeViolations(page);
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    const made = page.getByRole('dialog', { name: 'Your new key' });
    const key =
      (await made
        .locator('code')
        .filter({ hasText: /^msk_[\w-]+$/ })
        .textContent()) ?? '';
    expect(key).not.toBe(old);
    expect(await statusOf(key)).toBe(200);
    await expect.poll(() => statusOf(old), { timeout: 6_000, interval: 200 }).toBe(status);
    await made.getByRole('button', { name: 'I have kept it' }).click();
    await made.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(key);
  },
);

test('the details of a key show its requests of the last days and why some were refused', async () => {
  await waitForRoomInHour();
  const { account_id } = await web.call<{ account_id: string }>('keys.createAccount', {
    name: 'Observed backend',
  });
  const { key } = await web.call<{ key: string }>('keys.create', {
    account_id,
    name: 'observed',
    permissions: ['session:view'],
  });
  for (const procedure of ['sessions.list?input={}', 'keys.list?input={}']) {
    await fetch(`${web.baseUrl}/admin/trpc/${procedure}`, {
      headers: { authorization: `Bearer ${key}` },
    });
  }
  const page = await web.open('/keys?name=observed', { as: 'owner' });
  await page.getByRole('link', { name: 'Observed backend' }).click();
  const use = page.getByRole('region', { name: 'Use of the key' });
  await use.getByText('insufficient_permissions').waitFor();
  await use.getByText(/keys\.list, request /).waitFor();
  const today = new Date().toISOString().slice(0, 10);
  const row = use.locator('tr').filter({ hasText: today });
  expect(await row.locator('td').allTextContents()).toEqual(['2', '1']);
  await expectNoAxeViolations(page);
});
