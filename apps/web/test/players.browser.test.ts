// Players in a real browser: search, identities, seats, timeline.
import { describe, expect, test } from 'vitest';
import { expectNoAxeViolations, expectToFitPhone } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { createSession, registerPlayer, sendJoin } from './support/sessions.ts';
import { PHONE, shareWeb } from './support/web.ts';

const web = shareWeb();

const owner = { as: 'owner' } as const;

/** Inserts players by SQL, because the API would take minutes. */
const addPlayers = (name: string, count: number) =>
  web.withDatabase(({ pool }) =>
    pool.query(
      `INSERT INTO player (player_uuid, display_name, registered_at)
       SELECT gen_random_uuid(), $1 || ' ' || i, now() - i * interval '1 second'
       FROM generate_series(1, $2::int) i`,
      [name, count],
    ),
  );

describe('players', () => {
  test('show identities, seats and events, including rejected joins with the reason', async () => {
    const player = await registerPlayer(web, 'Cleo');
    const open = await createSession(web);
    await sendJoin(web, open, player);
    await sendJoin(web, await createSession(web, { joinable: false }), player);
    const page = await web.open(`/players/${player}`, owner);
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
  });

  testInFull('show which of their sessions are running, and when the others ended', async () => {
    const player = await registerPlayer(web, 'Edith');
    const [running, ended] = [await createSession(web), await createSession(web)];
    for (const session of [running, ended]) await sendJoin(web, session, player);
    await web.call('sessions.end', { type: ended.type, session_id: ended.session_id });
    const page = await web.open(`/players/${player}`, owner);
    const rowOf = ({ session_id }: { session_id: string }) =>
      page.getByRole('table', { name: 'Seats' }).getByRole('row').filter({ hasText: session_id });
    await rowOf(running).getByText('Running').waitFor();
    await rowOf(ended)
      .getByText(/^Ended/)
      .waitFor();
    await expectNoAxeViolations(page);
  });

  testInFull('fit a phone, and a viewer cannot edit', async () => {
    const player = await registerPlayer(web, 'Dora');
    const page = await web.open(`/players/${player}`, { as: 'viewer', ...PHONE });
    await page.getByText('This player has no seat').waitFor();
    const edit = page.getByRole('button', { name: 'Edit' });
    expect(await edit.getAttribute('aria-disabled')).toBe('true');
    await expectToFitPhone(page);
    await expectNoAxeViolations(page);
  });

  testInFull('are counted beyond the first page, and load on scrolling', async () => {
    await addPlayers('Counted', 120);
    const page = await web.open('/players?query=counted', owner);
    await page.getByText('120 players').waitFor();
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
    await page.getByText('10,000+ players').waitFor();
  });

  testInFull('that cannot be loaded are shown as an error', async () => {
    await addPlayers('Cut off', 60);
    const page = await web.open('/players', { ...owner, expectedErrors: [/ERR_FAILED/] });
    await page.getByText('Players').first().waitFor();
    await page.route(/players\.list.*cursor/, (route) => route.abort());
    await page.goto('/players?query=cut%20off');
    await page.getByText('Could not load more').waitFor();
    await expectNoAxeViolations(page);
    await page.unroute(/players\.list.*cursor/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Could not load more').waitFor({ state: 'detached' });
    await page.getByText('60 players').waitFor();
  });
});
