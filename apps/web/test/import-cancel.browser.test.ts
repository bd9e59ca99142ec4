// After a cancelled import, the page shows whether the service applied the file.
import { expect, test } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { check, choose, importOf, manyItems } from './support/imports.ts';
import { makeSandbox } from './support/sandboxes.ts';
import type { Page } from './support/web.ts';
import { shareWeb } from './support/web.ts';

const web = shareWeb();

/** Cancels after the service has applied the file, before the page receives the response. */
const cancelTooLate = async (page: Page) => {
  await choose(page, 'swords.csv', manyItems(5));
  await check(page);
  let isApplied = false;
  await page.route(
    (url) => url.searchParams.get('mode') === 'apply',
    async (route) => {
      await route.fetch();
      isApplied = true;
    },
  );
  await page.getByRole('button', { name: 'Apply 5 changes' }).click();
  await expect.poll(() => isApplied).toBe(true);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
};

testInFull('an import that is cancelled too late is shown as finished', async () => {
  const sandbox = await makeSandbox(web);
  const page = await web.open(importOf(sandbox), { as: 'editor' });
  await cancelTooLate(page);
  await page.getByRole('heading', { name: 'Imported: 5 Items were written' }).waitFor();
  await page.getByRole('link', { name: 'See every change in the history' }).click();
  await page.getByText('Sword 5', { exact: true }).first().waitFor();
});

testInFull('a cancelled import explains what to do if its result cannot be read', async () => {
  const sandbox = await makeSandbox(web);
  const page = await web.open(importOf(sandbox), {
    as: 'editor',
    expectedErrors: [/net::ERR_FAILED/],
  });
  await page.route('**/versions.list**', (route) => route.abort());
  await cancelTooLate(page);
  await page.getByText('Cancelled: the file may have been applied').waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Check again' }).last().click();
  await page.getByRole('heading', { name: /^Nothing to do/ }).waitFor();
});

test('an import that is cancelled before its file is sent is shown as not written', async () => {
  const sandbox = await makeSandbox(web);
  const page = await web.open(importOf(sandbox), { as: 'editor' });
  await choose(page, 'swords.csv', manyItems(5));
  await check(page);
  await page.getByLabel('Reason').fill('Season 4');
  // The plan with the reason is requested first and receives no response.
  await page.route('**/admin/import/**', () => {});
  await page.getByRole('button', { name: 'Apply 5 changes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Cancelled: nothing was written').waitFor();
  expect(await page.getByLabel('Reason').inputValue()).toBe('Season 4');
});
