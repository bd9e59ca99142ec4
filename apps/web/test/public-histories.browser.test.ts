// If HISTORY_ACCESS is public, the public view needs no token.
import { expect, test } from 'vitest';
import { testInFull } from './support/extent.ts';
import { makeSandbox } from './support/sandboxes.ts';
import { startOwnWeb } from './support/web.ts';

const web = startOwnWeb(() => ({ env: { HISTORY_ACCESS: 'public' } }));

test('a history is read without a token, and its curl command has none', async () => {
  const { sandbox_id, addItem, addXp } = await makeSandbox(web);
  await addItem('Open axe');
  await addXp('Open levels');
  const page = await web.open(`/s/${sandbox_id}/public`, { as: 'viewer' });
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('200 OK').waitFor();
  await page.getByText('1 of 1 version, the last page').waitFor();
  const answer = page.getByRole('region', { name: 'answer' });
  expect(await answer.textContent()).toContain('Open axe');
  expect(await page.getByRole('region', { name: 'curl' }).textContent()).not.toContain('Bearer');
  await page.getByText('Xp tables', { exact: true }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => answer.textContent()).toContain('Open levels');
});

testInFull('a token makes no difference, even an invalid one', async () => {
  const { sandbox_id, addItem } = await makeSandbox(web);
  await addItem('Open axe');
  const page = await web.open(`/s/${sandbox_id}/public`, { as: 'viewer' });
  await page.getByRole('textbox', { name: 'Bearer token' }).fill('msk_wrong');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('200 OK').waitFor();
});
