// Rows appear soon after their page, because the list is requested early and few calls render it.
// `npm run bench -- --only web` measures the time.
import { beforeAll, describe, expect, test } from 'vitest';
import { coversInFull } from './support/extent.ts';
import { addVersions, makeSandbox } from './support/sandboxes.ts';
import type { Page } from './support/web.ts';
import { shareWeb } from './support/web.ts';

/** More rows than a screen shows. */
const RECORDS = coversInFull() ? 500 : 50;
/** A response between two renders causes another one, so the median of several runs counts. */
const ROUNDS = 7;
const ROW = 'tbody tr[data-index]';
const HEAD = 'main header button';

const web = shareWeb();

const openPage = () => web.open('/settings', { as: 'editor' });

const makeItems = async () => {
  const sandbox = await makeSandbox(web);
  for (let at = 1; at <= RECORDS; at += 1) {
    await sandbox.addItem(`Sword ${at}`, { tags: ['melee', 'season-4'] });
  }
  return sandbox;
};

const makeHistory = async () => {
  const sandbox = await makeSandbox(web);
  await addVersions(web, sandbox.sandbox_id, RECORDS);
  return sandbox;
};

/**
 * The number of function calls in the page, from the browser's profiler, from its opening until it has the element
 * and sends no more requests. Unlike the time, it does not depend on the load of the machine.
 */
const countCalls = async (page: Page, path: string, selector: string): Promise<number> => {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Profiler.enable');
  await page.goto('about:blank');
  await browser.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await page.goto(path, { waitUntil: 'networkidle' });
  await page.locator(selector).first().waitFor();
  const { result } = await browser.send('Profiler.takePreciseCoverage');
  await browser.detach();
  const functions = result.flatMap((script) => script.functions);
  return functions.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
};

const middleOf = (counts: number[]): number =>
  counts.sort((left, right) => left - right)[counts.length >> 1] ?? Number.NaN;

describe.each([
  { list: 'items', procedure: 'items.list', fill: makeItems, most: 1 },
  { list: 'history?view=versions', procedure: 'versions.list', fill: makeHistory, most: 0.6 },
])('$list', ({ list, procedure, fill, most }) => {
  let [empty, full] = ['', ''];
  beforeAll(async () => {
    empty = `/s/${(await makeSandbox(web)).sandbox_id}/${list}`;
    full = `/s/${(await fill()).sandbox_id}/${list}`;
  });

  test('requests the list while the code of the page loads', async () => {
    const page = await openPage();
    const document = await (await fetch(`${web.baseUrl}/`)).text();
    const released = Promise.withResolvers<void>();
    const held: string[] = [];
    // Scripts that the document does not list are the code of one page.
    await page.route('**/assets/*.js', async (route) => {
      const { pathname } = new URL(route.request().url());
      if (!document.includes(pathname)) {
        held.push(pathname);
        await released.promise;
      }
      await route.continue();
    });
    const asked = page.waitForRequest((request) =>
      request.url().includes(`/admin/trpc/${procedure}`),
    );
    const opening = page.goto(full);
    await asked;
    expect(held).not.toEqual([]);
    expect(await page.locator(ROW).count()).toBe(0);
    released.resolve();
    await opening;
    await page.locator(ROW).first().waitFor();
  });

  // Opens the page many times without other load, so it is a proof.
  if (!coversInFull()) return;
  test(`rows take at most ${most} times the work of the page around them`, async () => {
    const page = await openPage();
    const [bares, drawns]: [number[], number[]] = [[], []];
    for (let round = 1; round <= ROUNDS; round += 1) {
      bares.push(await countCalls(page, empty, HEAD));
      drawns.push(await countCalls(page, full, ROW));
    }
    const [bare, drawn] = [middleOf(bares), middleOf(drawns)];
    const rows = drawn - bare;
    process.stdout.write(`${list}: ${rows} calls for rows, ${bare} for the page\n`);
    expect(rows / bare).toBeLessThanOrEqual(most);
  });
});
