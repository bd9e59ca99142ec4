// Why rows are there soon after the page around them: their list is asked for early, and few calls draw them.
// How soon by the clock, `npm run bench -- --only web` measures.
import { openDatabase } from '@muster/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countCalls } from './check/count-calls.ts';
import { fillHistory } from './history/fill-history.ts';
import { makeSandbox } from './records/sandbox-of-test.ts';
import type { Web } from './start/start-web.ts';
import { startWeb } from './start/start-web.ts';

const RECORDS = 500;
/** An answer that comes between two drawings costs the page another one, so the least of each counts. A busy machine gets more rounds. */
const MIN_ROUNDS = 3;
const MAX_ROUNDS = 15;
const ROW = 'tbody tr[data-index]';
const HEAD = 'main header button';

let web: Web;
beforeAll(async () => {
  web = await startWeb();
});
afterAll(() => web?.stop());

const openPage = async () => (await web.open('/settings', { as: 'editor' })).page;

const makeItems = async () => {
  const sandbox = await makeSandbox(web);
  for (let at = 1; at <= RECORDS; at += 1) {
    await sandbox.addItem(`Sword ${at}`, { tags: ['melee', 'season-4'] });
  }
  return sandbox;
};

const makeHistory = async () => {
  const sandbox = await makeSandbox(web);
  const database = openDatabase({ url: web.databaseUrl });
  await fillHistory(database.pool, sandbox.sandbox_id, RECORDS);
  await database.close();
  return sandbox;
};

describe.each([
  { list: 'items', procedure: 'items.list', fill: makeItems, most: 1 },
  { list: 'history', procedure: 'versions.list', fill: makeHistory, most: 0.6 },
])('$list', ({ list, procedure, fill, most }) => {
  let [empty, full] = ['', ''];
  beforeAll(async () => {
    empty = `/s/${(await makeSandbox(web)).sandbox_id}/${list}`;
    full = `/s/${(await fill()).sandbox_id}/${list}`;
  });

  test('the list is asked for while the code of the page is still on its way', async () => {
    const page = await openPage();
    const document = await (await fetch(`${web.baseUrl}/`)).text();
    const released = Promise.withResolvers<void>();
    const held: string[] = [];
    // Scripts that the document does not name are the code of one page.
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

  test(`rows take at most ${most} times the work of the page around them`, async () => {
    const page = await openPage();
    let [bare, drawn] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      bare = Math.min(bare, await countCalls(page, empty, HEAD));
      drawn = Math.min(drawn, await countCalls(page, full, ROW));
      if (round >= MIN_ROUNDS && (drawn - bare) / bare <= most) break;
    }
    const rows = drawn - bare;
    process.stdout.write(`${list}: ${rows} calls for rows, ${bare} for the page\n`);
    expect(rows / bare).toBeLessThanOrEqual(most);
  });
});
