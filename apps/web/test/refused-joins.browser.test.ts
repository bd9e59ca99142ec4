// Why a player could not join, in a real browser.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { expectNoAxeViolationsEveryDay, expectToFitPhone } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { waitForRoomInHour } from './support/hours.ts';
import { moveRefusedJoins, refuseOnPlayStation, waitForRefused } from './support/refused-joins.ts';
import { createSession, registerPlayer, sendJoin } from './support/sessions.ts';
import { PHONE, shareWeb } from './support/web.ts';

const web = shareWeb();

const owner = { as: 'owner' } as const;

const yesterday = new Date(Date.now() - 24 * 60 * 60_000).toISOString().slice(0, 10);

describe('the page of a player', () => {
  test('answers in one screen what was tried, why it failed, and what to do', async () => {
    const player = await registerPlayer(web, 'Refused Rosa');
    const session = await createSession(web, { joinable: false });
    await sendJoin(web, session, player);
    await waitForRefused(web, player);
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

  testInFull('also answers for a player who has never been registered', async () => {
    const player = randomUUID();
    const id = await refuseOnPlayStation(web, player);
    await waitForRefused(web, player);
    const page = await web.open(`/players/${player}`, {
      ...owner,
      expectedErrors: [/status of 404/],
    });
    await page.getByText('This player is not registered').waitFor();
    await page.getByText('There is no such platform session.').waitFor();
    await page.getByRole('button', { name: `Copy platform session id …${id.slice(-8)}` }).waitFor();
  });

  testInFull('shows the newest refusals and leads to all of them', async () => {
    await waitForRoomInHour();
    const player = await registerPlayer(web, 'Often Refused');
    for (let count = 0; count < 22; count += 1) await refuseOnPlayStation(web, player);
    await waitForRefused(web, player, 20);
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
  testInFull(
    'filters by platform session and time, in the zone of the viewer and in UTC',
    async () => {
      const [player, other] = [randomUUID(), randomUUID()];
      const id = await refuseOnPlayStation(web, player);
      await refuseOnPlayStation(web, other, id);
      await waitForRefused(web, player);
      await waitForRefused(web, other);
      await moveRefusedJoins(web, player, `${yesterday}T05:05:00Z`);
      await moveRefusedJoins(web, other, `${yesterday}T07:00:00Z`);
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
    },
  );

  testInFull('opens for a viewer, and ignores wrong values in its address', async () => {
    const page = await web.open('/refused-joins?code=nonsense&from=x', { as: 'viewer' });
    await page.getByRole('heading', { name: 'Refused joins' }).waitFor();
  });

  testInFull('fits a phone, and shows when nothing matches', async () => {
    const page = await web.open(`/refused-joins?player=${randomUUID()}`, { ...owner, ...PHONE });
    await page.getByText('Nothing matches these filters').waitFor();
    await expectToFitPhone(page);
    await expectNoAxeViolationsEveryDay(page);
  });
});
