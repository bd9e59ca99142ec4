// Every route of the app with an address that opens it, in a service that holds one of everything.
import type { OpenPage } from '@muster/browser-testing';
import { expect } from 'vitest';
import { makeSandbox } from '../records/sandbox-of-test.ts';
import { createSession, pathOf, registerPlayer, sendJoin } from '../start/send-join.ts';
import type { Web } from '../start/start-web.ts';

type Page = OpenPage['page'];

/** What the addresses are made of. */
export type Place = { sandbox: string; item: string; xp: string; session: string; player: string };

/** One of everything, so that no page is empty. */
export const fillPlace = async (web: Web): Promise<Place> => {
  const { sandbox_id, addItem, editItem, addXp } = await makeSandbox(web);
  const item = await addItem('Walked axe');
  await editItem(item.item_id, 1, { name: 'Walked long axe' });
  const gone = await addItem('Lost sword');
  await web.call('items.delete', { sandbox_id, item_id: gone.item_id, expected_version: 1 });
  const { xp_id } = await addXp('Walked levels');
  const session = await createSession(web);
  const player = await registerPlayer(web, 'Walked Ada');
  await sendJoin(web, session, player);
  const { account_id } = await web.call<{ account_id: string }>('keys.createAccount', {
    name: 'Walked backend',
  });
  await web.call('keys.create', { account_id, name: 'Walked key', permissions: ['session:*'] });
  await web.call('sessionTypes.upsert', { type: 'walked' });
  return { sandbox: sandbox_id, item: item.item_id, xp: xp_id, session: pathOf(session), player };
};

type Address = (place: Place) => string;

const inSandbox =
  (rest: string): Address =>
  ({ sandbox, item, xp }) =>
    `/s/${sandbox}${rest}`.replace('$item', item).replace('$xp', xp);

/** In front of the sign-in. */
export const GUEST_ROUTES: Record<string, Address> = {
  '/login': () => '/login',
  '/invite': () => '/invite',
};

/** Behind it, by the paths as the router spells them. */
export const APP_ROUTES: Record<string, Address> = {
  '/': () => '/',
  '/s/$sandbox': inSandbox(''),
  '/s/$sandbox/items': inSandbox('/items'),
  '/s/$sandbox/items/new': inSandbox('/items/new'),
  '/s/$sandbox/items/$id': inSandbox('/items/$item'),
  '/s/$sandbox/items/$id/compare': inSandbox('/items/$item/compare'),
  '/s/$sandbox/xp': inSandbox('/xp'),
  '/s/$sandbox/xp/new': inSandbox('/xp/new'),
  '/s/$sandbox/xp/$id': inSandbox('/xp/$xp'),
  '/s/$sandbox/xp/$id/compare': inSandbox('/xp/$xp/compare'),
  '/s/$sandbox/history': inSandbox('/history'),
  '/s/$sandbox/import': inSandbox('/import'),
  '/s/$sandbox/trash': inSandbox('/trash'),
  '/s/$sandbox/compare-sandboxes': inSandbox('/compare-sandboxes'),
  '/s/$sandbox/public': inSandbox('/public'),
  '/sessions': () => '/sessions',
  '/sessions/new': () => '/sessions/new',
  '/sessions/try-it': () => '/sessions/try-it',
  '/sessions/$type/$id': ({ session }) => session,
  '/session-types': () => '/session-types',
  '/players': () => '/players',
  '/players/$id': ({ player }) => `/players/${player}`,
  '/keys': () => '/keys',
  '/people': () => '/people',
  '/audit': () => '/audit',
  '/system': () => '/system',
  '/settings': () => '/settings',
};

/** The paths of the app that runs in the page: the router leaves itself on the window. */
export const listRoutes = async (page: Page): Promise<string[]> => {
  const paths = await page.evaluate(() => {
    const { __TSR_ROUTER__: router } = globalThis as unknown as {
      __TSR_ROUTER__: { routesByPath: Record<string, unknown> };
    };
    return Object.keys(router.routesByPath);
  });
  return [...new Set(paths.map((path) => path.replace(/(?<=.)\/$/, '')))].toSorted();
};

/** Opened and quiet: what the page asked for is there, and no lines stand for it any more. */
export const settle = async (page: Page): Promise<void> => {
  await page.locator('h1').first().waitFor();
  await expect.poll(() => page.getByText('Loading …').count()).toBe(0);
};
