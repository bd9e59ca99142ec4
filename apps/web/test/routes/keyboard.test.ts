// Every route by keyboard alone: all of it is reached, what has the focus shows it, and nothing holds it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNoComplaints } from '../check/expect-no-complaints.ts';
import { walkByKeyboard } from '../check/walk-by-keyboard.ts';
import type { Web } from '../start/start-web.ts';
import { PHONE, startWeb } from '../start/start-web.ts';
import type { Place } from './every-route.ts';
import { APP_ROUTES, fillPlace, GUEST_ROUTES, listRoutes, settle } from './every-route.ts';

let web: Web;
let place: Place;
beforeAll(async () => {
  web = await startWeb();
  place = await fillPlace(web);
});
afterAll(() => web?.stop());

const owner = { as: 'owner' } as const;

test('no route is left out', async () => {
  const { page } = await web.open('/login');
  const walked = [...Object.keys(GUEST_ROUTES), ...Object.keys(APP_ROUTES)];
  expect(walked.toSorted()).toEqual(await listRoutes(page));
});

describe('with the Tab key', () => {
  test.each(Object.entries(APP_ROUTES))('%s is walked through', async (_, addressOf) => {
    const opened = await web.open(addressOf(place), owner);
    await settle(opened.page);
    const { first, reached, missed, unseen } = await walkByKeyboard(opened.page);
    expect({ first, missed, unseen }).toEqual({
      ...{ first: 'a "Skip to content"', missed: [], unseen: [] },
    });
    expect(reached).toBeGreaterThan(20);
    expectNoComplaints(opened);
    await opened.page.context().close();
  });

  test.each(Object.entries(GUEST_ROUTES))('%s is walked through', async (_, addressOf) => {
    const opened = await web.open(addressOf(place));
    const { missed, unseen } = await walkByKeyboard(opened.page);
    expect({ missed, unseen }).toEqual({ missed: [], unseen: [] });
    expectNoComplaints(opened);
  });

  test('the navigation of a phone is walked through', async () => {
    const { page } = await web.open('/settings', { ...owner, ...PHONE });
    await page.getByRole('button', { name: 'Open navigation' }).press('Enter');
    await page.getByRole('dialog').getByRole('link', { name: 'Players' }).waitFor();
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.closest('[role=dialog]'))).not.toBe(
        null,
      );
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectFocusOn('Open navigation', page);
  });
});

type Page = Awaited<ReturnType<Web['open']>>['page'];

const expectFocusOn = (name: string, page: Page): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate(() => {
        const element = document.activeElement;
        if (element === document.body) return 'nothing';
        return element?.getAttribute('aria-label') ?? element?.textContent?.trim();
      }),
    )
    .toBe(name);

/** What opens a dialog on which page, by the words of the button. */
const DIALOGS: Record<string, readonly string[]> = {
  '/keys': ['New service account', 'New key'],
  '/people': ['Invite'],
  '/players': ['New player'],
  '/players/$id': ['Edit'],
  '/session-types': ['New session type'],
  '/sessions/$type/$id': ['Attach', 'End session', 'Invite to team 0'],
  '/settings': ['New sandbox', 'Rename Test 1', 'Protect Test 1', 'Set it up'],
};

describe('with Esc', () => {
  const all = Object.entries(DIALOGS).flatMap(([route, names]) =>
    names.map((name) => ({ route, name })),
  );
  test.each(all)('$name of $route closes and gives the focus back', async ({ route, name }) => {
    const opened = await web.open(APP_ROUTES[route]?.(place) ?? '', owner);
    const { page } = opened;
    const button = page.getByRole('main').getByRole('button', { name, exact: true });
    await button.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const hasFocus = () => dialog.evaluate((node) => node.contains(document.activeElement));
    // A dialog is visible a moment before it takes the focus: keys in between go to the page.
    await expect.poll(hasFocus).toBe(true);
    for (let presses = 0; presses < 15; presses += 1) await page.keyboard.press('Tab');
    expect(await hasFocus()).toBe(true);
    // A list that is open within the dialog takes the first Esc for itself.
    if ((await dialog.locator('[aria-expanded="true"]').count()) > 0) {
      await page.keyboard.press('Escape');
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expectFocusOn(name, page);
    expectNoComplaints(opened);
  });
});
