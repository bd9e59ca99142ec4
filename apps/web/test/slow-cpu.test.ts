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
const ROUNDS = 5;
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

/** `shownMs` is what a reader waits; `busyMs` is how much of it the page's own thread worked, the slowdown included. */
type Times = { shownMs: number; busyMs: number };

/** A page of its own per path: the script that watches it stays with it. */
const openSlowly = async ({ path, selector }: Place): Promise<() => Promise<Times>> => {
  const { page } = await web.open('/settings', { as: 'editor' });
  const browser = await page.context().newCDPSession(page);
  await browser.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await browser.send('Performance.enable', { timeDomain: 'threadTicks' });
  const readBusyMs = async (): Promise<number> => {
    const { metrics } = await browser.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
  await page.addInitScript(watch, selector);
  return async () => {
    await page.goto('about:blank');
    const before = await readBusyMs();
    await page.goto(path);
    const shownMs = await page.evaluate(() => (globalThis as unknown as Watched).shown);
    return { shownMs, busyMs: (await readBusyMs()) - before };
  };
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/**
 * How many times the work of the bare page the rows take. Work is compared, since the clock says more about what else
 * a test machine does: the same pages swung between 1.0 and 1.6 by the clock while it was busy. Both are printed.
 */
const findRatio = async (name: string, bare: Place, full: Place): Promise<number> => {
  const [openBare, openFull] = [await openSlowly(bare), await openSlowly(full)];
  const rounds: { bare: Times; full: Times }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    rounds.push({ bare: await openBare(), full: await openFull() });
  }
  // The first one only filled the caches.
  const [, ...counted] = rounds;
  const medianOf = (page: 'bare' | 'full', time: keyof Times) =>
    median(counted.map((round) => round[page][time]));
  const tell = (time: keyof Times) => {
    const [bareMs, fullMs] = [medianOf('bare', time), medianOf('full', time)];
    return `${bareMs.toFixed()} ms and ${fullMs.toFixed()} ms (${(fullMs / bareMs).toFixed(2)})`;
  };
  process.stdout.write(`${name}: by the clock ${tell('shownMs')}, of work ${tell('busyMs')}\n`);
  return medianOf('full', 'busyMs') / medianOf('bare', 'busyMs');
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
