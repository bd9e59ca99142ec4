// A check of a long history can be stopped, and started again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectNoAxeViolations } from '../check/expect-no-axe-violations.ts';
import { expectNoComplaints } from '../check/expect-no-complaints.ts';
import { makeSandbox } from '../records/sandbox-of-test.ts';
import type { Web } from '../start/start-web.ts';
import { startWeb } from '../start/start-web.ts';

let web: Web;
beforeAll(async () => {
  web = await startWeb();
});
afterAll(() => web?.stop());

test('Cancel ends the check where it is, claims nothing, and leaves the page as it was', async () => {
  const { name, addItem } = await makeSandbox(web);
  await addItem('Checked axe');
  const opened = await web.open('/system', { as: 'viewer' });
  const { page } = opened;
  const asked: string[] = [];
  // The request stays under way, as one through a very long history does.
  await page.route('**/verification.check*', (route) => {
    asked.push(route.request().url());
  });
  const row = page.getByRole('row', { name: new RegExp(name) });
  const verify = page.getByRole('button', { name: `Verify ${name}` });
  await verify.click();
  const dialog = page.getByRole('dialog', { name: 'Checking versions' });
  await dialog.waitFor();
  await expect.poll(() => asked.length).toBe(1);
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Cancel' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await row.getByText('not yet').waitFor();
  expect(asked).toHaveLength(1);
  await expect.poll(() => verify.evaluate((node) => node === document.activeElement)).toBe(true);
  await page.unroute('**/verification.check*');
  await verify.click();
  await row.getByText('intact').waitFor();
  expectNoComplaints(opened);
});
