// The overview of a sandbox: edits, planned changes, drift to other sandboxes, and the state of the history.
import { expect, test } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { makeSandbox } from './support/sandboxes.ts';
import { PHONE, startOwnWeb } from './support/web.ts';

// Its own service: the overview compares with every other sandbox.
const web = startOwnWeb();

test('shows an edit of several records as one row, what is planned, and how far sandboxes differ', async () => {
  const live = await makeSandbox(web);
  const staging = await makeSandbox(web);
  const [sword, axe] = [await live.addItem('Sword'), await live.addItem('Axe')];
  const bulk = await web.call<{ change_set_id: string }>('changeSets.create', {
    sandbox_id: live.sandbox_id,
    title: 'Weekend sale',
  });
  const waiting = await web.call<{ change_set_id: string }>('changeSets.create', {
    sandbox_id: live.sandbox_id,
    title: 'Spring event',
  });
  const name = (change_set_id: string) => ({ sandbox_id: live.sandbox_id, change_set_id });
  const operations = [sword, axe].map(({ item_id }) => ({
    kind: 'item',
    operation: 'update',
    item_id,
    expected_version: 1,
    description: 'On sale',
  }));
  await web.call('changeSets.addOperations', { ...name(bulk.change_set_id), operations });
  await web.call('changeSets.apply', { ...name(bulk.change_set_id), expected_revision: 2 });
  await web.call('changeSets.addOperations', {
    ...name(waiting.change_set_id),
    operations: [{ kind: 'item', operation: 'delete', item_id: axe.item_id, expected_version: 2 }],
  });
  await web.call('changeSets.submit', { ...name(waiting.change_set_id), expected_revision: 2 });

  const page = await web.open(`/s/${live.sandbox_id}`, { as: 'owner' });
  const region = (of: string) => page.getByRole('region', { name: of });
  const row = region('Recent edits').getByRole('listitem').filter({ hasText: 'Weekend sale' });
  await row.getByText('2 Items changed · description').waitFor();
  const planned = region('Scheduled and waiting').getByRole('listitem');
  await planned.filter({ hasText: 'Spring event' }).getByText('in review').waitFor();
  await region('Compared with other sandboxes')
    .getByRole('listitem')
    .filter({ hasText: staging.name })
    .getByText('differs in 2 Items')
    .waitFor();
  const history = region('Integrity of the history');
  await history.getByText('Verified: not yet').waitFor();
  await history.getByRole('button', { name: 'Verify' }).click();
  await history.getByText('intact').waitFor();
  await expectNoAxeViolations(page);

  await page.goto(`/s/${live.sandbox_id}`);
  await row.getByRole('link', { name: 'Weekend sale' }).click();
  await page.waitForURL(/history\?edit=/);

  const phone = await web.open(`/s/${live.sandbox_id}`, { as: 'viewer', ...PHONE });
  await phone.getByText('differs in 2 Items').waitFor();
  await expectNoAxeViolations(phone);
});

testInFull(
  'shows that nothing is planned, and offers a retry when sandboxes cannot be compared',
  async () => {
    const { sandbox_id, addItem } = await makeSandbox(web);
    await makeSandbox(web);
    await addItem('Bow');
    const page = await web.open('/', { as: 'owner', expectedErrors: [/500/] });
    let isBroken = true;
    await page.route('**/compare.list*', (route) =>
      isBroken ? route.fulfill({ status: 500, json: {} }) : route.continue(),
    );
    await page.goto(`/s/${sandbox_id}`);
    await page.getByText('No change set is scheduled, in review or approved.').waitFor();
    const retry = page.getByRole('button', { name: 'Try again' }).first();
    await retry.waitFor();
    await expectNoAxeViolations(page);
    isBroken = false;
    const failures = page.getByText('could not be compared');
    const before = await failures.count();
    await retry.click();
    await expect.poll(() => failures.count()).toBe(before - 1);
  },
);
