// Why a player could not join.
import { randomUUID } from 'node:crypto';
import { moveRefusedJoins, refuseOnPlayStation, waitForRefused } from '../support/refused-joins.ts';
import { registerPlayer } from '../support/sessions.ts';
import type { Job } from './job.ts';

export const EXPLAIN_REFUSAL: Job = {
  title: 'finds why a PlayStation join failed at 14:05',
  maxActions: 4,
  async run(web, users) {
    const yesterday = new Date(Date.now() - 24 * 60 * 60_000).toISOString().slice(0, 10);
    const name = `Nadia ${randomUUID().slice(0, 8)}`;
    const player = await registerPlayer(web, name);
    await refuseOnPlayStation(web, player);
    await waitForRefused(web, player);
    await moveRefusedJoins(web, player, `${yesterday}T14:05:00Z`);
    const user = await users.open('/sessions', { as: 'owner', timezoneId: 'UTC' });
    const { page } = user;
    await user.click(page.getByRole('link', { name: 'Refused joins' }));
    await user.click(page.getByRole('combobox', { name: 'Platform' }));
    await user.click(page.getByRole('option', { name: 'PlayStation (PSN)' }));
    await user.click(page.getByRole('link', { name }));
    await page.getByRole('heading', { level: 1, name }).waitFor();
    const entry = page.getByRole('listitem').filter({ hasText: `${yesterday} 14:05:00` });
    await entry.getByText('PlayStation (PSN)').waitFor();
    await entry.getByText('There is no such platform session.').waitFor();
    await entry.getByText(/^Check that a running session has this platform session/).waitFor();
  },
};
