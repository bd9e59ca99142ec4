// Every route of the app with a URL for it, in a service with one resource of each type.
import { expect } from 'vitest';
import { makeSandbox } from './sandboxes.ts';
import { createSession, pathOf, registerPlayer, sendJoin } from './sessions.ts';
import type { Page, Web } from './web.ts';

/** The ids in the URLs. */
export type Place = {
  sandbox: string;
  emptySandbox: string;
  item: string;
  /** The id of the Item's second version. */
  version: string;
  xp: string;
  /** The id of a change set that reverts that version. */
  changeSet: string;
  session: string;
  player: string;
  /** The id of a key of a service account. */
  key: string;
  /** The id of a disabled webhook. */
  webhook: string;
};

/** Creates one resource of each type, so that no page is empty. */
export const fillPlace = async (web: Web): Promise<Place> => {
  const { sandbox_id, addItem, editItem, deleteItem, addXp } = await makeSandbox(web);
  const { xp_id } = await addXp('Walked levels', [
    { level: 1, xp: 0 },
    { level: 2, xp: 100 },
  ]);
  const fields = { tags: ['melee'], custom_data: { rarity: 'rare' }, level_xp_table_id: xp_id };
  const { item_id } = await addItem('Walked axe', fields);
  const changes = { name: 'Walked long axe', description: 'Sharp' };
  const { version_id, transaction_id } = await editItem(item_id, 1, changes);
  const revert = { sandbox_id, transaction_id };
  const { change_set_id } = await web.call<{ change_set_id: string }>('edits.revert', revert);
  await deleteItem((await addItem('Lost sword')).item_id, 1);
  const empty = await makeSandbox(web);
  const session = await createSession(web);
  const player = await registerPlayer(web, 'Walked Ada');
  await sendJoin(web, session, player);
  const { account_id } = await web.call<{ account_id: string }>('keys.createAccount', {
    name: 'Walked backend',
  });
  const { key_id } = await web.call<{ key_id: string }>('keys.create', {
    account_id,
    name: 'Walked key',
    permissions: ['session:*', 'sandbox:config:edit'],
  });
  const { webhook_id } = await web.call<{ webhook_id: string }>('webhooks.create', {
    url: 'https://receiver.example/walked',
    kinds: ['player_joined'],
  });
  await web.call('webhooks.disable', { webhook_id });
  await web.call('sessionTypes.upsert', { type: 'walked' });
  return {
    sandbox: sandbox_id,
    emptySandbox: empty.sandbox_id,
    item: item_id,
    version: version_id,
    xp: xp_id,
    changeSet: change_set_id,
    session: pathOf(session),
    player,
    key: key_id,
    webhook: webhook_id,
  };
};

export type Address = (place: Place) => string;

/** Replaces `$item`, `$xp`, `$version` and `$changeSet` with the ids of the place. */
export const inSandbox =
  (rest: string): Address =>
  ({ sandbox, item, xp, version, changeSet }) =>
    `/s/${sandbox}${rest}`
      .replace('$item', item)
      .replace('$xp', xp)
      .replace('$version', version)
      .replace('$changeSet', changeSet);

/** Routes before sign-in. */
export const GUEST_ROUTES: Record<string, Address> = {
  '/login': () => '/login',
  '/invite': () => '/invite',
};

/** Routes after sign-in, by the router's paths. */
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
  '/s/$sandbox/change-sets': inSandbox('/change-sets'),
  '/s/$sandbox/change-sets/$id': inSandbox('/change-sets/$changeSet'),
  '/s/$sandbox/import': inSandbox('/import'),
  '/s/$sandbox/schemas': inSandbox('/schemas'),
  '/s/$sandbox/trash': inSandbox('/trash'),
  '/s/$sandbox/compare-sandboxes': inSandbox('/compare-sandboxes'),
  '/s/$sandbox/public': inSandbox('/public'),
  '/sessions': () => '/sessions',
  '/sessions/new': () => '/sessions/new',
  '/sessions/try-it': () => '/sessions/try-it',
  '/sessions/$type/$id': ({ session }) => session,
  '/session-types': () => '/session-types',
  '/players': () => '/players',
  '/refused-joins': () => '/refused-joins',
  '/players/$id': ({ player }) => `/players/${player}`,
  '/keys': () => '/keys',
  '/webhooks': () => '/webhooks',
  '/webhooks/$id': ({ webhook }) => `/webhooks/${webhook}`,
  '/people': () => '/people',
  '/audit': () => '/audit',
  '/system': () => '/system',
  '/sandboxes': () => '/sandboxes',
  '/settings': () => '/settings',
  /** Every other URL. */
  '/$': () => '/nowhere/at/all',
};

/** The paths of the running app. The router is available on the window. */
export const listRoutes = async (page: Page): Promise<string[]> => {
  const paths = await page.evaluate(() => {
    const { __TSR_ROUTER__: router } = globalThis as unknown as {
      __TSR_ROUTER__: { routesByPath: Record<string, unknown> };
    };
    return Object.keys(router.routesByPath);
  });
  return [...new Set(paths.map((path) => path.replace(/(?<=.)\/$/, '')))].toSorted();
};

/** Navigates within the app without reloading it. */
export const navigate = async (page: Page, href: string): Promise<void> => {
  type Location = { href: string };
  type Router = {
    navigate(to: Location): Promise<void>;
    state: { status: string; location: Location; resolvedLocation?: Location };
  };
  type Routed = { __TSR_ROUTER__: Router };
  await page.evaluate(
    (to) => (globalThis as unknown as Routed).__TSR_ROUTER__.navigate({ href: to }),
    href,
  );
  await expect
    .poll(() =>
      page.evaluate(() => {
        const { status, location, resolvedLocation } = (globalThis as unknown as Routed)
          .__TSR_ROUTER__.state;
        return status === 'idle' && location.href === resolvedLocation?.href;
      }),
    )
    .toBe(true);
};

/** Waits until the page shows its loaded data. */
export const settle = async (page: Page): Promise<void> => {
  await page.locator('h1').first().waitFor();
  await expect.poll(() => page.getByText('Loading …').count()).toBe(0);
};
