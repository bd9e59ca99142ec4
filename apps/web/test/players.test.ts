// Players in a real browser: search, identities, seats, timeline.
import { openDatabase } from '@muster/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNoAxeViolations } from './check/expect-no-axe-violations.ts';
import { expectNoComplaints } from './check/expect-no-complaints.ts';
import { createSession, registerPlayer, sendJoin } from './start/send-join.ts';
import type { Web } from './start/start-web.ts';
import { PHONE, startWeb } from './start/start-web.ts';

let web: Web;
beforeAll(async () => {
  web = await startWeb();
});
afterAll(() => web?.stop());

const owner = { as: 'owner' } as const;

/** So many at once, which the API would take minutes for. */
const addPlayers = async (name: string, count: number): Promise<void> => {
  const { pool, close } = openDatabase({ url: web.databaseUrl, statementTimeoutMs: 20_000 });
  await pool.query(
    `INSERT INTO player (player_uuid, display_name, registered_at)
     SELECT gen_random_uuid(), $1 || ' ' || i, now() - i * interval '1 second'
     FROM generate_series(1, $2::int) i`,
    [name, count],
  );
  await close();
};

describe('players', () => {
  test('are explained while nobody is known', async () => {
    const opened = await web.open('/players', owner);
    await opened.page.getByText('No player is known yet').waitFor();
    await expectNoAxeViolations(opened.page);
    expectNoComplaints(opened);
  });

  test('are found by a part of the name, by keyboard alone', async () => {
    await registerPlayer(web, 'Grace Hopper');
    await registerPlayer(web, 'Alan Turing');
    const opened = await web.open('/players', owner);
    const { page } = opened;
    await page.getByText('2 Players').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('HOPP');
    await page.getByText('1 Player').waitFor();
    await expectNoAxeViolations(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor();
    await page.goBack();
    await page.getByText('1 Player').waitFor();
    expect(new URL(page.url()).searchParams.get('query')).toBe('HOPP');
    expectNoComplaints(opened);
  });

  test('show identities, seats and what happened, refused joins and why included', async () => {
    const player = await registerPlayer(web, 'Cleo');
    const open = await createSession(web);
    await sendJoin(web, open, player);
    await sendJoin(web, await createSession(web, { joinable: false }), player);
    const opened = await web.open(`/players/${player}`, owner);
    const { page } = opened;
    await page.getByRole('button', { name: `Copy player id ${player}` }).waitFor();
    const seats = page.getByRole('table', { name: 'Seats' });
    await seats.getByRole('link', { name: open.session_id }).waitFor();
    await seats.getByText('Leader').waitFor();
    const refused = page.locator('[data-kind="join_refused"]');
    await refused.getByText('The session takes only players who were invited.').waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Cleopatra');
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Cleopatra' }).waitFor();
    expectNoComplaints(opened);
  });

  test('fit a phone, and a viewer cannot edit', async () => {
    const player = await registerPlayer(web, 'Dora');
    const opened = await web.open(`/players/${player}`, { as: 'viewer', ...PHONE });
    const { page } = opened;
    await page.getByText('This player has no seat, and had none').waitFor();
    const edit = page.getByRole('button', { name: 'Edit' });
    expect(await edit.getAttribute('aria-disabled')).toBe('true');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await expectNoAxeViolations(page);
    expectNoComplaints(opened);
  });

  test('are counted beyond the first page, and come as one scrolls', async () => {
    await addPlayers('Counted', 120);
    const opened = await web.open('/players?query=counted', owner);
    const { page } = opened;
    await page.getByText('120 Players').waitFor();
    const table = page.getByRole('table', { name: 'Players' });
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('121');
    await table.hover();
    const last = page.getByRole('link', { name: 'Counted 120', exact: true });
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 3_000);
        return await last.isVisible();
      })
      .toBe(true);
    await addPlayers('Countless', 10_001);
    await page.goto('/players?query=countless');
    await page.getByText('10,000+ Players').waitFor();
    expectNoComplaints(opened);
  });

  test('that cannot be loaded are not passed over in silence', async () => {
    await addPlayers('Cut off', 60);
    const opened = await web.open('/players', owner);
    const { page } = opened;
    await page.getByText('Players').first().waitFor();
    await page.route(/players\.list.*cursor/, (route) => route.abort());
    await page.goto('/players?query=cut%20off');
    await page.getByText('The rest could not be loaded').waitFor();
    await expectNoAxeViolations(page);
    await page.unroute(/players\.list.*cursor/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The rest could not be loaded').waitFor({ state: 'detached' });
    await page.getByText('60 Players').waitFor();
    expectNoComplaints(opened, [/ERR_FAILED/]);
  });
});
