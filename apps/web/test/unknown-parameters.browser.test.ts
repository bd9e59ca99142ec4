// Links with parameters, or values of parameters, that their page does not know.
import { expect, test } from 'vitest';
import { testInFull } from './support/extent.ts';
import { navigate } from './support/routes.ts';
import { makeSandbox } from './support/sandboxes.ts';
import { shareWeb } from './support/web.ts';

const web = shareWeb();

const owner = { as: 'owner' } as const;

test('a link with an unknown value opens the page without it, and a notice names it', async () => {
  const page = await web.open('/keys?state=lost&name=ci', owner);
  await page
    .getByText('The parameter “state=lost” in this link is unknown and was removed.')
    .waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('?name=ci');
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('ci');
});

test('a link with unknown names opens the page without them, also within the app', async () => {
  const { root } = await makeSandbox(web);
  const page = await web.open('/sandboxes', owner);
  await navigate(page, `${root}/change-sets?staus=live&page=2&state=draft`);
  await page
    .getByText('The parameters “staus=live”, “page=2” in this link are unknown and were removed.')
    .waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('?state=draft');
  await page.getByRole('heading', { level: 1, name: 'Change sets' }).waitFor();
});

testInFull('a link with known parameters has no notice, and keeps them', async () => {
  const { items, root } = await makeSandbox(web);
  const where = encodeURIComponent('{"and":[{"field":"name","op":"contains","value":"a"}]}');
  const search = `?name=a&type=unit&deleted=true&where=${where}&cols=name,type&sort=-name`;
  const page = await web.open(`${items}${search}`, owner);
  await page.getByText('Nothing matches these filters').waitFor();
  await page.goto(`${web.baseUrl}${root}/history?from=2026-01-01T00:00:00.000Z&kind=item`);
  await page.getByText('Nothing matches these filters').waitFor();
  expect(new URL(page.url()).searchParams.get('kind')).toBe('item');
  expect(await page.getByText('in this link').count()).toBe(0);
});
