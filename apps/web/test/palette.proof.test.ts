// The palette on every route: it opens by shortcut, finds pages and records, and returns the focus.
import { beforeAll, expect, test } from 'vitest';
import type { Place } from './support/routes.ts';
import { APP_ROUTES, fillPlace, settle } from './support/routes.ts';
import { shareWeb } from './support/web.ts';

const web = shareWeb();
let place: Place;
beforeAll(async () => {
  place = await fillPlace(web);
});

test.each(Object.entries(APP_ROUTES))('on %s finds pages and records', async (route, addressOf) => {
  // The URL that matches no route is a 404.
  const expectedErrors = route === '/$' ? [/404/] : [];
  const page = await web.open(addressOf(place), { as: 'owner', expectedErrors });
  await settle(page);
  const button = page.getByRole('button', { name: /^Search/ }).first();
  await button.focus();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: /^Search records/ });
  await field.waitFor();
  await page.keyboard.type('session typ');
  await page.getByRole('option', { name: 'Session types' }).waitFor();
  await field.fill('walked long');
  await page.getByRole('option', { name: 'Walked long axe' }).waitFor();
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  await expect.poll(() => button.evaluate((node) => node === document.activeElement)).toBe(true);
  await page.keyboard.press('Control+k');
  await field.fill('walked long');
  await page.getByRole('option', { name: 'Walked long axe' }).click();
  await page.waitForURL(`**/items/${place.item}`);
  await page.getByRole('heading', { level: 1, name: 'Walked long axe' }).waitFor();
});
