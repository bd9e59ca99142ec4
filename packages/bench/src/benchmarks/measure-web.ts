// web: how much later than the page around them the rows of a list are there, on a processor four times slower.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Call, Cookie, OpenBrowser, Place } from '@muster/browser-testing';
import { addPerson, openBrowser, signIn, timeSlowly } from '@muster/browser-testing';
import { REPOSITORY } from '../peers/start-peers.ts';
import { callAdmin } from '../requests/identities.ts';
import type { ListName, WebVariant } from '../results/targets.ts';
import { LIST_NAMES } from '../results/targets.ts';
import { acquire } from '../stopping.ts';
import type { BenchContext } from './bench-context.ts';
import { rotate, using, withService } from './bench-context.ts';

const DATABASE = 'bench_web';
const SLOWDOWN = 4;
const VIEWPORT = { width: 1_440, height: 900 };

const EDITOR = {
  email: 'editor@example.com',
  password: 'a long password of the benchmark',
  name: 'Editor',
  role: 'editor',
};

type Opening = { list: ListName; variant: WebVariant; open: () => Promise<number> };

export const measureWeb = async (context: BenchContext): Promise<void> => {
  await promisify(execFile)(process.execPath, [
    join(REPOSITORY, 'scripts/run.mjs'),
    'build:web',
    '--only',
  ]);
  await context.postgres.createFresh(DATABASE);
  await withService(context, DATABASE, (server) =>
    using(startBrowser(), async ({ browser }) => {
      const baseUrl = `http://127.0.0.1:${server.port}`;
      const call: Call = (procedure, input) => callAdmin(context, server, procedure, input);
      const sandboxes = await fillSandboxes(context, call);
      const cookies = await signIn(baseUrl, await addPerson(call, EDITOR));
      await openInTurn(context, await openPages({ browser, baseUrl, cookies, sandboxes }));
    }),
  );
};

const startBrowser = async () => {
  const { thing, release } = acquire(openBrowser, async (opening) => (await opening).close());
  return { browser: await thing, stop: release };
};

type Sandboxes = Record<WebVariant, string>;

const fillSandboxes = async ({ plan, say }: BenchContext, call: Call): Promise<Sandboxes> => {
  const { records } = plan.web;
  say(`Making ${records} Items for the web app …`);
  const create = async (name: string) =>
    (await call<{ sandbox_id: string }>('sandboxes.create', { name })).sandbox_id;
  const [empty, rows] = [await create('Empty'), await create('Full')];
  for (let at = 1; at <= records; at += 1) {
    const item = { name: `Sword ${at}`, item_type: 'unit', tags: ['melee', 'season-4'] };
    await call('items.create', { sandbox_id: rows, ...item });
  }
  return { empty, rows };
};

type Visit = { browser: OpenBrowser; baseUrl: string; cookies: Cookie[]; sandboxes: Sandboxes };

/** A page for each list with and without rows. */
const openPages = async ({ browser, baseUrl, cookies, sandboxes }: Visit): Promise<Opening[]> => {
  const openings: Opening[] = [];
  for (const list of LIST_NAMES) {
    for (const variant of ['empty', 'rows'] as const) {
      const { page } = await browser.openPage({ baseURL: baseUrl, viewport: VIEWPORT });
      await page.context().addCookies(cookies);
      const place = placeOf(list, variant, sandboxes[variant]);
      openings.push({ list, variant, open: await timeSlowly(page, place, SLOWDOWN) });
    }
  }
  return openings;
};

const openInTurn = async (context: BenchContext, openings: readonly Opening[]) => {
  const { warmUps, rounds } = context.plan.web;
  for (let round = -warmUps; round < rounds; round += 1) {
    context.checkTime();
    if (round >= 0) context.say(`web, round ${round + 1} of ${rounds} …`);
    for (const { list, variant, open } of rotate(openings, Math.max(0, round))) {
      const shownMs = await open();
      if (round < 0) continue;
      context.results.add({ benchmark: `web/${list}`, variant }, 'shown after', 'ms', shownMs);
    }
  }
};

/** The first control that belongs to the page and can be used. */
const CONTROLS: Record<ListName, string> = {
  items: 'main header button:not(:disabled, [aria-disabled])',
  history: 'main header button',
};

const ROW = 'tbody tr[data-index]';

const placeOf = (list: ListName, variant: WebVariant, sandboxId: string): Place => ({
  path: `/s/${sandboxId}/${list}`,
  selector: variant === 'rows' ? ROW : CONTROLS[list],
});
