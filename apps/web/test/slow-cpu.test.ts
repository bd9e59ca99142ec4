// How much later than the bare page its rows are there, on a processor four times slower.
import type { OpenPage } from '@muster/browser-testing';
import { openDatabase } from '@muster/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillHistory } from './history/fill-history.ts';
import { makeSandbox } from './records/sandbox-of-test.ts';
import type { Web } from './start/start-web.ts';
import { startWeb } from './start/start-web.ts';

const SLOWDOWN = 4;
/** Rows may take this many times as long as the page of an empty sandbox takes to become usable. */
const MOST_RATIO = 1.3;
const ROUNDS = 7;
const RECORDS = 500;

let web: Web;
beforeAll(async () => {
  web = await startWeb();
});
afterAll(() => web?.stop());

type Page = OpenPage['page'];
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

/** A page of its own per path: the script that watches it stays with it. */
const openSlowly = async ({ path, selector }: Place): Promise<() => Promise<number>> => {
  const { page } = await web.open('/settings', { as: 'editor' });
  const browser = await page.context().newCDPSession(page);
  await browser.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.addInitScript(watch, selector);
  return () => measure(page, path);
};

const measure = async (page: Page, path: string): Promise<number> => {
  await page.goto('about:blank');
  await page.goto(path);
  return page.evaluate(() => (globalThis as unknown as Watched).shown);
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/**
 * The median of the ratios of rounds. Both pages are opened by turns, so that what else the machine does meets
 * both alike.
 */
const findRatio = async (name: string, bare: Place, full: Place): Promise<number> => {
  const [openBare, openFull] = [await openSlowly(bare), await openSlowly(full)];
  const rounds: { bareMs: number; rowsMs: number }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    rounds.push({ bareMs: await openBare(), rowsMs: await openFull() });
  }
  // The first one only filled the caches.
  const [, ...counted] = rounds;
  const ratio = median(counted.map(({ bareMs, rowsMs }) => rowsMs / bareMs));
  const [bareMs, rowsMs] = [
    median(counted.map((each) => each.bareMs)),
    median(counted.map((each) => each.rowsMs)),
  ];
  process.stdout.write(
    `${name}: usable after ${bareMs.toFixed()} ms, rows after ${rowsMs.toFixed()} ms, ratio ${ratio.toFixed(2)}\n`,
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
}, 300_000);

test('a page of 100 versions is there soon after the history of an empty sandbox can be used', async () => {
  const [empty, full] = [await makeSandbox(web), await makeSandbox(web)];
  const database = openDatabase({ url: web.databaseUrl });
  await fillHistory(database.pool, full.sandbox_id, RECORDS);
  await database.close();
  const bare = { path: `/s/${empty.sandbox_id}/history`, selector: 'main header button' };
  const rows = { path: `/s/${full.sandbox_id}/history`, selector: ROW };
  expect(await findRatio('History', bare, rows)).toBeLessThanOrEqual(MOST_RATIO);
}, 300_000);
