// Every page of the app passes the accessibility rules, logs no error, explains its terms, has a correct layout
// and fits a phone.
import { beforeAll, expect, test } from 'vitest';
import { expectNoAxeViolationsEveryDay, expectToFitPhone } from './support/accessibility.ts';
import { expectExplanations } from './support/explanations.ts';
import { coversInFull, firstOf } from './support/extent.ts';
import { expectNeatLayout } from './support/layout.ts';
import type { Address, Place } from './support/routes.ts';
import {
  APP_ROUTES,
  fillPlace,
  GUEST_ROUTES,
  inSandbox,
  listRoutes,
  navigate,
  settle,
} from './support/routes.ts';
import type { Page } from './support/web.ts';
import { DESKTOP, PHONE, shareWeb } from './support/web.ts';

const web = shareWeb();
let place: Place;
beforeAll(async () => {
  place = await fillPlace(web);
});

test('covers every route', async () => {
  const page = await web.open('/login');
  const tested = [...Object.keys(GUEST_ROUTES), ...Object.keys(APP_ROUTES)];
  expect(tested.toSorted()).toEqual(await listRoutes(page));
});

/** Text that shows that the content of a route has loaded. */
const WORDS: Record<string, string> = {
  '/s/$sandbox': 'Recent edits',
  '/s/$sandbox/items': 'Walked long axe',
  '/s/$sandbox/items/new': 'Create Item',
  '/s/$sandbox/items/$id': 'Sharp',
  '/s/$sandbox/items/$id/compare': 'Sharp',
  '/s/$sandbox/xp': 'Walked levels',
  '/s/$sandbox/xp/new': 'Create Xp table',
  '/s/$sandbox/xp/$id': 'Step',
  '/s/$sandbox/xp/$id/compare': 'This is the first version',
  '/s/$sandbox/history': 'Walked long axe',
  '/s/$sandbox/change-sets': 'draft',
  '/s/$sandbox/change-sets/$id': 'Walked long axe',
  '/s/$sandbox/schemas': 'There is no schema',
  '/s/$sandbox/trash': 'Lost sword',
  '/webhooks': 'receiver.example',
  '/webhooks/$id': 'Nothing is sent',
  '/system': 'Show as a table',
};

/** Further states of pages, with the text that shows them. */
const STATES: Record<string, { address: Address; words: string }> = {
  'Items that no filter matches': {
    address: inSandbox('/items?name=nothing'),
    words: 'Nothing matches',
  },
  'an Item as JSON': { address: inSandbox('/items/$item?tab=json'), words: 'Valid.' },
  'the history of an Item': { address: inSandbox('/items/$item?tab=history'), words: 'changed' },
  'a version of an Item': {
    address: inSandbox('/items/$item?tab=history&version=$version'),
    words: 'What it changed',
  },
  'the overview of an empty sandbox': {
    address: ({ emptySandbox }) => `/s/${emptySandbox}`,
    words: 'This sandbox is empty',
  },
  'versions that no filter matches': {
    address: inSandbox('/history?name=nothing'),
    words: 'Nothing matches',
  },
  'a sandbox as of now': { address: inSandbox('/history?view=as-of'), words: 'Walked long axe' },
  'the permissions of a key': {
    address: ({ key }) => `/keys?key=${key}`,
    words: 'Permissions',
  },
  'an empty trash': {
    address: inSandbox('/trash?kind=xp'),
    words: 'No Xp table has been deleted',
  },
};

type Case = { address: Address; words?: string | undefined; as?: 'owner' };

const CASES: [name: string, Case][] = [
  ...Object.entries(GUEST_ROUTES).map(([name, address]): [string, Case] => [name, { address }]),
  ...Object.entries(APP_ROUTES).map(([name, address]): [string, Case] => [
    name,
    { address, words: WORDS[name], as: 'owner' },
  ]),
  ...firstOf(Object.entries(STATES)).map(([name, state]): [string, Case] => [
    name,
    { ...state, as: 'owner' },
  ]),
];

/** The URL that matches no route is a 404. */
const NOT_FOUND = [/\/nowhere.* 404|status of 404/];

let walker: Page | undefined;

/**
 * `npm test` opens all routes in one signed-in page, which loads the app once instead of for each
 * URL. The proofs load each URL.
 */
const walkTo = async (path: string): Promise<Page> => {
  walker ??= await web.open('/settings', { as: 'owner', expectedErrors: NOT_FOUND, isKept: true });
  await walker.setViewportSize(DESKTOP.viewport);
  await navigate(walker, path);
  return walker;
};

test.each(CASES)('%s', async (_, { address, words, as }) => {
  const options = { ...(as && { as }), expectedErrors: NOT_FOUND };
  const walks = as !== undefined && !coversInFull();
  const page = await (walks ? walkTo(address(place)) : web.open(address(place), options));
  await settle(page);
  if (words) await page.getByText(words).first().waitFor();
  await expectNoAxeViolationsEveryDay(page);
  await expectExplanations(page);
  await expectNeatLayout(page);
  await page.setViewportSize(PHONE.viewport);
  await expectToFitPhone(page);
  if (!coversInFull()) return;

  const phone = await web.open(address(place), { ...options, ...PHONE });
  await settle(phone);
  if (words) await phone.getByText(words).first().waitFor({ state: 'attached' });
  await expectToFitPhone(phone);
  await expectNoAxeViolationsEveryDay(phone);
});
