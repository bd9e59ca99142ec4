// A key is changed for a new one through the page, while programs go on working.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectNoAxeViolations } from '../check/expect-no-axe-violations.ts';
import { expectNoComplaints } from '../check/expect-no-complaints.ts';
import { makeSandbox } from '../records/sandbox-of-test.ts';
import type { Web } from '../start/start-web.ts';
import { startWeb } from '../start/start-web.ts';

let web: Web;
let sandboxId: string;
beforeAll(async () => {
  web = await startWeb();
  sandboxId = (await makeSandbox(web)).sandbox_id;
});
afterAll(() => web?.stop());

const statusFor = async (key: string): Promise<number> => {
  const url = `${web.baseUrl}/v1/history/sandbox/${sandboxId}/item/`;
  return (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status;
};

test.each([
  ['At once', 403],
  ['After a day', 200],
] as const)('%s: the new key works, and the old one answers %i', async (grace, status) => {
  const { account_id } = await web.call<{ account_id: string }>('keys.createAccount', {
    name: `Backend ${status}`,
  });
  const { key: old } = await web.call<{ key: string }>('keys.create', {
    ...{ account_id, name: 'Rotated', permissions: ['sandbox:config:view'] },
  });
  const opened = await web.open('/keys', { as: 'admin' });
  const { page } = opened;
  await page.getByRole('link', { name: `Backend ${status}` }).click();
  await page.getByRole('dialog', { name: 'Rotated' }).waitFor();
  await page.getByRole('button', { name: 'Rotate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rotate "Rotated"' });
  await dialog.getByRole('combobox', { name: 'The old key ends' }).click();
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
  expect(await statusFor(key)).toBe(200);
  await expect.poll(() => statusFor(old), { timeout: 6_000, interval: 200 }).toBe(status);
  await made.getByRole('button', { name: 'I have kept it' }).click();
  await made.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(key);
  expectNoComplaints(opened);
});
