// Jobs with one page each: end sessions, export a list, and paste the levels of an Xp table.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { expectNoAxeViolations } from '../support/accessibility.ts';
import { makeSandbox } from '../support/sandboxes.ts';
import { createSession } from '../support/sessions.ts';
import { makeShop } from '../support/shop.ts';
import type { Job } from './job.ts';

const editor = { as: 'editor' } as const;

export const END_STALE: Job = {
  title: 'ends stale sessions with a list and a reason',
  maxActions: 6,
  async run(web, users) {
    const type = randomUUID();
    const [first, second, fresh] = [
      await createSession(web, { type }),
      await createSession(web, { type }),
      await createSession(web, { type }),
    ];
    const stale = [first.session_id, second.session_id].sort();
    await web.withDatabase(({ pool }) =>
      pool.query(
        `UPDATE session SET created_at = created_at - interval '2 hours' WHERE type = $1 AND session_id = ANY ($2)`,
        [type, stale],
      ),
    );
    const user = await users.open(`/sessions?type=${type}`, { as: 'owner' });
    const { page } = user;
    await page.getByText('3 sessions').waitFor();
    await user.click(page.getByRole('combobox', { name: 'Last activity' }));
    await user.click(page.getByRole('option', { name: 'Over 1 hour ago' }));
    await page.getByText('2 sessions').waitFor();
    // Before the first join, the creation is the last activity.
    const row = page.getByRole('row').filter({ hasText: first.session_id });
    await row.locator('td[data-column="activity"]').getByText('2 hours ago').waitFor();
    await user.click(page.getByRole('button', { name: 'End all …' }));
    const dialog = page.getByRole('dialog', { name: 'End 2 sessions?' });
    const list = dialog.getByRole('region', { name: 'Sessions that will end' });
    for (const id of stale) await list.getByText(id).waitFor();
    expect(await list.getByRole('listitem').count()).toBe(2);
    await expectNoAxeViolations(page);
    await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'The servers crashed');
    await user.click(dialog.getByRole('button', { name: 'End sessions' }));
    await page.getByText('2 sessions ended.').waitFor();
    const { rows } = await web.withDatabase(({ pool }) =>
      pool.query(
        `SELECT target ->> 'session_id' AS id, reason FROM audit_record
         WHERE action = 'sessions.end' AND target ->> 'type' = $1 ORDER BY 1`,
        [type],
      ),
    );
    expect(rows).toEqual(stale.map((id) => ({ id, reason: 'The servers crashed' })));
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.getByRole('link', { name: fresh.session_id }).waitFor();
  },
};

export const EXPORT_LIST: Job = {
  title: 'exports a filtered list',
  maxActions: 3,
  async run(web, users) {
    const { items } = await makeShop(web, ['501', '20']);
    const user = await users.open(items, editor);
    const { page } = user;
    await page.getByRole('link', { name: 'Axe' }).waitFor();
    await user.type(page.getByLabel('Tag', { exact: true }), 'sword');
    await page.getByText('2 Items', { exact: true }).waitFor();
    await user.click(page.getByRole('button', { name: 'Export' }));
    const downloading = page.waitForEvent('download');
    await user.click(page.getByRole('menuitem', { name: /CSV/ }));
    const file = await readFile(await (await downloading).path(), 'utf8');
    expect(file.startsWith('\uFEFF')).toBe(true);
    expect(file).toContain('Sword 001');
    expect(file).toContain('Sword 002');
    expect(file).not.toContain('Axe');
  },
};

const CURVE = Array.from({ length: 100 }, (_, at) => at * at * 150);

export const PASTE_CURVE: Job = {
  title: 'pastes an Xp curve of 100 levels, with a chart',
  maxActions: 5,
  async run(web, users) {
    const { sandbox_id, xp, addXp } = await makeSandbox(web);
    const { xp_id } = await addXp('Curve');
    const user = await users.open(xp, editor);
    const { page } = user;
    await user.click(page.getByRole('link', { name: 'Curve', exact: true }));
    await user.type(page.getByLabel('Xp, row 1', { exact: true }), '0');
    await user.paste(`Xp\r\n${CURVE.join('\r\n')}\r\n`);
    await user.press('Control+s');
    await page.getByText('Saved as version 2.').waitFor();
    const chart = 'Curve of 100 levels. From level 1 at 0 xp to level 100 at 1,470,150 xp';
    await page.getByRole('img', { name: chart }).waitFor();
    await expectNoAxeViolations(page);
    const { xp_thresholds } = await web.call<{ xp_thresholds: object[] }>('xp.get', {
      sandbox_id,
      xp_id,
    });
    expect(xp_thresholds).toEqual(CURVE.map((amount, at) => ({ level: at + 1, xp: amount })));
  },
};
