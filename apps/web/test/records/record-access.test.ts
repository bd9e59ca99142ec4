// Every page of records for everyone: by keyboard alone, by axe in both schemes, on a phone.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNoAxeViolations } from '../check/expect-no-axe-violations.ts';
import { expectNoComplaints } from '../check/expect-no-complaints.ts';
import type { Web } from '../start/start-web.ts';
import { PHONE, startWeb } from '../start/start-web.ts';
import { makeSandbox } from './sandbox-of-test.ts';

let web: Web;
let place: Place;
beforeAll(async () => {
  web = await startWeb();
  place = await makePlace();
});
afterAll(() => web?.stop());

const editor = { as: 'editor' } as const;

const makePlace = async () => {
  const sandbox = await makeSandbox(web);
  const { xp_id } = await sandbox.addXp('Levels', [
    { level: 1, xp: 0 },
    { level: 2, xp: 100 },
  ]);
  const fields = { tags: ['melee'], custom_data: { rarity: 'rare' }, level_xp_table_id: xp_id };
  const { item_id } = await sandbox.addItem('Axe', fields);
  const { version_id } = await sandbox.editItem(item_id, 1, { description: 'Sharp' });
  return {
    ...sandbox,
    item: `${sandbox.items}/${item_id}`,
    table: `${sandbox.xp}/${xp_id}`,
    version_id,
  };
};

type Place = Awaited<ReturnType<typeof makePlace>>;

test('an Item is found, changed and saved by keyboard alone', async () => {
  const sandbox = await makePlace();
  await sandbox.addItem('Bow');
  const opened = await web.open(sandbox.items, editor);
  const { page } = opened;
  const { keyboard } = page;
  await page.getByRole('link', { name: 'Bow' }).waitFor();
  await keyboard.press('/');
  await keyboard.type('bow');
  await page.getByRole('link', { name: 'Axe' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Bow' }).waitFor();
  await keyboard.press('Escape');
  await keyboard.press('j');
  const row = page.getByRole('row', { name: /Bow/ });
  await expect.poll(() => row.evaluate((node) => node === document.activeElement)).toBe(true);
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Bow', level: 1 }).waitFor();
  await tabTo(page, 'Description');
  await keyboard.type('Bends');
  await keyboard.press('Control+s');
  await page.getByText('Saved as version 2.').waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'Bow' }).waitFor();
  await keyboard.press('n');
  await page.getByRole('heading', { name: 'New Item', level: 1 }).waitFor();
  expectNoComplaints(opened);
});

type Page = Awaited<ReturnType<Web['open']>>['page'];

/** Presses Tab until the field has the focus, as somebody without a mouse would. */
const tabTo = async (page: Page, label: string): Promise<void> => {
  const field = page.getByLabel(label);
  for (let presses = 0; presses < 60; presses += 1) {
    if (await field.evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${label}.`);
};

const PAGES: readonly [(place: Place) => string, string][] = [
  [({ items }) => items, 'Axe'],
  [({ xp }) => xp, 'Levels'],
  [({ items }) => `${items}/new`, 'Create Item'],
  [({ xp }) => `${xp}/new`, 'Create Xp table'],
  [({ item }) => item, 'Sharp'],
  [({ table }) => table, 'More than before'],
  [({ item }) => `${item}?tab=json`, 'Valid.'],
  [({ item }) => `${item}?tab=history`, 'changed'],
  [({ item, version_id }) => `${item}?tab=history&version=${version_id}`, 'What it changed'],
  [({ item }) => `${item}/compare`, 'Sharp'],
  [({ table }) => `${table}/compare`, 'This is the first version'],
  [({ items }) => `${items}?name=nothing`, 'Nothing matches'],
];

describe.each(PAGES.map(([pathOf, words]) => ({ pathOf, words })))(
  'the page that shows "$words"',
  ({ pathOf, words }) => {
    test('breaks no rule of accessibility, in light and dark', async () => {
      const opened = await web.open(pathOf(place), editor);
      await opened.page.getByText(words).first().waitFor();
      await expectNoAxeViolations(opened.page);
      expectNoComplaints(opened);
    });

    test('fits a phone without scrolling sideways', async () => {
      const { page } = await web.open(pathOf(place), { ...editor, ...PHONE });
      await page.getByText(words).first().waitFor({ state: 'attached' });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    });
  },
);

test('dialogs of records break no rule of accessibility', async () => {
  const { items, item } = place;
  const { page } = await web.open(items, editor);
  await page.getByRole('checkbox', { name: 'Select row' }).first().click();
  await page.getByRole('button', { name: 'Edit …' }).click();
  await page.getByRole('combobox', { name: 'Set a key' }).fill('season');
  await page.getByLabel('to this value').fill('4');
  await page.getByText('1 of 1 Item will change.').waitFor();
  await expectNoAxeViolations(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Delete …' }).click();
  await page.getByRole('dialog').waitFor();
  await expectNoAxeViolations(page);

  const viewer = await web.open(item, { as: 'viewer' });
  await viewer.page.getByText('Sharp').waitFor();
  await expectNoAxeViolations(viewer.page);
});
