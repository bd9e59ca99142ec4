// Ending stale sessions from the list, by filter and by selection.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { expectNoAxeViolations, expectToFitPhone } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { createSession, nameOf, pathOf, sendJoin } from './support/sessions.ts';
import { PHONE, shareWeb } from './support/web.ts';

const web = shareWeb();

const age = (type: string, ids: readonly string[], by: string) =>
  web.withDatabase(({ pool }) =>
    pool.query(
      `UPDATE session SET created_at = created_at - $3::interval WHERE type = $1 AND session_id = ANY ($2)`,
      [type, ids, by],
    ),
  );

const readReasons = (type: string) =>
  web.withDatabase(async ({ pool }) => {
    const { rows } = await pool.query<{ id: string; reason: string }>(
      `SELECT target ->> 'session_id' AS id, reason FROM audit_record
       WHERE action = 'sessions.end' AND target ->> 'type' = $1`,
      [type],
    );
    return Object.fromEntries(rows.map(({ id, reason }) => [id, reason]));
  });

test('ends the selected sessions, and needs a reason', async () => {
  const type = randomUUID();
  const [away, other, kept] = [
    await createSession(web, { type }),
    await createSession(web, { type }),
    await createSession(web, { type }),
  ];
  const player = randomUUID();
  await sendJoin(web, away, player);
  await web.call('sessions.setPresence', { ...nameOf(away), player_uuid: player, present: false });
  const page = await web.open(`/sessions?type=${type}`, { as: 'owner' });
  const rowOf = ({ session_id }: { session_id: string }) =>
    page.getByRole('row').filter({ hasText: session_id });
  await rowOf(away).getByRole('checkbox').check();
  await rowOf(other).getByRole('checkbox').check();
  await page.getByText('2 selected').waitFor();
  await page.getByRole('button', { name: 'End …' }).click();
  const dialog = page.getByRole('dialog', { name: 'End 2 sessions?' });
  await dialog.getByText(away.session_id).waitFor();
  const end = dialog.getByRole('button', { name: 'End sessions' });
  expect(await end.isDisabled()).toBe(true);
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Test match');
  await end.click();
  await page.getByText('2 sessions ended.').waitFor();
  await page.getByText('1 session').first().waitFor();
  const reasons = await readReasons(type);
  expect(reasons).toEqual({ [away.session_id]: 'Test match', [other.session_id]: 'Test match' });
  await rowOf(kept).waitFor();
});

testInFull(
  'ends only what the dialog showed of the selected sessions, and counts the others',
  async () => {
    const type = randomUUID();
    const [stale, joined, gone, ended, replaced] = [
      await createSession(web, { type }),
      await createSession(web, { type }),
      await createSession(web, { type }),
      await createSession(web, { type }),
      await createSession(web, { type }),
    ];
    const page = await web.open(`/sessions?type=${type}`, {
      as: 'owner',
      expectedErrors: [/409/],
    });
    for (const { session_id } of [stale, joined, gone, ended, replaced]) {
      await page.getByRole('row').filter({ hasText: session_id }).getByRole('checkbox').check();
    }
    await page.getByText('5 selected').waitFor();
    // The link to a selection can be older than the sessions: one has ended, one was created again under its id.
    await web.call('sessions.end', nameOf(gone));
    await web.call('sessions.end', nameOf(replaced));
    await createSession(web, nameOf(replaced));
    await page.reload();
    await page.getByText('5 selected').waitFor();
    await page.getByRole('button', { name: 'End …' }).click();
    const dialog = page.getByRole('dialog', { name: 'End 3 sessions?' });
    await dialog.getByText('2 of the selected sessions no longer run.').waitFor();
    await expectNoAxeViolations(page);
    await sendJoin(web, joined, randomUUID());
    await web.call('sessions.end', nameOf(ended));
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Idle');
    await dialog.getByRole('button', { name: 'End sessions' }).click();
    const result = page.getByRole('alert').filter({ hasText: '1 session ended. Left alone: ' });
    await result.getByText(`1 changed in the meantime (${type} ${joined.session_id})`).waitFor();
    await result.getByText(`1 had already ended (${type} ${ended.session_id})`).waitFor();
    const live = await web.call<{ sessions: { session: { session_id: string } }[] }>(
      'sessions.list',
      { type },
    );
    expect(live.sessions.map(({ session }) => session.session_id).sort()).toEqual(
      [joined.session_id, replaced.session_id].sort(),
    );
    await result.getByText('To end a changed session anyway, select it again.').waitFor();
    const row = page.getByRole('row').filter({ hasText: joined.session_id });
    await row.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'End …' }).click();
    await page.getByRole('textbox', { name: 'Reason' }).fill('Idle');
    await page.getByRole('button', { name: 'End sessions' }).click();
    await page.getByText('1 session ended.', { exact: true }).waitFor();
    await row.waitFor({ state: 'detached' });
  },
);

testInFull('keeps the dialog and its reason after a failure, and continues', async () => {
  const type = randomUUID();
  const sessions = [
    await createSession(web, { type }),
    await createSession(web, { type }),
    await createSession(web, { type }),
  ];
  const page = await web.open(`/sessions?type=${type}`, {
    as: 'owner',
    expectedErrors: [/Failed/],
  });
  for (const { session_id } of sessions) {
    await page.getByRole('row').filter({ hasText: session_id }).getByRole('checkbox').check();
  }
  let calls = 0;
  await page.route('**/admin/trpc/sessions.end', (route) => {
    calls += 1;
    return calls === 2 ? route.abort() : route.continue();
  });
  await page.getByRole('button', { name: 'End …' }).click();
  const dialog = page.getByRole('dialog', { name: 'End 3 sessions?' });
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Test match');
  await dialog.getByRole('button', { name: 'End sessions' }).click();
  await dialog.getByText('Before this, at least 1 session ended.').waitFor();
  expect(await dialog.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('Test match');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'End sessions' }).click();
  await page.getByText('3 sessions ended.').waitFor();
  expect(Object.values(await readReasons(type))).toEqual(Array(3).fill('Test match'));
});

testInFull(
  'keeps the selection after a cancellation, and says that some sessions were not tried',
  async () => {
    const type = randomUUID();
    const sessions = [
      await createSession(web, { type }),
      await createSession(web, { type }),
      await createSession(web, { type }),
    ];
    const ids = sessions.map(({ session_id }) => session_id);
    const page = await web.open(`/sessions?type=${type}`, { as: 'owner' });
    const rows = page.getByRole('row').filter({ hasText: new RegExp(ids.join('|')) });
    for (const id of ids) await rows.filter({ hasText: id }).getByRole('checkbox').check();
    const cancelled = Promise.withResolvers<void>();
    let calls = 0;
    await page.route('**/admin/trpc/sessions.end', async (route) => {
      calls += 1;
      if (calls === 2) await cancelled.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'End …' }).click();
    const dialog = page.getByRole('dialog', { name: 'End 3 sessions?' });
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Test match');
    await dialog.getByRole('button', { name: 'End sessions' }).click();
    const progress = page.getByRole('dialog', { name: 'Ending sessions' });
    await progress.getByText('1 of 3').waitFor();
    await progress.getByRole('button', { name: 'Cancel' }).click();
    cancelled.resolve();
    await page.getByText('2 sessions ended. Cancelled: the others were not tried.').waitFor();
    expect(Object.keys(await readReasons(type))).toHaveLength(2);
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole('button', { name: 'End …' }).click();
    const again = page.getByRole('dialog', { name: 'End 1 session?' });
    await again.getByText('2 of the selected sessions no longer run.').waitFor();
  },
);

testInFull('offers to end nothing while no session matches', async () => {
  const page = await web.open(`/sessions?type=${randomUUID()}`, { as: 'owner' });
  await page.getByText('Nothing matches these filters').waitFor();
  const button = page.getByRole('button', { name: 'End all …' });
  expect(await button.getAttribute('aria-disabled')).toBe('true');
  await button.hover();
  await page.getByText('No session matches the filters.').waitFor();
});

test('ends no session that becomes idle while the dialog is open', async () => {
  const type = randomUUID();
  const [stale, later] = [await createSession(web, { type }), await createSession(web, { type })];
  await age(type, [stale.session_id], '2 hours');
  const page = await web.open(`/sessions?type=${type}&idle=1h`, { as: 'owner' });
  await page.getByRole('button', { name: 'End all …' }).click();
  const dialog = page.getByRole('dialog', { name: 'End 1 session?' });
  await dialog.getByText(stale.session_id).waitFor();
  // Ten minutes later, the other one has been idle for 65 minutes.
  await page.clock.setSystemTime(Date.now() + 600_000);
  await age(type, [later.session_id], '65 minutes');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Idle');
  await dialog.getByRole('button', { name: 'End sessions' }).click();
  await page.getByText('1 session ended.').waitFor();
  expect(Object.keys(await readReasons(type))).toEqual([stale.session_id]);
});

testInFull('the filter for absent players is in the URL, and the column counts them', async () => {
  const type = randomUUID();
  const away = await createSession(web, { type });
  await createSession(web, { type });
  const player = randomUUID();
  await sendJoin(web, away, player);
  await web.call('sessions.setPresence', { ...nameOf(away), player_uuid: player, present: false });
  const page = await web.open(`/sessions?type=${type}&absent=yes`, { as: 'owner' });
  const row = page.getByRole('row').filter({ hasText: away.session_id });
  await row.getByText('1', { exact: true }).waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
});

testInFull(
  'the page of a session shows free seats in one line, and its timeline before the settings on a phone',
  async () => {
    const session = await createSession(web);
    await sendJoin(web, session, randomUUID());
    const page = await web.open(pathOf(session), { as: 'owner', ...PHONE });
    await page.getByText('3 of 4 seats free').waitFor();
    const top = async (name: string) =>
      (await page.getByRole('heading', { name, exact: true }).boundingBox())?.y ?? 0;
    expect(await top('Timeline')).toBeLessThan(await top('Platform sessions'));
    await expectToFitPhone(page);
    await expectNoAxeViolations(page);
  },
);
