// The list of sessions, a new session and a test join, in a real browser.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { expectNoAxeViolations, expectToFitPhone } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { createSession, nameOf, pathOf, registerPlayer, sendJoin } from './support/sessions.ts';
import { PHONE, shareWeb } from './support/web.ts';

const web = shareWeb();

const owner = { as: 'owner' } as const;

describe('the list of sessions', () => {
  testInFull('updates known rows in place and shows new ones after a click', async () => {
    const type = randomUUID();
    const session = await createSession(web, { type });
    const page = await web.open(`/sessions?type=${type}`, owner);
    const row = page.getByRole('row').filter({ hasText: session.session_id });
    await row.getByText('0 of 4').waitFor();
    await sendJoin(web, session, randomUUID());
    await row.getByText('1 of 4').waitFor({ timeout: 10_000 });
    const others = [await createSession(web, { type }), await createSession(web, { type })];
    await page.getByRole('button', { name: 'Show 2 new' }).click();
    for (const { session_id } of others) await page.getByText(session_id).waitFor();
    await expectNoAxeViolations(page);
  });

  testInFull('stores all filters in the URL, and clears them', async () => {
    const type = randomUUID();
    const player = await registerPlayer(web, 'Filtered Ada');
    const wanted = await createSession(web, { type });
    await createSession(web, { type });
    await sendJoin(web, wanted, player);
    const page = await web.open(`/sessions?type=${type}`, owner);
    await page.getByText('2 sessions').waitFor();
    await page.getByRole('combobox', { name: 'Player' }).fill('filtered a');
    await page.getByRole('option', { name: 'Filtered Ada' }).click();
    await page.getByText('1 Session').waitFor();
    expect(new URL(page.url()).searchParams.get('player')).toBe(player);
    await page.getByRole('combobox', { name: 'Seats' }).click();
    await page.getByRole('option', { name: 'Full' }).click();
    await page.getByText('Nothing matches these filters').waitFor();
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByRole('combobox', { name: 'Platform' }).waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.getByRole('link', { name: wanted.session_id }).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test('ends exactly the filtered sessions, after a confirmation with their number', async () => {
    const [type, other] = [randomUUID(), randomUUID()];
    for (let n = 0; n < 3; n += 1) await createSession(web, { type });
    const spared = await createSession(web, { type: other });
    const page = await web.open('/sessions', owner);
    const end = page.getByRole('button', { name: 'End all …' });
    expect(await end.getAttribute('aria-disabled')).toBe('true');
    await page.goto(`/sessions?type=${type}`);
    await page.getByText('3 sessions').waitFor();
    await end.click();
    const dialog = page.getByRole('dialog', { name: 'End 3 sessions?' });
    await dialog.waitFor();
    await expectNoAxeViolations(page);
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('The servers are gone');
    await dialog.getByRole('button', { name: 'End sessions' }).click();
    await page.getByText('3 sessions ended.').waitFor();
    await page.goto(`/sessions?type=${type}`);
    await page.getByText('Nothing matches these filters').waitFor();
    await page.goto(`/sessions?type=${other}`);
    await page.getByRole('link', { name: spared.session_id }).waitFor();
    await page.goto(`/sessions?type=${type}&state=ended`);
    await page.getByText('3 sessions').waitFor();
  });

  testInFull('works with the keyboard, and fits a phone', async () => {
    const session = await createSession(web);
    const page = await web.open(`/sessions?type=duel`, { ...owner, ...PHONE });
    await page.getByRole('link', { name: session.session_id }).waitFor();
    await expectToFitPhone(page);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${pathOf(session)}`);
    await page.getByRole('heading', { level: 1, name: /^duel/ }).waitFor();
  });

  testInFull('shows ended sessions when asked', async () => {
    const session = await createSession(web);
    await web.call('sessions.end', nameOf(session));
    const page = await web.open('/sessions?state=ended', owner);
    await page.getByRole('link', { name: session.session_id }).click();
    await page.getByText('The session ended').waitFor();
    await page.getByText('Ended', { exact: true }).waitFor();
  });
});

describe('a new session', () => {
  testInFull('is created and joined while its page is open', async () => {
    const type = `built-${randomUUID().slice(0, 8)}`;
    await web.call('sessionTypes.upsert', { type, default_teams: [{ team_id: 0, max_size: 3 }] });
    const page = await web.open('/sessions', owner);
    await page.keyboard.press('n');
    await page.waitForURL('**/sessions/new');
    // The list, which also has a "Type", remains until the page of the new session is loaded.
    await page.getByRole('heading', { name: 'New session' }).waitFor();
    await page.getByRole('combobox', { name: 'Type' }).fill(type);
    await page.getByText('As the type says: 1 team of 3').waitFor();
    await page.getByRole('combobox', { name: 'Platform' }).fill('Steam');
    await page.getByRole('option', { name: 'Steam' }).click();
    const platformSessionId = await page
      .getByRole('textbox', { name: 'Id on the platform' })
      .inputValue();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Create the session' }).click();
    await page.waitForURL(`**/sessions/${type}/*`);
    await page.getByText('0 of 3 seats').waitFor();
    const session = { type, session_id: '', platformSessionId };
    const ada = await registerPlayer(web, 'Built Ada');
    expect(await sendJoin(web, session, ada)).toBe(200);
    await page.locator(`[data-player="${ada}"]`).waitFor({ timeout: 10_000 });
  });

  testInFull('shows problems at the field, and keeps the input', async () => {
    const page = await web.open('/sessions/new?type=own-teams', {
      ...owner,
      expectedErrors: [/status of 400/],
    });
    await page.getByRole('textbox', { name: 'Seats of team 1' }).fill('101');
    await page.getByRole('button', { name: 'Add a team' }).click();
    await page.getByRole('textbox', { name: 'Region' }).fill('eu');
    await page.getByRole('button', { name: 'Create the session' }).click();
    await page.getByRole('alert').getByText('Some fields are not valid.').waitFor();
    await expect
      .poll(() =>
        page.getByRole('textbox', { name: 'Seats of team 1' }).getAttribute('aria-invalid'),
      )
      .toBe('true');
    expect(await page.getByRole('textbox', { name: 'Region' }).inputValue()).toBe('eu');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await expectNoAxeViolations(page);
  });
});

describe('trying a join', () => {
  test('sends the request and shows it with its response and curl', async () => {
    const session = await createSession(web);
    const page = await web.open('/sessions', owner);
    await page.getByRole('link', { name: 'Try a join' }).click();
    await page.getByRole('combobox', { name: 'Session' }).fill(session.session_id);
    await page.getByRole('option', { name: session.session_id }).click();
    await page.getByRole('button', { name: 'New random player' }).click();
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Player' }).inputValue())
      .toMatch(/^Test player/);
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Send the join' }).click();
    const answer = page.getByRole('region', { name: 'Answer', exact: true });
    await answer.getByText('200', { exact: true }).waitFor();
    await answer.getByRole('row', { name: /^etag/ }).waitFor();
    await answer.getByText(/^curl -sS -i -X POST "\$BASE_URL"/).waitFor();
    await answer.getByText(`"session_id": "${session.session_id}"`).waitFor();
    await expectNoAxeViolations(page);
  });

  testInFull('shows the problems of a 422 at the fields, and other errors in full', async () => {
    const session = await createSession(web);
    const player = await registerPlayer(web, 'Wrong');
    const search = `platform=Steam&id=${session.platformSessionId}&player=${player}`;
    const page = await web.open(`/sessions/try-it?${search}`, owner);
    await page.getByRole('textbox', { name: 'Client version' }).fill('one');
    await page.getByRole('textbox', { name: 'Team' }).fill('x');
    await page.getByRole('button', { name: 'Send the join' }).click();
    const answer = page.getByRole('region', { name: 'Answer', exact: true });
    await answer.getByText('422', { exact: true }).waitFor();
    for (const name of ['Client version', 'Team']) {
      const field = page.getByRole('textbox', { name, exact: true });
      await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    }
    await page.getByRole('textbox', { name: 'Client version' }).fill('1.0.0');
    await page.getByRole('textbox', { name: 'Team' }).fill('0');
    await web.call('sessions.update', { ...nameOf(session), joinable: false });
    await page.getByRole('button', { name: 'Send the join' }).click();
    await answer.getByText('403', { exact: true }).waitFor();
    await answer.getByText('The session takes only players who were invited.').first().waitFor();
  });

  testInFull('is not available to viewers, with an explanation, and fits a phone', async () => {
    const closed = await web.open('/sessions/try-it', { as: 'viewer' });
    await closed.getByText('Your account cannot try joins').waitFor();
    const page = await web.open('/sessions/try-it', { as: 'editor', ...PHONE });
    await page.getByRole('button', { name: 'Send the join' }).waitFor();
    await expectToFitPhone(page);
    await expectNoAxeViolations(page);
  });
});
