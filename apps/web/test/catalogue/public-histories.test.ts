// Where HISTORY_ACCESS is public: the public view needs no token, as games need none.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectNoComplaints } from '../check/expect-no-complaints.ts';
import { makeSandbox } from '../records/sandbox-of-test.ts';
import type { Web } from '../start/start-web.ts';
import { startWeb } from '../start/start-web.ts';

let web: Web;
beforeAll(async () => {
  web = await startWeb({ env: { HISTORY_ACCESS: 'public' } });
});
afterAll(() => web?.stop());

test('a history is read without a token, and the curl for it carries none', async () => {
  const { sandbox_id, addItem, addXp } = await makeSandbox(web);
  await addItem('Open axe');
  await addXp('Open levels');
  const opened = await web.open(`/s/${sandbox_id}/public`, { as: 'viewer' });
  const { page } = opened;
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('200 OK').waitFor();
  await page.getByText('1 of 1 version, the last page').waitFor();
  const answer = page.getByRole('region', { name: 'answer' });
  expect(await answer.textContent()).toContain('Open axe');
  expect(await page.getByRole('region', { name: 'curl' }).textContent()).not.toContain('Bearer');
  await page.getByText('Xp tables', { exact: true }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => answer.textContent()).toContain('Open levels');
  expectNoComplaints(opened);
});

test('a token changes nothing, not even a wrong one', async () => {
  const { sandbox_id, addItem } = await makeSandbox(web);
  await addItem('Open axe');
  const { page } = await web.open(`/s/${sandbox_id}/public`, { as: 'viewer' });
  await page.getByRole('textbox', { name: 'Bearer token' }).fill('msk_wrong');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('200 OK').waitFor();
});
