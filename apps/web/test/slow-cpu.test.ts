// How much later than the bare page its rows are there, on a processor four times slower.
import { openDatabase } from '@muster/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillHistory } from './history/fill-history.ts';
import { makeSandbox } from './records/sandbox-of-test.ts';
import type { Web } from './start/start-web.ts';
import { startWeb } from './start/start-web.ts';

const SLOWDOWN = 4;
/** Rows may take this many times as long as the page of an empty sandbox takes to become usable. */
const MOST_RATIO = 1.3;
const MIN_ROUNDS = 5;
const MAX_ROUNDS = 20;
const RECORDS = 500;

let web: Web;
beforeAll(async () => {
  web = await startWeb();
});
afterAll(() => web?.stop());

/** A page, and the element that says that it is there. */
type Place = { path: string; selector: string };
type Watched = { shown: Promise<number> };

/** Runs in the page before its own scripts: the time from the navigation until the element has been painted. */
const watch = (selector: string): void => {
  const { promise, resolve } = Promise.withResolvers<number>();
  const look = () => {
    if (!document.querySelector(selector)) return;
    observer.disconnect();
    // The frame that paints it begins after the first call, and has ended by the second.
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())));
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { subtree: true, childList: true, attributes: true });
  (globalThis as unknown as Watched).shown = promise;
};

/** How long a reader waits, in ms. A page of its own per path: the script that watches it stays with it. */
const openSlowly = async ({ path, selector }: Place): Promise<() => Promise<number>> => {
  const { page } = await web.open('/settings', { as: 'editor' });
  const browser = await page.context().newCDPSession(page);
  await browser.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.addInitScript(watch, selector);
  return async () => {
    await page.goto('about:blank');
    await page.goto(path);
    return page.evaluate(() => (globalThis as unknown as Watched).shown);
  };
};

/**
 * How many times the wait for the bare page the wait for its rows is. Whatever else a test machine does only adds to a
 * wait, so the shortest of each are compared, and a machine that was never quiet in the first rounds gets some more.
 */
const findRatio = async (name: string, bare: Place, full: Place): Promise<number> => {
  const [openBare, openFull] = [await openSlowly(bare), await openSlowly(full)];
  // The first ones only fill the caches.
  await openBare();
  await openFull();
  let [bareMs, fullMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    bareMs = Math.min(bareMs, await openBare());
    fullMs = Math.min(fullMs, await openFull());
    if (round >= MIN_ROUNDS && fullMs / bareMs <= MOST_RATIO) break;
  }
  const ratio = fullMs / bareMs;
  process.stdout.write(
    `${name}: ${bareMs.toFixed()} ms and ${fullMs.toFixed()} ms (${ratio.toFixed(2)})\n`,
  );
  return ratio;
};

const ROW = 'tbody tr[data-index]';

test('the rows of 500 Items are there soon after the page of an empty sandbox can be used', async () => {
  const [empty, full] = [await makeSandbox(web), await makeSandbox(web)];
  for (let at = 1; at <= RECORDS; at += 1) {
    await full.addItem(`Sword ${at}`, { tags: ['melee', 'season-4'] });
  }
  const create = 'main header button:not(:disabled, [aria-disabled])';
  const bare = { path: empty.items, selector: create };
  const ratio = await findRatio('Items', bare, { path: full.items, selector: ROW });
  expect(ratio).toBeLessThanOrEqual(MOST_RATIO);
}, 900_000);

test('a page of 100 versions is there soon after the history of an empty sandbox can be used', async () => {
  const [empty, full] = [await makeSandbox(web), await makeSandbox(web)];
  const database = openDatabase({ url: web.databaseUrl });
  await fillHistory(database.pool, full.sandbox_id, RECORDS);
  await database.close();
  const bare = { path: `/s/${empty.sandbox_id}/history`, selector: 'main header button' };
  const rows = { path: `/s/${full.sandbox_id}/history`, selector: ROW };
  expect(await findRatio('History', bare, rows)).toBeLessThanOrEqual(MOST_RATIO);
}, 900_000);
