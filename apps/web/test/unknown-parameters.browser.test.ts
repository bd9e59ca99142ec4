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

testInFull(
  'a link with unknown names opens the page without them, also within the app',
  async () => {
    const { root } = await makeSandbox(web);
    const page = await web.open('/sandboxes', owner);
    await navigate(page, `${root}/change-sets?staus=live&page=2&state=draft`);
    await page
      .getByText('The parameters “staus=live”, “page=2” in this link are unknown and were removed.')
      .waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?state=draft');
    await page.getByRole('heading', { level: 1, name: 'Change sets' }).waitFor();
  },
);

testInFull('a link with known parameters has no notice, and keeps them', async () => {
  const { items, root } = await makeSandbox(web);
  const where = '{"and":[{"field":"name","op":"contains","value":"a"}]}';
  const links = [
    [items, { name: 'a', type: 'unit', deleted: 'true', where, cols: 'name,type', sort: '-name' }],
    [`${root}/history`, { view: 'versions', from: '2026-01-01T00:00:00.000Z', kind: 'item' }],
  ] as const;
  const page = await web.open('/sandboxes', owner);
  for (const [path, known] of links) {
    const link = `${path}?${new URLSearchParams(known)}`;
    await page.goto(link);
    await page.getByText('Nothing matches these filters').waitFor();
    // The notice about another parameter shows that the page has checked the link.
    await navigate(page, `${link}&staus=live`);
    await page.getByText('The parameter “staus=live” in this link').waitFor();
    expect(await page.getByText('in this link').count()).toBe(1);
    await expect.poll(() => Object.fromEntries(new URL(page.url()).searchParams)).toEqual(known);
  }
});
