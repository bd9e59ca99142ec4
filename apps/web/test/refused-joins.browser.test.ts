// Why a player could not join, in a real browser.
import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { expectNoAxeViolationsEveryDay, expectToFitPhone } from './support/accessibility.ts';
import { createSession, registerPlayer, requestJoin, sendJoin } from './support/sessions.ts';
import { PHONE, shareWeb } from './support/web.ts';

const web = shareWeb();

const owner = { as: 'owner' } as const;

/** Waits until the service has written this many refused joins of the player. */
const waitForRefused = (player: string, count = 1): Promise<void> =>
  vi.waitFor(
    () =>
      web.withDatabase(async ({ pool }) => {
        const { rowCount } = await pool.query('SELECT FROM refused_join WHERE player_uuid = $1', [
          player,
        ]);
        expect(rowCount).toBe(count);
      }),
    { timeout: 20_000, interval: 250 },
  );

/** Moves the refused joins of a player to a moment: their ids are times. */
const moveTo = (player: string, at: string): Promise<unknown> =>
  web.withDatabase(({ pool }) =>
    pool.query(
      `UPDATE refused_join SET refused_at = $2::timestamptz, refusal_id = (
         lpad(to_hex((extract(epoch FROM $2::timestamptz) * 1000)::bigint), 12, '0') ||
         substr(replace(refusal_id::text, '-', ''), 13))::uuid
       WHERE player_uuid = $1`,
      [player, at],
    ),
  );

/** A join on PlayStation that finds no platform session. */
const refuseOnPlayStation = async (player: string, platformSessionId: string = randomUUID()) => {
  const { status } = await requestJoin(web, { platform: 'PSN', platformSessionId }, player, {});
  expect(status).toBe(404);
  return platformSessionId;
};

const yesterday = new Date(Date.now() - 24 * 60 * 60_000).toISOString().slice(0, 10);

describe('a new user', () => {
  test('finds why a PlayStation join failed at 14:05 in four actions', async () => {
    const player = await registerPlayer(web, 'Nadia');
    await refuseOnPlayStation(player);
    await waitForRefused(player);
    await moveTo(player, `${yesterday}T14:05:00Z`);
    await sendJoin(web, await createSession(web, { joinable: false }), randomUUID());
    const page = await web.open('/sessions', { ...owner, timezoneId: 'UTC' });
    const actions = [
      () => page.getByRole('link', { name: 'Refused joins' }).click(),
      () => page.getByRole('combobox', { name: 'Platform' }).click(),
      () => page.getByRole('option', { name: 'PlayStation (PSN)' }).click(),
      () => page.getByRole('link', { name: 'Nadia' }).click(),
    ];
    const isAnswered = async () => {
      const entry = page.getByRole('listitem').filter({ hasText: `${yesterday} 14:05:00` });
      await entry.getByText('PlayStation (PSN)').waitFor();
      await entry.getByText('There is no such platform session.').waitFor();
      await entry.getByText(/^Check that a running session has this platform session/).waitFor();
    };
    for (const act of actions.slice(0, 3)) await act();
    await isAnswered();
    expect(new URL(page.url()).searchParams.get('platform')).toBe('PSN');
    await expectNoAxeViolationsEveryDay(page);
    await actions[3]?.();
    await page.getByRole('heading', { level: 1, name: 'Nadia' }).waitFor();
    await isAnswered();
  });
});

describe('the page of a player', () => {
  test('answers in one screen what was tried, why it failed, and what to do', async () => {
    const player = await registerPlayer(web, 'Refused Rosa');
    const session = await createSession(web, { joinable: false });
    await sendJoin(web, session, player);
    await waitForRefused(player);
    const page = await web.open(`/players/${player}`, owner);
    const section = page.getByRole('region', { name: 'Refused joins' });
    await section.getByRole('link', { name: session.session_id }).waitFor();
    await section.getByText('The session takes only players who were invited.').waitFor();
    const advice = section.getByText('Invite the player, or open the session to everyone.');
    await advice.waitFor();
    const box = await advice.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(page.viewportSize()?.height ?? 0);
    await expectNoAxeViolationsEveryDay(page);
  });

  test('also answers for a player who has never been registered', async () => {
    const player = randomUUID();
    const id = await refuseOnPlayStation(player);
    await waitForRefused(player);
    const page = await web.open(`/players/${player}`, {
      ...owner,
      expectedErrors: [/status of 404/],
    });
    await page.getByText('This player is not registered').waitFor();
    await page.getByText('There is no such platform session.').waitFor();
    await page.getByRole('button', { name: `Copy platform session id …${id.slice(-8)}` }).waitFor();
  });

  test('shows the newest refusals and leads to all of them', async () => {
    const player = await registerPlayer(web, 'Often Refused');
    for (let count = 0; count < 22; count += 1) await refuseOnPlayStation(player);
    await waitForRefused(player, 20);
    const page = await web.open(`/players/${player}`, owner);
    const section = page.getByRole('region', { name: 'Refused joins' });
    await section.getByText('And 2 more in this hour, not listed here.').waitFor();
    expect(await section.getByRole('listitem').count()).toBe(3);
    await section.getByRole('link', { name: 'Show all refused joins of this player' }).click();
    await page.getByRole('heading', { level: 1, name: 'Refused joins' }).waitFor();
    await expect.poll(() => page.getByText('What to do').count()).toBe(20);
    expect(new URL(page.url()).searchParams.get('player')).toBe(player);
  });
});

describe('the page of refused joins', () => {
  test('filters by platform session and time, in the zone of the viewer and in UTC', async () => {
    const [player, other] = [randomUUID(), randomUUID()];
    const id = await refuseOnPlayStation(player);
    await refuseOnPlayStation(other, id);
    await waitForRefused(player);
    await waitForRefused(other);
    await moveTo(player, `${yesterday}T05:05:00Z`);
    await moveTo(other, `${yesterday}T07:00:00Z`);
    const page = await web.open('/refused-joins', { ...owner, timezoneId: 'Asia/Tokyo' });
    await page.getByRole('textbox', { name: 'Platform session id' }).fill(id);
    await expect.poll(() => page.getByText('What to do').count()).toBe(2);
    await page.getByRole('textbox', { name: 'Before' }).fill(`${yesterday} 15:00`);
    await page.keyboard.press('Enter');
    await page.getByText(`${yesterday} 06:00 UTC`).waitFor();
    await expect.poll(() => page.getByText('What to do').count()).toBe(1);
    await page.getByText(`${yesterday} 14:05:00 GMT+09:00`).waitFor();
    await page.getByText('05:05:00 UTC').waitFor();
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('to')).toBe(`${yesterday}T06:00:00.000Z`);
    expect(searchParams.get('id')).toBe(id);
    await page.reload();
    await page.getByText('05:05:00 UTC').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    expect(new URL(page.url()).search).toBe('');
  });

  test('opens for a viewer, and ignores wrong values in its address', async () => {
    const page = await web.open('/refused-joins?code=nonsense&from=x', { as: 'viewer' });
    await page.getByRole('heading', { name: 'Refused joins' }).waitFor();
  });

  test('fits a phone, and shows when nothing matches', async () => {
    const page = await web.open(`/refused-joins?player=${randomUUID()}`, { ...owner, ...PHONE });
    await page.getByText('Nothing matches these filters').waitFor();
    await expectToFitPhone(page);
    await expectNoAxeViolationsEveryDay(page);
  });
});
