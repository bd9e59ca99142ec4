// The board of a session in a real browser, while players join and leave over plain HTTP.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { expectNoAxeViolations, expectToFitPhone } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { waitForRoomInHour } from './support/hours.ts';
import { createSession, nameOf, pathOf, registerPlayer, sendJoin } from './support/sessions.ts';
import { PHONE, shareWeb } from './support/web.ts';

const web = shareWeb();

const owner = { as: 'owner' } as const;

describe('the board of a session', () => {
  test('shows and announces a new join within seconds', async () => {
    const session = await createSession(web);
    const ada = await registerPlayer(web, 'Ada <b>Lovelace</b>');
    const page = await web.open(pathOf(session), owner);
    const team = page.getByRole('region', { name: 'Team 0' });
    await team.getByText('0 of 2 seats').waitFor();
    expect(await sendJoin(web, session, ada)).toBe(200);
    await team.getByRole('link', { name: 'Ada <b>Lovelace</b>' }).waitFor({ timeout: 10_000 });
    await team.getByText('1 of 2 seats').waitFor();
    await team.getByText('Leader', { exact: true }).waitFor();
    await team.getByText('Steam · Gamepad · 1.4.2').waitFor();
    await page
      .getByRole('log')
      .getByText('Ada <b>Lovelace</b> has joined team 0.')
      .waitFor({ state: 'attached' });
    await page.getByText('Ada <b>Lovelace</b> joined team 0 as leader').waitFor();
    // The highlight fades with the colours of the scheme in which it started.
    await expect
      .poll(() => page.evaluate(() => document.getAnimations().length), { timeout: 20_000 })
      .toBe(0);
    await expectNoAxeViolations(page);
  });

  testInFull(
    'shows a new join while a process of an earlier version, which cannot watch, answers',
    async () => {
      const session = await createSession(web);
      const ada = await registerPlayer(web, 'Ada');
      const page = await web.open('/sessions', { ...owner, expectedErrors: [/404/] });
      await page.route('**/admin/trpc/sessions.watch*', (route) =>
        route.fulfill({
          status: 404,
          json: {
            error: {
              message: 'No procedure found on path "sessions.watch"',
              code: -32_004,
              data: {
                code: 'NOT_FOUND',
                httpStatus: 404,
                error_code: 'not_found',
                desc: 'Not found.',
              },
            },
          },
        }),
      );
      await page.goto(pathOf(session));
      const team = page.getByRole('region', { name: 'Team 0' });
      await team.getByText('0 of 2 seats').waitFor();
      expect(await sendJoin(web, session, ada)).toBe(200);
      await team.getByText('1 of 2 seats').waitFor({ timeout: 10_000 });
    },
  );

  testInFull(
    'shows no new events while the mouse or the focus is in the timeline, and shows them afterwards',
    async () => {
      const session = await createSession(web);
      const [ada, bob] = [await registerPlayer(web, 'Ada'), await registerPlayer(web, 'Bob')];
      const page = await web.open(pathOf(session), owner);
      const timeline = page.getByRole('region', { name: 'Timeline' });
      await timeline.getByText('The session was created').waitFor();
      await timeline.hover();
      await sendJoin(web, session, ada);
      await timeline.getByRole('button', { name: /^Show \d new$/ }).click();
      await timeline.getByText('Ada joined').waitFor();
      // The button was removed while it had the focus.
      await page.mouse.move(0, 0);
      expect(await sendJoin(web, session, bob)).toBe(200);
      await timeline.getByText('Bob joined').waitFor({ timeout: 10_000 });
    },
  );

  testInFull(
    'names the next leader before the leader is kicked, and shows the change',
    async () => {
      const session = await createSession(web);
      const [ada, bob] = [await registerPlayer(web, 'Ada'), await registerPlayer(web, 'Bob')];
      await sendJoin(web, session, ada);
      await sendJoin(web, session, bob);
      const page = await web.open(pathOf(session), owner);
      await page.getByRole('button', { name: 'Actions for Ada' }).click();
      await page.getByRole('menuitem', { name: 'Kick …' }).click();
      const dialog = page.getByRole('dialog', { name: 'Kick Ada?' });
      await dialog.getByText('Bob will lead').waitFor();
      await expectNoAxeViolations(page);
      await dialog.getByRole('button', { name: 'Kick' }).click();
      await dialog.waitFor({ state: 'detached' });
      const seat = page.locator(`[data-player="${bob}"]`);
      await seat.getByText('Leader', { exact: true }).waitFor();
      await page.locator(`[data-player="${ada}"]`).waitFor({ state: 'detached' });
      await page.getByText('Ada was removed from team 0').waitFor();
    },
  );

  testInFull('keeps the slots of players when another one leaves', async () => {
    const session = await createSession(web, { teams: [{ max_size: 4 }] });
    const players: string[] = [];
    for (const name of ['Ada', 'Bob', 'Cleo']) players.push(await registerPlayer(web, name));
    for (const player of players) await sendJoin(web, session, player);
    const page = await web.open(pathOf(session), owner);
    const seat = page.locator(`[data-player="${players[2]}"]`);
    const before = await seat.boundingBox();
    await web.call('sessions.removePlayer', { ...nameOf(session), player_uuid: players[0] });
    await page.locator(`[data-player="${players[0]}"]`).waitFor({ state: 'detached' });
    expect(await seat.boundingBox()).toEqual(before);
  });

  testInFull(
    'shows a rejected join with its reason, and after ten within an hour that no more are recorded',
    async () => {
      await waitForRoomInHour();
      const session = await createSession(web, { joinable: false });
      const page = await web.open(pathOf(session), owner);
      const player = randomUUID();
      expect(await sendJoin(web, session, player)).toBe(403);
      const event = page.locator('[data-kind="join_refused"]');
      await event.getByText('The session takes only players who were invited.').waitFor();
      await event.getByText('session_not_joinable').waitFor();
      const isCapped = event.getByText('Further refusals in this hour are not recorded.');
      expect(await isCapped.count()).toBe(0);
      for (let count = 2; count <= 11; count += 1) await sendJoin(web, session, player);
      await isCapped.waitFor();
      expect([await event.count(), await isCapped.count()]).toEqual([10, 1]);
    },
  );

  testInFull('names the player whose preferences exclude a joining player', async () => {
    const session = await createSession(web);
    const [griefer, late] = [
      await registerPlayer(web, 'Griefer'),
      await registerPlayer(web, 'Ada'),
    ];
    const crossplay_preferences = {
      permitted_platform: 'desired_platforms_playstationlike',
      permitted_input: 'desired_inputs_touch',
    };
    expect(await sendJoin(web, session, griefer, { crossplay_preferences })).toBe(200);
    expect(await sendJoin(web, session, late)).toBe(403);
    const page = await web.open(pathOf(session), owner);
    const event = page.locator('[data-kind="join_refused"]');
    await event.getByRole('link', { name: 'Ada' }).waitFor();
    await event.getByText('The other player: Griefer.').waitFor();
    await event.getByRole('link', { name: 'Griefer' }).waitFor();
  });

  testInFull('holds a seat for an unknown player, by a UUID without hyphens', async () => {
    const session = await createSession(web);
    const player = randomUUID();
    const digits = player.replaceAll('-', '').toUpperCase();
    const page = await web.open(pathOf(session), owner);
    await page.getByRole('button', { name: 'Invite to team 0' }).click();
    await page.getByRole('combobox', { name: 'Player' }).fill(digits);
    await page.getByRole('option', { name: `Use ${digits}` }).click();
    await page.getByRole('button', { name: 'Hold the seat' }).click();
    await page.locator(`[data-player="${player}"]`).waitFor();
  });

  test('holds seats, moves, promotes, marks absent, opens and closes, ends', async () => {
    const session = await createSession(web, {
      instance: { instance_id: 'i-1', host_type: 'dedicated', join_status: 'joinable' },
    });
    const [ada, bob] = [await registerPlayer(web, 'Ada'), await registerPlayer(web, 'Bob Held')];
    await sendJoin(web, session, ada);
    await sendJoin(web, session, await registerPlayer(web, 'Cleo'));
    const page = await web.open(pathOf(session), owner);
    const second = page.getByRole('region', { name: 'Team 1' });
    await page.getByRole('button', { name: 'Invite to team 1' }).click();
    await page.getByRole('combobox', { name: 'Player' }).fill('bob h');
    await page.getByRole('option', { name: 'Bob Held' }).click();
    await page.getByRole('radio', { name: 'Reservation' }).check();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Hold the seat' }).click();
    await second.locator(`[data-player="${bob}"]`).getByText('Reserved').waitFor();

    const act = async (player: string, action: string) => {
      await page.getByRole('button', { name: `Actions for ${player}` }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await act('Ada', 'Move to team 1');
    await second.locator(`[data-player="${ada}"]`).waitFor();
    await act('Cleo', 'Make leader');
    await page.getByText('Cleo is now leader').waitFor();
    await act('Ada', 'Mark absent');
    await second.getByText('Absent', { exact: true }).waitFor();
    await act('Ada', 'Mark present');
    await second.getByText('Absent', { exact: true }).waitFor({ state: 'detached' });

    await page.getByRole('switch', { name: 'Open to everyone' }).click();
    await page.getByText('The settings of the session changed').waitFor();
    const moves = page.getByRole('group', { name: 'Move the instance to' });
    expect(await moves.getByRole('button').allTextContents()).toEqual([
      'Unjoinable',
      'Pending',
      'Closed',
    ]);
    await moves.getByRole('button', { name: 'Unjoinable' }).click();
    await moves.getByRole('button', { name: 'Joinable', exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Health' }).selectOption('degraded');
    await page.getByText('The instance is unjoinable, degraded').waitFor();
    await expectNoAxeViolations(page);

    await page.getByRole('button', { name: 'End session' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
    await page.getByText('Ended', { exact: true }).waitFor();
    await page.getByText('The session ended').waitFor();
    expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
    await expectNoAxeViolations(page);
  });

  testInFull('shows a viewer everything but no action', async () => {
    const session = await createSession(web, {
      instance: { instance_id: 'i-1', host_type: 'dedicated', join_status: 'joinable' },
    });
    await sendJoin(web, session, await registerPlayer(web, 'Ada'));
    const page = await web.open(pathOf(session), { as: 'viewer' });
    const main = page.getByRole('main');
    await main.getByRole('link', { name: 'Ada' }).first().waitFor();
    const buttons = await main
      .getByRole('button')
      .evaluateAll((found) =>
        found.map((button) => button.getAttribute('aria-label') ?? button.textContent ?? ''),
      );
    expect(buttons.filter((label) => !label.startsWith('Copy '))).toEqual([]);
    expect(await main.getByRole('switch').count()).toBe(0);
    await expectNoAxeViolations(page);
  });

  testInFull(
    'attaches and removes platform sessions, and shows problems at the field',
    async () => {
      const session = await createSession(web);
      const page = await web.open(pathOf(session), { ...owner, expectedErrors: [/status of 400/] });
      await page.getByRole('button', { name: 'Attach' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Id on the platform' }).fill('');
      await dialog.getByRole('button', { name: 'Attach' }).click();
      await dialog.locator('[aria-invalid="true"]').waitFor();
      await dialog.getByRole('button', { name: 'Random' }).click();
      await dialog.getByRole('button', { name: 'Attach' }).click();
      await dialog.waitFor({ state: 'detached' });
      const panel = page.getByRole('region', { name: 'Platform sessions' });
      await panel.getByText('Muster', { exact: true }).waitFor();
      await panel.getByRole('button', { name: 'Remove the platform session of Steam' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await panel.getByText('Steam', { exact: true }).waitFor({ state: 'detached' });
    },
  );

  testInFull('works with the keyboard only, and returns the focus', async () => {
    const session = await createSession(web);
    const ada = await registerPlayer(web, 'Ada');
    await sendJoin(web, session, ada);
    const page = await web.open(pathOf(session), owner);
    const menu = page.getByRole('button', { name: 'Actions for Ada' });
    await menu.focus();
    await page.keyboard.press('Enter');
    const focused = (name: string) =>
      page.getByRole('menuitem', { name }).and(page.locator(':focus')).waitFor();
    await page.getByRole('menuitem', { name: 'Show details' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await focused('Show details');
    await page.keyboard.press('ArrowUp');
    await focused('Kick …');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Kick Ada?' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => menu.evaluate((node) => node === document.activeElement)).toBe(true);
  });

  testInFull('fits a phone', async () => {
    const session = await createSession(web, {
      instance: { instance_id: 'i-1', host_type: 'dedicated', join_status: 'joinable' },
    });
    await sendJoin(web, session, await registerPlayer(web, 'A player with quite a long name'));
    const page = await web.open(pathOf(session), { ...owner, ...PHONE });
    await page.getByRole('link', { name: 'A player with' }).first().waitFor();
    await expectToFitPhone(page);
    await expectNoAxeViolations(page);
  });

  testInFull('shows a not-found page for a missing session', async () => {
    const page = await web.open('/sessions/duel/nowhere', owner);
    await page.getByRole('alert').getByText('There is no such session.').waitFor();
  });
});
