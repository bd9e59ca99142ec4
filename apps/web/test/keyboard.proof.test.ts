// Every route with the keyboard only: every control is reachable, the focus is visible, and nothing traps it.
import { beforeAll, describe, expect, test } from 'vitest';
import { walkByKeyboard } from './support/keyboard-walk.ts';
import type { Place } from './support/routes.ts';
import { APP_ROUTES, fillPlace, GUEST_ROUTES, listRoutes, settle } from './support/routes.ts';
import type { Page } from './support/web.ts';
import { PHONE, shareWeb } from './support/web.ts';

const web = shareWeb();
let place: Place;
beforeAll(async () => {
  place = await fillPlace(web);
});

const owner = { as: 'owner' } as const;

test('covers every route', async () => {
  const page = await web.open('/login');
  const walked = [...Object.keys(GUEST_ROUTES), ...Object.keys(APP_ROUTES)];
  expect(walked.toSorted()).toEqual(await listRoutes(page));
});

describe('with the Tab key', () => {
  test.each(Object.entries(APP_ROUTES))('%s is fully reachable', async (route, addressOf) => {
    // The URL that matches no route is a 404.
    const options = route === '/$' ? { ...owner, expectedErrors: [/404/] } : owner;
    const page = await web.open(addressOf(place), options);
    await settle(page);
    const { first, reached, missed, unseen } = await walkByKeyboard(page);
    expect({ first, missed, unseen }).toEqual({
      first: 'a "Skip to content"',
      missed: [],
      unseen: [],
    });
    expect(reached).toBeGreaterThan(20);
  });

  test.each(Object.entries(GUEST_ROUTES))('%s is fully reachable', async (_, addressOf) => {
    const page = await web.open(addressOf(place));
    const { missed, unseen } = await walkByKeyboard(page);
    expect({ missed, unseen }).toEqual({ missed: [], unseen: [] });
  });

  test('the navigation of a phone is fully reachable', async () => {
    const page = await web.open('/settings', { ...owner, ...PHONE });
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

/** The buttons that open a dialog, by page and label. */
const DIALOGS: Record<string, readonly string[]> = {
  '/keys': ['New service account', 'New key'],
  '/people': ['Invite'],
  '/players': ['New player'],
  '/players/$id': ['Edit'],
  '/session-types': ['New session type'],
  '/sessions/$type/$id': ['Attach', 'End session', 'Invite to team 0'],
  '/sandboxes': ['New sandbox'],
  '/settings': ['Set it up'],
};

describe('with Esc', () => {
  const all = Object.entries(DIALOGS).flatMap(([route, names]) =>
    names.map((name) => ({ route, name })),
  );
  test.each(all)('$name of $route closes and returns the focus', async ({ route, name }) => {
    const page = await web.open(APP_ROUTES[route]?.(place) ?? '', owner);
    const button = page.getByRole('main').getByRole('button', { name, exact: true });
    await button.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const hasFocus = () => dialog.evaluate((node) => node.contains(document.activeElement));
    // A dialog is visible shortly before it has the focus. Until then, the page receives the keys.
    await expect.poll(hasFocus).toBe(true);
    for (let presses = 0; presses < 15; presses += 1) await page.keyboard.press('Tab');
    expect(await hasFocus()).toBe(true);
    // An open list within the dialog consumes the first Esc.
    if ((await dialog.locator('[aria-expanded="true"]').count()) > 0) {
      await page.keyboard.press('Escape');
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expectFocusOn(name, page);
  });

  test.each(['Rename', 'Protect'])(
    '%s in the menu of a sandbox closes and returns the focus',
    async (item) => {
      const page = await web.open('/sandboxes', owner);
      const name = 'Actions for Test 1';
      await page.getByRole('button', { name, exact: true }).press('Enter');
      await page.getByRole('menuitem', { name: item, exact: true }).press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      const hasFocus = () => dialog.evaluate((node) => node.contains(document.activeElement));
      await expect.poll(hasFocus).toBe(true);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await expectFocusOn(name, page);
    },
  );
});
